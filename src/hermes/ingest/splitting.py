"""A conversation → the tasks in it. A new request begins one; whatever follows belongs to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from hermes.ingest.turns import Turn, TurnKind
from hermes.records.codec import Json
from hermes.rules.follow_up import MessageKind, Running, read_message
from hermes.rules.own_words import own_words, says_interrupted

NO_REQUEST = "(work that no request in the log began)"
MOST_TURNS = 20_000
MOST_CHARACTERS = 32 * 1024 * 1024
_WHEN_FULL = 1_024  # characters that are kept of a turn once a task is as large as it may get


@dataclass(slots=True)
class TaskTurns:
    """One request and what came of it.

    `labels` says of a user's turn what it is; `broken_off` that the user stopped the agent and it
    did nothing more. Of a task without end `left_out` turns are only counted, so that no log can
    fill the memory.
    """

    key: str
    text: str
    at: datetime | None
    turns: list[Turn] = field(default_factory=list)
    labels: dict[int, MessageKind] = field(default_factory=dict)
    open_calls: set[str] = field(default_factory=set)
    broken_off: bool = False
    left_out: int = 0
    last_said: str = ""
    _characters: int = 0

    def add(self, turn: Turn, label: MessageKind | None = None) -> None:
        if turn.kind is TurnKind.CALL and turn.call_id:
            self.open_calls.add(turn.call_id)
        elif turn.kind is TurnKind.RESULT:
            self.open_calls.discard(turn.call_id)
        elif turn.kind is TurnKind.ASSISTANT:
            self.last_said = turn.text
        if turn.kind is not TurnKind.USER:
            self.broken_off = turn.data.get("interrupted") is True
        if len(self.turns) >= MOST_TURNS:
            self.left_out += 1
            return
        self._characters += _weight(turn)
        if self._characters > MOST_CHARACTERS:
            turn = replace(turn, text=turn.text[:_WHEN_FULL], arguments={}, data={})
        if label is not None:
            self.labels[len(self.turns)] = label
        self.turns.append(turn)


def split(turns: Iterable[Turn]) -> Iterator[TaskTurns]:
    """The tasks in their order, each as soon as it is complete."""
    running: TaskTurns | None = None
    closing: TaskTurns | None = None  # its last results may come after the next request
    for turn in turns:
        if closing is not None:
            if turn.kind is TurnKind.RESULT and turn.call_id in closing.open_calls:
                closing.add(turn)
                continue
            if not closing.open_calls or turn.kind is not TurnKind.USER:
                yield closing
                closing = None
        if turn.kind is not TurnKind.USER:
            running = running or TaskTurns(turn.key, NO_REQUEST, turn.at)
            running.add(turn)
            continue
        kind = read_message(turn.text, _at_hand(running))
        if kind is MessageKind.NOISE:
            if running is not None and says_interrupted(turn.text):
                running.broken_off = True
        elif kind is MessageKind.REQUEST or running is None:
            if closing is not None:
                yield closing
            closing, running = running, _begin(turn)
        else:
            running.add(replace(turn, text=own_words(turn.text)), kind)
            running.broken_off = running.broken_off or turn.data.get("interrupted") is True
    for last in (closing, running):
        if last is not None:
            yield last


def _begin(turn: Turn) -> TaskTurns:
    text = own_words(turn.text)
    task = TaskTurns(turn.key, text, turn.at)
    task.add(replace(turn, text=text), MessageKind.REQUEST)
    task.broken_off = turn.data.get("interrupted") is True
    return task


def _at_hand(running: TaskTurns | None) -> Running | None:
    return None if running is None else Running(running.text, running.last_said)


def _weight(turn: Turn) -> int:
    return len(turn.text) + _letters(turn.arguments) + _letters(turn.data)


def _letters(values: Mapping[str, Json]) -> int:
    """About how much text there is; what lies deeper is shorter than what lies here."""
    total = 0
    for value in values.values():
        if isinstance(value, str):
            total += len(value)
        elif isinstance(value, Mapping):
            total += sum(len(inner) for inner in value.values() if isinstance(inner, str))
        elif isinstance(value, list):
            total += 100 * len(value)
    return total

"""Conversations → drafts: the tasks in them, their steps and their files. Asks no store.

Safe to do anywhere and again: the same log, the same drafts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from hermes.errors import CorruptData
from hermes.ingest.artefacts import SessionFiles
from hermes.ingest.conversation import Conversation
from hermes.ingest.drafts import Draft, Ended, Order, Read, Unreadable
from hermes.ingest.splitting import TaskTurns, split
from hermes.ingest.steps import steps_of
from hermes.ingest.turns import Heading, TurnKind
from hermes.records.trajectory import Step, StepType, TrajectoryState
from hermes.rules.follow_up import MessageKind
from hermes.rules.recording import shortened, stored_text
from hermes.rules.summary import summarise

_LONGEST_REQUEST = 64 * 1024
_LONGEST_TITLE = 200
_ANSWERED_BY_NOBODY = (MessageKind.THANKS, MessageKind.FRUSTRATION)

_T = TypeVar("_T")


def drafts_in(order: Order, read: Read) -> Iterator[Draft | Ended]:
    """What is in a file, one task at a time. Raises Unreadable."""
    for conversation in _guarded(_opened(order, read)):
        conversation.turns = _guarded(conversation.turns)
        yield from drafts_of(conversation, order.limit, from_disk=order.from_disk)
        yield Ended(
            source=conversation.heading.source,
            problems=conversation.problems,
            unknown=conversation.unknown,
            bytes_read=conversation.bytes_read,
        )


def drafts_of(conversation: Conversation, limit: int, *, from_disk: bool) -> Iterator[Draft]:
    """The tasks of a conversation in their order, each as soon as it is complete."""
    heading = conversation.heading
    title, _ = shortened(stored_text(heading.title), _LONGEST_TITLE)
    heading = replace(heading, title=title)
    files = SessionFiles(heading.cwd, limit, from_disk=from_disk)
    for number, turns in enumerate(split(conversation.turns)):
        yield _draft(heading, number, turns, files)


def _draft(heading: Heading, number: int, turns: TaskTurns, files: SessionFiles) -> Draft:
    times = [turn.at for turn in turns.turns]
    found = files.of_task(turns, max(filter(None, times), default=None))
    steps = steps_of(turns, found.artefacts, found.unrecovered)
    return Draft(
        heading=heading,
        number=number,
        key=turns.key,
        at=turns.at,
        times=times if turns.at is None else (),
        text=shortened(stored_text(turns.text), _LONGEST_REQUEST)[0],
        inputs=found.inputs,
        state=_state(turns, steps),
        summary=summarise(steps),
        steps=steps,
        blobs=found.blobs,
        missing=found.missing,
        weight=sum(len(step.content) for step in steps) + sum(map(len, found.blobs.values())),
    )


def _state(turns: TaskTurns, steps: Sequence[Step]) -> TrajectoryState:
    """Finished is what came to an answer: not what the user stopped, or what the log breaks off."""
    answered = False
    for place, (turn, step) in enumerate(zip(turns.turns, steps, strict=True)):
        if turn.kind is TurnKind.USER:
            waits = turns.labels.get(place) not in _ANSWERED_BY_NOBODY
            answered = answered and not waits
        elif step.type is not StepType.THOUGHT:
            answered = turn.kind is TurnKind.ASSISTANT
    whole = answered and not (turns.broken_off or turns.open_calls or turns.left_out)
    return TrajectoryState.FINISHED if whole else TrajectoryState.INTERRUPTED


def _opened(order: Order, read: Read) -> Iterator[Conversation]:
    yield from read(order.file, order.format)


def _guarded(items: Iterator[_T]) -> Iterator[_T]:
    """What a reader could not cope with concerns one file; what the store says concerns all."""
    try:
        yield from items
    except OSError as error:
        raise Unreadable(error.strerror or str(error)) from error
    except CorruptData as error:
        raise Unreadable(error.message) from error

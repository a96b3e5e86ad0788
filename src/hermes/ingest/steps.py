"""Turns → steps as they are stored: cleaned, without credentials, cut to a bearable length."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from hermes.ingest.splitting import TaskTurns
from hermes.ingest.timing import seconds_since
from hermes.ingest.turns import Turn, TurnKind
from hermes.records.artefact import Artefact
from hermes.records.codec import Json
from hermes.records.trajectory import Step, StepType
from hermes.rules.actions.reading import action_of
from hermes.rules.follow_up import MessageKind
from hermes.rules.plain_text import is_storable
from hermes.rules.redact.credentials import without_credentials

LONGEST_OUTPUT = 64 * 1024
_LONGEST_ARGUMENT = 256 * 1024
_LONGEST_READ = 1024 * 1024  # characters in which credentials are looked for before the cut
_LINE = 160
_PAGE = 48 * 1024  # characters of a text that may well come again: a file that is read twice
_DEEPEST = 24  # levels of nested arguments

_TYPES = {
    TurnKind.USER: StepType.MESSAGE,
    TurnKind.ASSISTANT: StepType.MESSAGE,
    TurnKind.THOUGHT: StepType.THOUGHT,
    TurnKind.CALL: StepType.TOOL_CALL,
    TurnKind.RESULT: StepType.OBSERVATION,
}


def steps_of(
    task: TaskTurns,
    artefacts: Mapping[int, Sequence[Artefact]],
    unrecovered: Mapping[int, str],
) -> list[Step]:
    """One step for each turn; `artefacts` and `unrecovered` are by the place of the turn.

    Where nothing says when the task began, no time passes: `timed` makes up for it.
    """
    times = seconds_since(task.at, [turn.at for turn in task.turns])
    tools: dict[str, str] = {}
    steps = []
    for place, turn in enumerate(task.turns):
        if turn.kind is TurnKind.CALL:
            tools[turn.call_id] = turn.tool
        content, metadata = _content(turn, task.labels.get(place), tools)
        if place in unrecovered:
            metadata["unrecovered"] = unrecovered[place]
        steps.append(
            Step(
                step_id=place + 1,
                type=_TYPES[turn.kind],
                content=content,
                timestamp=times[place],
                metadata=metadata,
                artefacts=tuple(artefacts.get(place, ())),
            )
        )
    if steps and task.left_out:
        steps[-1].metadata["not_kept"] = task.left_out  # type: ignore[index] # a dict we just made
    return steps


def _content(
    turn: Turn, label: MessageKind | None, tools: Mapping[str, str]
) -> tuple[str, dict[str, Any]]:
    metadata: dict[str, Any] = {}
    if turn.kind is TurnKind.CALL:
        arguments, cut = _clean_value(turn.arguments)
        metadata |= {"tool_name": turn.tool, "call_id": turn.call_id, "arguments": arguments}
        content = _line(turn.tool, arguments)
    else:
        limit = LONGEST_OUTPUT if turn.kind is TurnKind.RESULT else _LONGEST_ARGUMENT
        content, cut = shortened(stored_text(turn.text), limit)
    if turn.kind is TurnKind.USER:
        metadata["role"] = "user"
        if label is not None and label is not MessageKind.REQUEST:
            metadata["follow_up"] = str(label)
    elif turn.kind is TurnKind.ASSISTANT:
        metadata["role"] = "assistant"
    elif turn.kind is TurnKind.RESULT:
        metadata |= {"tool_name": turn.tool or tools.get(turn.call_id, ""), "call_id": turn.call_id}
        if turn.failed is not None:
            metadata["error"] = turn.failed
        if turn.exit_code is not None:
            metadata["exit_code"] = turn.exit_code
    if turn.tokens is not None:
        metadata["tokens"] = turn.tokens
    if cut:
        metadata["truncated"] = True
    return content, metadata


def stored_text(text: str) -> str:
    """What of a text may be stored: no credential, and no character that a database refuses."""
    if len(text) <= _LINE:
        return _short_text(text)
    return _page_text(text) if len(text) <= _PAGE else _any_text(text)


def _any_text(text: str) -> str:
    if len(text) > _LONGEST_READ:
        text, _ = shortened(text, _LONGEST_READ)
    if not is_storable(text):
        text = text.replace("\0", "").encode("utf-8", "replace").decode()
    return without_credentials(text)


_short_text = lru_cache(maxsize=4_096)(_any_text)  # names and paths come again and again
_page_text = lru_cache(maxsize=64)(_any_text)


def shortened(text: str, limit: int) -> tuple[str, bool]:
    """The text without its middle where it is too long, saying so; and whether it was."""
    if len(text) <= limit:
        return text, False
    half = limit // 2
    left_out = len(text) - 2 * half
    return f"{text[:half]}\n[… {left_out} characters left out …]\n{text[-half:]}", True


def _clean_value(value: Json, depth: int = 0) -> tuple[Any, bool]:
    """A nested value with every text in it fit to be stored; whether something was left out."""
    if depth > _DEEPEST:
        return None, True
    if isinstance(value, str):
        return shortened(stored_text(value), _LONGEST_ARGUMENT)
    if isinstance(value, dict):
        cleaned = {
            stored_text(str(key)): _clean_value(inner, depth + 1) for key, inner in value.items()
        }
        return {k: v for k, (v, _) in cleaned.items()}, any(cut for _, cut in cleaned.values())
    if isinstance(value, list):
        items = [_clean_value(inner, depth + 1) for inner in value]
        return [item for item, _ in items], any(cut for _, cut in items)
    if isinstance(value, float) and not math.isfinite(value):
        return str(value), False
    return value, False


def _line(tool: str, arguments: Mapping[str, Json]) -> str:
    """The call as one line that a person can read."""
    action = action_of(tool, arguments)
    said = action.path or action.text
    first = said.strip().split("\n", 1)[0]
    return f"{tool}: {first[:_LINE]}" if first else tool

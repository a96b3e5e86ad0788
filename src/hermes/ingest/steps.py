"""Turns → steps as they are stored: cleaned, without credentials, cut to a bearable length."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hermes.ingest.splitting import TaskTurns
from hermes.ingest.timing import seconds_since
from hermes.ingest.turns import Turn, TurnKind
from hermes.records.artefact import Artefact
from hermes.records.trajectory import Step, StepType
from hermes.rules.follow_up import MessageKind
from hermes.rules.recording import (
    LONGEST_ARGUMENT,
    LONGEST_OUTPUT,
    call_line,
    shortened,
    stored_text,
    stored_value,
)

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
        arguments, cut = stored_value(turn.arguments)
        metadata |= {"tool_name": turn.tool, "call_id": turn.call_id, "arguments": arguments}
        content = call_line(turn.tool, arguments)
    else:
        limit = LONGEST_OUTPUT if turn.kind is TurnKind.RESULT else LONGEST_ARGUMENT
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

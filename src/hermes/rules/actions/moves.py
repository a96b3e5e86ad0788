"""Move: a tool call together with its result. What is observed, mined and replayed is moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hermes.records.artefact import Artefact
from hermes.records.codec import Json
from hermes.records.trajectory import Step, StepType
from hermes.rules.actions.action import Action
from hermes.rules.actions.reading import action_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """`result_id` and `output` are None where the log has no result: the call was cut off.

    `failed` is True, False, or None while nothing says it.
    """

    step_id: int
    result_id: int | None
    action: Action
    output: str | None
    failed: bool | None
    exit_code: int | None
    seconds: float
    artefacts: tuple[Artefact, ...]


def moves_of(steps: Sequence[Step]) -> tuple[Move, ...]:
    """Calls and results belong together by their call id; without ids, by their order."""
    results = {
        str(step.metadata["call_id"]): step
        for step in steps
        if step.type is StepType.OBSERVATION and step.metadata.get("call_id")
    }
    loose = [
        step
        for step in steps
        if step.type is StepType.OBSERVATION and not step.metadata.get("call_id")
    ]
    moves = []
    for step in steps:
        if step.type is not StepType.TOOL_CALL:
            continue
        call_id = str(step.metadata.get("call_id") or "")
        result = results.get(call_id) if call_id else _next(loose, step)
        moves.append(_move(step, result))
    return tuple(moves)


def _next(loose: list[Step], call: Step) -> Step | None:
    for index, step in enumerate(loose):
        if step.step_id > call.step_id:
            return loose.pop(index)
    return None


def _move(call: Step, result: Step | None) -> Move:
    arguments = call.metadata.get("arguments")
    tool = str(call.metadata.get("tool_name") or "")
    said: Mapping[str, Json] = result.metadata if result else {}
    exit_code = said.get("exit_code")
    error = said.get("error")
    failed = error if isinstance(error, bool) else None
    if failed is None and isinstance(exit_code, int):
        failed = exit_code != 0
    return Move(
        step_id=call.step_id,
        result_id=result.step_id if result else None,
        action=action_of(tool, arguments if isinstance(arguments, Mapping) else {}),
        output=result.content if result else None,
        failed=failed,
        exit_code=exit_code if isinstance(exit_code, int) else None,
        seconds=max(0.0, result.timestamp - call.timestamp) if result else 0.0,
        artefacts=call.artefacts + (result.artefacts if result else ()),
    )

"""Writes down one run, step by step: what is not on disk has not happened yet."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from hermes.ports import Trajectories
from hermes.records.artefact import Artefact
from hermes.records.codec import Json
from hermes.records.tool_answer import ToolAnswer
from hermes.records.trajectory import Step, StepType
from hermes.records.turn import Spent
from hermes.rules.recording import (
    LONGEST_ARGUMENT,
    LONGEST_OUTPUT,
    call_line,
    shortened,
    stored_name,
    stored_text,
    stored_value,
)


class RunRecorder:
    """Satisfies ports.Recorder for one open trajectory.

    `steps` are those that it has already, when a run goes on after a follow-up; `seconds` says how
    long ago the trajectory began.
    """

    def __init__(
        self,
        trajectories: Trajectories,
        trajectory_id: str,
        steps: Sequence[Step] = (),
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._trajectories = trajectories
        self._trajectory_id = trajectory_id
        self._steps = list(steps)
        self._seconds = seconds
        self._spent: Spent | None = None

    @property
    def steps(self) -> Sequence[Step]:
        return self._steps

    def message(self, role: str, text: str, **metadata: Json) -> None:
        content, cut = shortened(stored_text(text), LONGEST_ARGUMENT)
        facts, _ = stored_value(metadata)
        self._append(StepType.MESSAGE, content, {**facts, "role": role, **_cut(cut)})

    def thought(self, text: str) -> None:
        content, cut = shortened(stored_text(text), LONGEST_ARGUMENT)
        self._append(StepType.THOUGHT, content, _cut(cut))

    def called(
        self,
        call_id: str,
        tool: str,
        arguments: Mapping[str, Json],
        artefacts: Sequence[Artefact] = (),
    ) -> None:
        stored, cut = stored_value(dict(arguments))
        metadata = {"tool_name": stored_text(tool), "call_id": call_id, "arguments": stored}
        line = call_line(metadata["tool_name"], stored)
        self._append(StepType.TOOL_CALL, line, {**metadata, **_cut(cut)}, artefacts)

    def answered(self, call_id: str, tool: str, answer: ToolAnswer) -> None:
        content, cut = shortened(stored_text(answer.text), LONGEST_OUTPUT)
        facts, _ = stored_value(dict(answer.facts))
        metadata = {
            **facts,
            "tool_name": stored_text(tool),
            "call_id": call_id,
            "error": answer.failed,
            **_cut(cut),
        }
        if answer.exit_code is not None:
            metadata["exit_code"] = answer.exit_code
        self._append(StepType.OBSERVATION, content, metadata, answer.artefacts)

    def spent(self, spent: Spent) -> None:
        self._spent = spent

    def _append(
        self,
        kind: StepType,
        content: str,
        metadata: Mapping[str, Any],
        artefacts: Sequence[Artefact] = (),
    ) -> None:
        step = Step(
            step_id=len(self._steps) + 1,
            type=kind,
            content=content,
            timestamp=round(self._passed(), 3),
            metadata={**metadata, **self._cost()},
            artefacts=tuple(replace(one, name=stored_name(one.name)) for one in artefacts),
        )
        self._trajectories.append(self._trajectory_id, step)
        self._steps.append(step)

    def _passed(self) -> float:
        """A clock that was set back does not make time go back."""
        return max(self._seconds(), self._steps[-1].timestamp if self._steps else 0.0)

    def _cost(self) -> dict[str, Json]:
        """The cost of a request is told once, with the first step that came of it."""
        spent, self._spent = self._spent, None
        if spent is None:
            return {}
        cost: dict[str, Json] = {
            "tokens": spent.tokens,
            "input_tokens": spent.input_tokens,
            "cached_tokens": spent.cached_tokens,
            "output_tokens": spent.output_tokens,
        }
        if spent.cost_usd is not None:
            cost["cost_usd"] = spent.cost_usd
        return cost


def _cut(cut: bool) -> dict[str, Json]:
    return {"truncated": True} if cut else {}

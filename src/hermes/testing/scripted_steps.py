"""Steps of a trajectory, written as short as a test can read them."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

from hermes.records.artefact import Artefact, ArtefactRole
from hermes.records.task import Task
from hermes.records.trajectory import Step, StepType, Trajectory, TrajectoryState
from hermes.testing import samples
from hermes.testing.store import StorePorts


class ScriptedSteps:
    """A trajectory in the making: each call appends steps, in order."""

    def __init__(self) -> None:
        self.steps: list[Step] = []

    def says(self, text: str) -> ScriptedSteps:
        return self._add(StepType.MESSAGE, text, {"role": "assistant"})

    def user(self, text: str, follow_up: str = "") -> ScriptedSteps:
        return self._add(StepType.MESSAGE, text, {"role": "user", "follow_up": follow_up})

    def run(self, command: str, output: str = "", exit_code: int | None = 0) -> ScriptedSteps:
        return self.call("Bash", {"command": command}, output, exit_code=exit_code)

    def write(self, path: str, content: str = "") -> ScriptedSteps:
        return self.call("Write", {"file_path": path, "content": content}, "ok", error=False)

    def edit(self, path: str, old: str = "a", new: str = "b") -> ScriptedSteps:
        arguments = {"file_path": path, "old_string": old, "new_string": new}
        return self.call("Edit", arguments, "ok", error=False)

    def read(self, path: str, output: str = "") -> ScriptedSteps:
        return self.call("Read", {"file_path": path}, output, error=False)

    def call(
        self, tool: str, arguments: dict[str, Any], output: str, written: str = "", **result: Any
    ) -> ScriptedSteps:
        call_id = f"call_{len(self.steps)}"
        known = {key: value for key, value in result.items() if value is not None}
        about = {"tool_name": tool, "call_id": call_id}
        line = f"{tool}: {next(iter(arguments.values()), '')}"
        self._add(StepType.TOOL_CALL, line, {**about, "arguments": arguments})
        self._add(StepType.OBSERVATION, output, {**about, **known})
        if written:
            artefact = Artefact(name=written, role=ArtefactRole.WRITTEN, content=None, size=0)
            self.steps[-1] = replace(self.steps[-1], artefacts=(artefact,))
        return self

    def kept(
        self,
        ports: StorePorts,
        task: str,
        number: int,
        state: TrajectoryState = TrajectoryState.FINISHED,
        **about: Any,
    ) -> Trajectory:
        """Put it into a store as the run of a task; a higher number is a later run."""
        asked: Task = samples.task(id=f"task_{number:04}", text=task, **about)
        ports.tasks.add(asked)
        trajectory = samples.trajectory(
            asked.id,
            id=f"trajectory_{number:04}",
            session_id=asked.session_id,
            state=state,
            ended_at=samples.NOW + timedelta(seconds=len(self.steps)),
        )
        ports.trajectories.keep(trajectory, self.steps)
        return trajectory

    def _add(self, kind: StepType, content: str, metadata: dict[str, Any]) -> ScriptedSteps:
        number = len(self.steps) + 1
        self.steps.append(
            Step(
                step_id=number,
                type=kind,
                content=content,
                timestamp=float(number),
                metadata=metadata,
            )
        )
        return self

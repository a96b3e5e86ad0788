"""Trajectories written down call by call, as a recorder would leave them."""

from __future__ import annotations

from hermes.records.codec import Json
from hermes.records.trajectory import Step, StepType
from hermes.rules.mine.worked import Worked, worked_of


class NothingToHide:
    """A redactor for texts that hold nothing private."""

    def text(self, text: str, /) -> str:
        return text


class RecordedWork:
    """One task from its request on; each method adds what happened next."""

    def __init__(self, task: str, *, number: int = 0, cwd: str = "/home/ann/proj") -> None:
        self.task = task
        self.number = number
        self.cwd = cwd
        self.steps: list[Step] = []
        self._add(StepType.MESSAGE, task, role="user")

    def call(
        self, tool: str, output: str = "", *, failed: bool | None = False, **arguments: Json
    ) -> RecordedWork:
        call_id = f"call_{len(self.steps)}"
        self._add(
            StepType.TOOL_CALL, tool, tool_name=tool, call_id=call_id, arguments=dict(arguments)
        )
        said: dict[str, Json] = {} if failed is None else {"error": failed}
        self._add(StepType.OBSERVATION, output, tool_name=tool, call_id=call_id, **said)
        return self

    def bash(self, command: str, output: str = "", *, failed: bool | None = False) -> RecordedWork:
        return self.call("Bash", output, failed=failed, command=command)

    def write(self, path: str, content: str) -> RecordedWork:
        return self.call("Write", "written", file_path=path, content=content)

    def edit(self, path: str, before: str, after: str) -> RecordedWork:
        return self.call("Edit", "edited", file_path=path, old_string=before, new_string=after)

    def corrected(self, words: str) -> RecordedWork:
        self._add(StepType.MESSAGE, words, role="user", follow_up="correction")
        return self

    def answered(self, words: str) -> RecordedWork:
        self._add(StepType.MESSAGE, words, role="assistant")
        return self

    def worked(self) -> Worked:
        return worked_of(
            f"example_{self.number:03}",
            f"trajectory_{self.number:03}",
            self.task,
            self.steps,
            self.cwd,
            NothingToHide(),
        )

    def _add(self, kind: StepType, content: str, **metadata: Json) -> None:
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

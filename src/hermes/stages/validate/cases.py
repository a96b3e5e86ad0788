"""An example made ready to be mined from and to be replayed: one side redacted, the other whole.

What mining sees is redacted. What a replay runs on is the recorded bytes, and the values that the
redaction took away are put back only into the parameters of that one replay.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from hermes.ports import Examples, Tasks, Trajectories
from hermes.records.artefact import Artefact, ArtefactRole
from hermes.records.codec import Json
from hermes.records.example import ExampleStatus
from hermes.records.sandbox import DATA_TARGET
from hermes.records.task import Task
from hermes.records.trajectory import Step
from hermes.rules.mine.worked import Worked, worked_of
from hermes.rules.redact.tenant import Redactor


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """`inputs` are the files that were there before the work.

    `restore` undoes the redaction for a run, `redact` repeats it for what a run is told with.
    """

    example_id: str
    worked: Worked
    steps: tuple[Step, ...]
    inputs: tuple[Artefact, ...]
    cwd: str
    restore: Callable[[str], str]
    redact: Callable[[str], str]

    def told(self, text: str) -> str:
        """A text about a replay, as verdicts may keep it."""
        return self.redact(text.replace(f"{DATA_TARGET}/", ""))

    def restored(self, values: Mapping[str, Json]) -> dict[str, Json]:
        """The values as the example itself used them."""
        return {name: self._whole(value) for name, value in values.items()}

    def _whole(self, value: Json) -> Json:
        if isinstance(value, str):
            return self.restore(value)
        if isinstance(value, Mapping):
            return {key: self._whole(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self._whole(item) for item in value]
        return value


@dataclass(frozen=True, slots=True, kw_only=True)
class NoCase:
    """An example whose work is not here any more, or never was."""

    example_id: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseReader:
    """Reads examples from the store; nothing else of a proof does."""

    examples: Examples
    trajectories: Trajectories
    tasks: Tasks

    def read(self, example_ids: Sequence[str]) -> list[Case | NoCase]:
        """One for each id, in their order, each once."""
        return [self._one(example_id) for example_id in dict.fromkeys(example_ids)]

    def _one(self, example_id: str) -> Case | NoCase:
        example = self.examples.get(example_id)
        if example is None:
            return NoCase(example_id=example_id, reason="the example is not in the store")
        if example.status is ExampleStatus.REJECTED:
            return NoCase(example_id=example_id, reason="a person rejected the example")
        if example.trajectory_id is None:
            return NoCase(example_id=example_id, reason="it was written down, not recorded")
        trajectory = self.trajectories.get(example.trajectory_id)
        task = self.tasks.get(trajectory.task_id) if trajectory else None
        if trajectory is None or task is None:
            return NoCase(example_id=example_id, reason="its trajectory was deleted")
        cwd = task.environment.get("cwd", "")
        redactor = Redactor(cwd)
        steps = tuple(self.trajectories.steps(trajectory.id))
        return Case(
            example_id=example_id,
            worked=worked_of(example_id, trajectory.id, task.text, steps, cwd, redactor),
            steps=steps,
            inputs=tuple(_inputs(task, steps)),
            cwd=cwd,
            restore=redactor.restore,
            redact=redactor.text,
        )


def _inputs(task: Task, steps: Sequence[Step]) -> Iterator[Artefact]:
    """What was given, and what was read before the work itself wrote it; each file once."""
    seen: set[str] = set()
    for artefact in (*task.inputs, *(one for step in steps for one in step.artefacts)):
        if artefact.name not in seen and artefact.role is not ArtefactRole.WRITTEN:
            yield artefact
        seen.add(artefact.name)

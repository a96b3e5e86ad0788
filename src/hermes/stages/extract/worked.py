"""Examples as the miner sees them, read from the store."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hermes.ports import Examples, Observations, Tasks, Trajectories
from hermes.records.example import Example, ExampleStatus
from hermes.rules.mine.worked import Worked, worked_of
from hermes.rules.redact.tenant import Redactor

_FAILED_RUNS = 200  # the latest: what failed long before them says little about today


@dataclass(frozen=True, slots=True, kw_only=True)
class Workbook:
    """Where examples and what they were taken from are read."""

    examples: Examples
    trajectories: Trajectories
    tasks: Tasks
    observations: Observations

    def worked(self, example_ids: Sequence[str]) -> Iterator[Worked]:
        """Those that can be mined: not rejected, not called a failure since, still there."""
        for example_id in example_ids:
            example = self.examples.get(example_id)
            if example is not None and example.status is not ExampleStatus.REJECTED:
                yield from self._one(example)

    def _one(self, example: Example) -> Iterator[Worked]:
        if example.trajectory_id is None:
            return  # written down by a person: it backs a release, but shows no steps
        seen = self.observations.of_trajectory(example.trajectory_id)
        if seen is not None and seen.success is False:
            return  # a person rated or corrected it after it was kept
        yield from self._run(example.id, example.trajectory_id)

    def failed(self) -> Iterator[Worked]:
        """The latest runs that failed: what they share is a pitfall."""
        for seen in self.observations.failures(_FAILED_RUNS):
            yield from self._run("", seen.trajectory_id)

    def _run(self, example_id: str, trajectory_id: str) -> Iterator[Worked]:
        trajectory = self.trajectories.get(trajectory_id)
        task = self.tasks.get(trajectory.task_id) if trajectory else None
        if trajectory is None or task is None:
            return
        cwd = task.environment.get("cwd", "")
        steps = self.trajectories.steps(trajectory_id)
        yield worked_of(example_id, trajectory_id, task.text, steps, cwd, Redactor(cwd))

"""The log of a run, as this stage needs it: a Recorder that also knows its steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from hermes.ports.execution import Recorder
from hermes.records.trajectory import Step, Trajectory


class Log(Recorder, Protocol):
    @property
    def steps(self) -> Sequence[Step]: ...


class NewLog(Protocol):
    """Opens the log of a trajectory that has these steps already."""

    def __call__(self, trajectory: Trajectory, steps: Sequence[Step]) -> Log: ...

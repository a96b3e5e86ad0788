"""When the steps of a task happened, counted from its beginning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from hermes.records.trajectory import Step


def timed(
    steps: Sequence[Step], times: Sequence[datetime | None], start: datetime
) -> Sequence[Step]:
    """The steps of a task that began at this moment, as became known afterwards."""
    if not any(times):
        return steps
    pairs = zip(steps, seconds_since(start, times), strict=True)
    return [replace(step, timestamp=seconds) for step, seconds in pairs]


def seconds_since(start: datetime | None, times: Sequence[datetime | None]) -> list[float]:
    """A clock that was set back does not make time go back."""
    seconds = 0.0
    passed = []
    for time in times:
        if start is not None and time is not None:
            seconds = max(seconds, (time - start).total_seconds())
        passed.append(seconds)
    return passed

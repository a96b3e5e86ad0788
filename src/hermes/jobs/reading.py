"""The engine's workflows and states in our words."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from hermes.jobs.doing import SCHEDULED
from hermes.records.job import Job, JobState

_STATUSES = {
    JobState.WAITING: ("ENQUEUED", "DELAYED"),
    JobState.RUNNING: ("PENDING",),
    JobState.DONE: ("SUCCESS",),
    JobState.FAILED: ("ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED"),
}
_STATES = {status: state for state, statuses in _STATUSES.items() for status in statuses}
_GAVE_UP = "MAX_RECOVERY_ATTEMPTS_EXCEEDED"
ENDED = (JobState.DONE, JobState.FAILED)


def statuses_of(states: Iterable[JobState]) -> list[str]:
    return [status for state in states for status in _STATUSES[state]]


def as_job(status: Any) -> Job:
    """A workflow as a job. One by the clock has its time and its name the other way round."""
    arguments = status.input["args"] if isinstance(status.input, dict) else ()
    name, subject = (*arguments, "", "")[:2]
    if status.name == SCHEDULED:
        name, subject = subject, name
    said = str(status.error or status.output or "")
    if status.status == _GAVE_UP and not said:
        said = "its workers died each time that it was tried"
    return Job(
        id=status.workflow_id,
        name=str(name),
        subject=str(subject),
        state=_STATES.get(status.status, JobState.FAILED),
        said=said,
        created_at=datetime.fromtimestamp((status.created_at or 0) / 1000, UTC),
        attempts=status.recovery_attempts or 0,
    )

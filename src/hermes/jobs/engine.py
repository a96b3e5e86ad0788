"""The queue: DBOS on the home's own file, or on the team's PostgreSQL.

One workflow serves every job: it calls the handler of its name, and tries again where the reason
passes by itself. A handler is safe to repeat, so a worker that dies in the middle of one costs time
and nothing else.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Any

from dbos import DBOS, DBOSConfig, SetWorkflowID

from hermes.errors import (
    EmbedderUnavailable,
    ModelOverloaded,
    ModelTimedOut,
    ModelUnreachable,
    RateLimited,
    StoreUnavailable,
)
from hermes.records.job import Job, JobState

Handler = Callable[[str], str]
"""What a job does with its subject; the answer is a line for whoever looks at the queue."""

APPLICATION = "hermes-loop"
WORKFLOW = "hermes_job"
VERSION = "1"
"""Set by hand: a new release of the program goes on with the work of the old one."""
_PASSES_BY_ITSELF = (
    StoreUnavailable,
    EmbedderUnavailable,
    ModelUnreachable,
    ModelOverloaded,
    ModelTimedOut,
    RateLimited,
)
_ATTEMPTS = 4
_FIRST_WAIT = 2.0  # seconds; each further one is three times as long
_TAKEN_UP = 20  # times that a job is taken up again after its worker died
_STATES = {
    "ENQUEUED": JobState.WAITING,
    "DELAYED": JobState.WAITING,
    "PENDING": JobState.RUNNING,
    "SUCCESS": JobState.DONE,
}
_STATUSES = {
    JobState.WAITING: ("ENQUEUED", "DELAYED"),
    JobState.RUNNING: ("PENDING",),
    JobState.DONE: ("SUCCESS",),
    JobState.FAILED: ("ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Queue:
    """`at_once` jobs of it run in all, and `here` of them in one process."""

    name: str
    jobs: tuple[str, ...]
    at_once: int | None = None
    here: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """A job that is due by the clock: `cron` in UTC."""

    job: str
    cron: str


class Engine:
    """One in a process. `open` before anything else, `close` at the end."""

    def __init__(
        self, url: str, executor_id: str, queues: Sequence[Queue], schedules: Sequence[Schedule]
    ) -> None:
        self._url = url
        self._executor_id = executor_id
        self._queues = queues
        self._schedules = schedules
        self._queue_of = {job: queue.name for queue in queues for job in queue.jobs}

    def open(self, handlers: Mapping[str, Handler], polling: float = 0.5) -> None:
        """Begin to work. Without handlers it only enqueues and tells."""
        _handlers.clear()
        _handlers.update(handlers)
        _workflows()
        config: DBOSConfig = {
            "name": APPLICATION,
            "system_database_url": self._url,
            "application_version": VERSION,
            "executor_id": self._executor_id,
            "enable_otlp": False,
            "log_level": "WARNING",
            "use_listen_notify": False,
        }
        logging.getLogger("dbos").propagate = False
        DBOS(config=config)
        DBOS.launch()
        for queue in self._queues:
            DBOS.register_queue(
                queue.name,
                global_concurrency=queue.at_once,
                worker_concurrency=queue.here,
                polling_interval_sec=polling,
                on_conflict="always_update",
            )
        known = {one["schedule_name"]: one["schedule"] for one in DBOS.list_schedules()}
        for schedule in self._schedules:
            if known.get(schedule.job) == schedule.cron:
                continue
            DBOS.delete_schedule(schedule.job)
            DBOS.create_schedule(
                schedule_name=schedule.job,
                workflow_fn=_workflows().scheduled,
                schedule=schedule.cron,
                context=schedule.job,
                queue_name=self._queue_of[schedule.job],
            )

    def close(self, *, wait_s: int = 0) -> None:
        DBOS.destroy(workflow_completion_timeout_sec=wait_s)

    def enqueue(self, name: str, subject: str, *, key: str) -> None:
        with SetWorkflowID(f"{name}:{key}"):
            DBOS.enqueue_workflow(self._queue_of[name], _workflows().job, name, subject)

    def jobs(self, states: Sequence[JobState] = (), limit: int = 100) -> list[Job]:
        statuses = [status for state in states or JobState for status in _STATUSES[state]]
        found = DBOS.list_workflows(status=statuses, limit=limit, sort_desc=True)
        return [as_job(one) for one in found]

    def unfinished(self) -> int:
        states = (*_STATUSES[JobState.WAITING], *_STATUSES[JobState.RUNNING])
        return len(DBOS.list_workflows(status=list(states), load_input=False, load_output=False))

    def take_over(self, executor_id: str) -> int:
        """Put the work of a dead worker back into its queue; how much there was.

        The engine notices a dead process only where its hosted service watches, so this is our
        part. It re-enqueues, and a queue gives a job to one worker: twice is harmless.
        """
        return len(DBOS._recover_pending_workflows([executor_id]))


class JobFailed(Exception):
    """A job cannot be done, and trying again would not help. Plain, so that any store keeps it."""


_handlers: dict[str, Handler] = {}


def _handle(name: str, subject: str) -> str:
    handler = _handlers.get(name)
    if handler is None:
        raise JobFailed(f"nobody here knows how to do '{name}'")
    try:
        return handler(subject)
    except _PASSES_BY_ITSELF:
        raise
    except Exception as error:
        raise JobFailed(f"{type(error).__name__}: {error}") from error


@dataclass(frozen=True, slots=True)
class _Workflows:
    job: Callable[[str, str], str]
    scheduled: Callable[[datetime, Any], None]


@cache
def _workflows() -> _Workflows:
    """Registered once in a process, under names that later releases keep."""

    @DBOS.workflow(name=WORKFLOW, max_recovery_attempts=_TAKEN_UP)
    def job(name: str, subject: str) -> str:
        return DBOS.run_step(
            {
                "name": name,
                "retries_allowed": True,
                "max_attempts": _ATTEMPTS,
                "interval_seconds": _FIRST_WAIT,
                "backoff_rate": 3.0,
                "should_retry": lambda error: isinstance(error, _PASSES_BY_ITSELF),
            },
            _handle,
            name,
            subject,
        )

    @DBOS.workflow(name=f"{WORKFLOW}_scheduled", max_recovery_attempts=_TAKEN_UP)
    def scheduled(at: datetime, name: Any) -> None:
        DBOS.run_step({"name": str(name)}, _handle, str(name), at.isoformat())

    return _Workflows(job, scheduled)


def as_job(status: Any) -> Job:
    """A workflow in our words."""
    arguments = status.input["args"] if status.input else ()
    name, subject = (*arguments, "", "")[:2]
    if isinstance(name, datetime):  # by the clock: when, and what
        name, subject = subject, name.isoformat()
    said = status.output if isinstance(status.output, str) else ""
    return Job(
        id=status.workflow_id,
        name=str(name),
        subject=str(subject),
        state=_STATES.get(status.status, JobState.FAILED),
        said=str(status.error or said),
        created_at=datetime.fromtimestamp((status.created_at or 0) / 1000, UTC),
        attempts=status.recovery_attempts or 0,
    )

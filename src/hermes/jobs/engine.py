"""The queue: DBOS on the home's own file, or on the team's PostgreSQL.

A job's result is written once, by whoever owns the job at that moment: a worker that slept while
its job was given to another writes none. What a handler does besides is done at least once, and is
safe to repeat.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from dbos import DBOS, DBOSClient, DBOSConfig, DBOSPortableJSONSerializer, SetWorkflowID
from dbos import error as dbos_error
from sqlalchemy.exc import SQLAlchemyError

from hermes.errors import NotFound, StoreUnavailable, WrongCall
from hermes.jobs.doing import Handler, Patience, at_work, equip, workflows
from hermes.jobs.logs import log_to
from hermes.jobs.reading import ENDED, as_job, statuses_of
from hermes.records.job import Job, JobState

APPLICATION = "hermes-loop"
VERSION = "1"
"""Set by hand: a new release of the program goes on with the work of the old one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Queue:
    """`at_once` jobs of it run in all, and `here` of them in one process."""

    name: str
    jobs: tuple[str, ...]
    at_once: int | None = None
    here: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """A job that is due by the clock: `cron` in UTC, seconds first.

    Where nobody was at work at that moment, the next worker makes up for it: once for the time
    of `every`.
    """

    job: str
    cron: str
    every: timedelta


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Which queues there are, what is due by the clock, and how patient a job is."""

    queues: Sequence[Queue]
    schedules: Sequence[Schedule] = ()
    patience: Patience = field(default_factory=Patience)

    def queue_of(self, job: str) -> str:
        """Raises NotFound for a job that this release does not know."""
        for queue in self.queues:
            if job in queue.jobs:
                return queue.name
        raise NotFound(f"there is no background job '{job}'")


class Engine:
    """One in a process. `open` before anything else, `close` at the end."""

    def __init__(self, url: str, executor_id: str, plan: Plan, log: Path | None = None) -> None:
        self._url = url
        self._executor_id = executor_id
        self._plan = plan
        self._log = log
        self._eyes: DBOSClient | None = None

    def open(self, handlers: Mapping[str, Handler], polling_s: float = 0.5) -> None:
        """Begin to work."""
        equip(handlers, self._plan.patience)
        workflows()
        log_to(self._log)
        config: DBOSConfig = {
            "name": APPLICATION,
            "system_database_url": self._url,
            "application_version": VERSION,
            "executor_id": self._executor_id,
            "serializer": DBOSPortableJSONSerializer(),
            "enable_otlp": False,
            "log_level": "WARNING",
            "use_listen_notify": False,
            # Nobody here sends one, so a look costs nothing; but `close` waits for the next.
            "notification_listener_polling_interval_sec": 0.1,
        }
        try:
            with reached():
                DBOS(config=config)
                DBOS.launch()
                self._declare(polling_s)
                self._eyes = onlooker(self._url, connections=1)
        except BaseException:
            self.close()
            raise

    def _declare(self, polling_s: float) -> None:
        for queue in self._plan.queues:
            DBOS.register_queue(
                queue.name,
                global_concurrency=queue.at_once,
                worker_concurrency=queue.here,
                polling_interval_sec=polling_s,
                on_conflict="always_update",
            )
        DBOS.apply_schedules(
            [
                {
                    "schedule_name": schedule.job,
                    "workflow_fn": workflows().scheduled,
                    "schedule": schedule.cron,
                    "context": schedule.job,
                    "queue_name": self._plan.queue_of(schedule.job),
                }
                for schedule in self._plan.schedules
            ]
        )
        now = datetime.now(UTC)
        for schedule in self._plan.schedules:
            DBOS.backfill_schedule(schedule.job, now - schedule.every, now)
        wanted = {schedule.job for schedule in self._plan.schedules}
        for known in DBOS.list_schedules():
            if known["schedule_name"] not in wanted:
                DBOS.delete_schedule(known["schedule_name"])

    def close(self, *, wait_s: int = 0) -> int:
        """Take nothing new, wait a while for what is begun; how many jobs are still at it.

        Theirs stays marked as this worker's, and whoever works next takes it over.
        """
        if self._eyes:
            self._eyes.destroy()
            self._eyes = None
        DBOS.destroy(workflow_completion_timeout_sec=wait_s if at_work() else 0)
        log_to(None)
        return len(at_work())

    @property
    def _look(self) -> DBOSClient:
        if not self._eyes:
            raise WrongCall("open the engine before you ask it")
        return self._eyes

    def enqueue(self, name: str, subject: str, *, key: str) -> str:
        job_id = f"{name}:{key}"
        with reached(), SetWorkflowID(job_id):
            DBOS.enqueue_workflow(self._plan.queue_of(name), workflows().job, name, subject)
        return job_id

    def jobs(self, states: Sequence[JobState] = (), limit: int = 100) -> list[Job]:
        with reached():
            found = self._look.list_workflows(
                status=statuses_of(states or JobState), limit=limit, sort_desc=True
            )
        return [as_job(one) for one in found]

    def ended(self, job_ids: Collection[str]) -> frozenset[str]:
        if not job_ids:
            return frozenset()
        with reached():
            found = self._look.list_workflows(
                workflow_ids=list(job_ids),
                status=statuses_of(ENDED),
                load_input=False,
                load_output=False,
            )
        return frozenset(one.workflow_id for one in found)

    def idle(self) -> bool:
        """Whether nothing waits, and nothing runs here. What runs elsewhere is theirs."""
        return not (
            at_work()
            or self._any(statuses_of([JobState.WAITING]))
            or self._any(statuses_of([JobState.RUNNING]), self._executor_id)
        )

    def _any(self, statuses: list[str], executor_id: str | None = None) -> bool:
        with reached():
            return bool(
                self._look.list_workflows(
                    status=statuses,
                    executor_id=executor_id,
                    limit=1,
                    load_input=False,
                    load_output=False,
                )
            )

    def at_work(self) -> frozenset[str]:
        """The workers that have jobs marked as theirs, dead or alive."""
        with reached():
            found = self._look.list_workflows(
                status=statuses_of([JobState.RUNNING]), load_input=False, load_output=False
            )
        return frozenset(one.executor_id for one in found if one.executor_id)

    def stranded(self) -> frozenset[str]:
        """The jobs that are marked as ours and that nobody here is at. One is for a moment, at its
        start and at its end; for longer where the disk or the server did not take its outcome."""
        with reached():
            found = self._look.list_workflows(
                status=statuses_of([JobState.RUNNING]),
                executor_id=self._executor_id,
                load_input=False,
                load_output=False,
            )
        return frozenset(one.workflow_id for one in found) - at_work()

    def put_back(self, job_ids: Collection[str]) -> None:
        """Into their queues: done again, as they are safe to repeat."""
        with reached():
            for one in self._look.list_workflows(
                workflow_ids=list(job_ids), load_input=False, load_output=False
            ):
                self._look.resume_workflow(one.workflow_id, queue_name=one.queue_name)

    def take_over(self, executor_id: str) -> int:
        """Put the work of a dead worker back into its queue; how much there was.

        The engine notices a dead process only where its hosted service watches, so this is our
        part. It re-enqueues, and a queue gives a job to one worker: twice is harmless.
        """
        with reached():
            return len(DBOS._recover_pending_workflows([executor_id]))


def onlooker(url: str, connections: int | None = None) -> DBOSClient:
    """Who only asks. The engine itself waits in silence for a database that is away, which is right
    for a job; who asks is told at once, and can tell a person."""
    return DBOSClient(
        system_database_url=url,
        serializer=DBOSPortableJSONSerializer(),
        application_name=APPLICATION,
        system_database_pool_size=connections,
        retry_connection_errors=False,
    )


@contextmanager
def reached() -> Iterator[None]:
    """What the queue's database says, as an error that a person can act on."""
    try:
        yield
    except SQLAlchemyError as error:
        said = str(getattr(error, "orig", None) or error).strip().splitlines()[0]
        hint = "check the disk and the server"
        if "not a database" in said or "malformed" in said:
            hint = "remove its file jobs.db: the queue is made anew from what waits in the outbox"
        raise StoreUnavailable(f"the queue of background work: {said}", hint=hint) from error
    except dbos_error.DBOSException as error:
        raise StoreUnavailable(
            f"the queue of background work: {error}", hint="try again"
        ) from error

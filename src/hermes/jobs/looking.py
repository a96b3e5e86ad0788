"""The queue from outside, without becoming a worker: what is in it, and what failed put back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from dbos import DBOSClient
from sqlalchemy.exc import ProgrammingError

from hermes.jobs.engine import VERSION, onlooker, reached
from hermes.jobs.logs import log_to
from hermes.jobs.reading import as_job, statuses_of
from hermes.records.job import Job, JobState

_NOT_MADE_YET = ("42P01", "3F000")  # PostgreSQL: no such table, no such schema


def jobs_in(url: str, states: Sequence[JobState], limit: int) -> list[Job]:
    """The latest jobs in these states, newest first; none where nobody has worked yet."""
    with _client(url) as client:
        return _listed(client, states, limit)


def retry_failed(url: str, queue_of: Callable[[str], str], limit: int = 1_000) -> int:
    """Put every failed job back into its queue, under its own name; how many there were."""
    with _client(url) as client:
        failed = _listed(client, [JobState.FAILED], limit)
        for job in failed:
            client.rewind_workflow(
                job.id, application_version=VERSION, queue_name=queue_of(job.name)
            )
        return len(failed)


def _listed(client: DBOSClient, states: Sequence[JobState], limit: int) -> list[Job]:
    try:
        found = client.list_workflows(status=statuses_of(states), limit=limit, sort_desc=True)
    except ProgrammingError as error:
        if getattr(error.orig, "sqlstate", None) in _NOT_MADE_YET:
            return []
        raise
    return [as_job(one) for one in found]


@contextmanager
def _client(url: str) -> Iterator[DBOSClient]:
    log_to(None)
    with reached():
        client = onlooker(url)
        try:
            yield client
        finally:
            client.destroy()

"""The queue from outside, without becoming a worker: what is in it, and what failed put back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

from dbos import DBOSClient
from sqlalchemy.exc import ProgrammingError

from hermes.errors import NotFound
from hermes.jobs.engine import VERSION, onlooker, reached
from hermes.jobs.logs import log_to
from hermes.jobs.reading import as_job, statuses_of
from hermes.records.job import Job, JobState

_NOT_MADE_YET = ("42P01", "3F000")  # PostgreSQL: no such table, no such schema


def jobs_in(url: str, states: Sequence[JobState], limit: int) -> list[Job]:
    """The latest jobs in these states, newest first; none where nobody has worked yet."""
    with _client(url) as client:
        return _listed(client, states, limit)


def retry_failed(url: str, queue_of: Callable[[str], str]) -> int:
    """Put every failed job back into its queue, under its own name; how many there were.

    One that only another release knows stays as it is.
    """
    put_back = 0
    with _client(url) as client:
        for job in _listed(client, [JobState.FAILED], None):
            with suppress(NotFound):
                queue = queue_of(job.name)
                client.rewind_workflow(job.id, application_version=VERSION, queue_name=queue)
                put_back += 1
    return put_back


def _listed(client: DBOSClient, states: Sequence[JobState], limit: int | None) -> list[Job]:
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

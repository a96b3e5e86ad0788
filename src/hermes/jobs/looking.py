"""A look at the queue from outside, without becoming a worker."""

from __future__ import annotations

from dbos import DBOSClient

from hermes.jobs.engine import as_job
from hermes.records.job import Job


def jobs_in(url: str, limit: int) -> list[Job]:
    """The latest jobs, newest first."""
    client = DBOSClient(system_database_url=url)
    try:
        return [as_job(one) for one in client.list_workflows(limit=limit, sort_desc=True)]
    finally:
        client.destroy()

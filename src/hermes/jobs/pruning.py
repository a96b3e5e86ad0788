"""What the queue lets go of: it is a list of work, and no history."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from dbos import DBOSClient

from hermes.jobs.engine import onlooker, reached
from hermes.jobs.reading import statuses_of
from hermes.records.job import JobState

_AT_A_TIME = 500  # jobs in one statement


@dataclass(frozen=True, slots=True, kw_only=True)
class Keep:
    """What failed is kept for longer: somebody may want to know why, and put it back."""

    done: timedelta = timedelta(days=30)
    done_at_most: int = 10_000
    failed: timedelta = timedelta(days=90)


def prune(url: str, at: datetime, waiting: Collection[str], keep: Keep | None = None) -> int:
    """Drop the ended jobs that are old or too many; how many there were.

    `waiting` are the keys of what is still in the outbox: its row goes when its jobs are seen to
    have ended, so they stay until then.
    """
    keep = keep or Keep()
    with reached(), ExitStack() as stack:
        client = onlooker(url, connections=1)
        stack.callback(client.destroy)
        ended = _Ended(client, waiting)
        return (
            ended.drop(JobState.DONE, completed_before=(at - keep.done).isoformat())
            + ended.drop(JobState.FAILED, completed_before=(at - keep.failed).isoformat())
            + ended.drop(JobState.DONE, sort_desc=True, offset=keep.done_at_most)
        )


@dataclass(frozen=True, slots=True)
class _Ended:
    client: DBOSClient
    waiting: Collection[str]

    def drop(self, state: JobState, *, offset: int = 0, **which: Any) -> int:
        """All of a choice, but for the first `offset` and for what still waits."""
        dropped = 0
        while found := self.client.list_workflows(
            status=statuses_of([state]),
            offset=offset,
            limit=_AT_A_TIME,
            load_input=False,
            load_output=False,
            **which,
        ):
            ids = [one.workflow_id for one in found]
            old = [one for one in ids if one.partition(":")[2] not in self.waiting]
            if old:
                self.client.delete_workflows(old)
            dropped += len(old)
            offset += len(ids) - len(old)  # what stays is passed over
        return dropped

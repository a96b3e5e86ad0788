"""What waits for a worker, for a check-up: it is read, and nothing is begun."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from hermes.ids import now

if TYPE_CHECKING:
    from hermes.settings import Settings

_HEARD_OF = timedelta(minutes=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Backlog:
    """`since` is when the first of the waiting runs ended; None where none waits."""

    runs: int
    since: datetime | None
    workers: int


def backlog_of(settings: Settings) -> Backlog:
    """Of a database that is there and up to date."""
    from hermes.app.database import open_store
    from hermes.store.tables.outbox import OutboxTable
    from hermes.store.tables.worker import WorkerTable

    with closing(open_store(settings)) as database:
        outbox, workers = OutboxTable(database), WorkerTable(database)
        first = outbox.pending(1)
        return Backlog(
            runs=outbox.count(),
            since=first[0].ended_at if first else None,
            workers=sum(now() - one.beat_at <= _HEARD_OF for one in workers.all()),
        )

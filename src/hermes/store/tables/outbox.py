"""The outbox: ended trajectories that are still to be learned from, or reviewed."""

from __future__ import annotations

from collections.abc import Sequence

from hermes.records.waiting import Waiting
from hermes.store.database import Database
from hermes.store.rows import rows_of
from hermes.store.tables.table import PAGE


class OutboxTable:
    def __init__(self, database: Database) -> None:
        self._db = database
        self._rows = rows_of(Waiting)

    def pending(self, limit: int = PAGE) -> Sequence[Waiting]:
        where = f"{self._db.where}, outbox"
        return [
            self._rows.record(row, where) for row in self._db.all("pending_outbox", limit=limit)
        ]

    def count(self) -> int:
        row = self._db.one("count_outbox")
        return int(row[0]) if row else 0

    def done(self, waiting: Waiting) -> None:
        """A run that has ended once more since then still waits."""
        values = self._rows.values(waiting)
        self._db.run(
            "delete_outbox",
            trajectory_id=values["trajectory_id"],
            ended_at=values["ended_at"],
        )

    def learned(self, trajectory_ids: Sequence[str]) -> None:
        """These were learned from without a worker; whoever asked for a review still waits."""
        with self._db.transaction():
            self._db.run_many("outbox_learned", [{"id": one} for one in trajectory_ids])

"""The outbox: ended trajectories that no worker has taken up yet."""

from __future__ import annotations

from collections.abc import Sequence

from hermes.store.database import Database
from hermes.store.tables.table import PAGE


class OutboxTable:
    def __init__(self, database: Database) -> None:
        self._db = database

    def pending(self, limit: int = PAGE) -> Sequence[str]:
        return [row[0] for row in self._db.all("pending_outbox", limit=limit)]

    def done(self, trajectory_id: str) -> None:
        self._db.run("delete_outbox", trajectory_id=trajectory_id)

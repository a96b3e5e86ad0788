"""Workers: who does background work, and when each was last heard of."""

from __future__ import annotations

from collections.abc import Sequence

from hermes.records.job import Worker
from hermes.store.database import Database
from hermes.store.rows import rows_of


class WorkerTable:
    def __init__(self, database: Database) -> None:
        self._db = database
        self._rows = rows_of(Worker)

    def put(self, worker: Worker) -> None:
        self._db.run("put_worker", **self._rows.values(worker))

    def beat(self, worker: Worker) -> bool:
        values = self._rows.values(worker)
        return bool(self._db.run("beat_worker", id=values["id"], beat_at=values["beat_at"]))

    def delete(self, worker_id: str) -> None:
        self._db.run("delete_worker", id=worker_id)

    def all(self) -> Sequence[Worker]:
        where = f"{self._db.where}, workers"
        return [self._rows.record(row, where) for row in self._db.all("all_workers")]

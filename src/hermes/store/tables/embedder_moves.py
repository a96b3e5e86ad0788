"""Embedder moves: lines of the audit trail that say whose vectors the store has from then on.

The trail is the only place where it is written down, so that the two can never differ.
"""

from __future__ import annotations

from collections.abc import Sequence

from hermes.records.embedder_move import EmbedderMove
from hermes.records.event import Event
from hermes.store.database import Database
from hermes.store.rows import rows_of
from hermes.store.tables.event import EventTable

KIND = "embedder.changed"


class EmbedderMoveTable:
    def __init__(self, database: Database) -> None:
        self._db = database

    def hold(self) -> None:
        self._db.all("hold_trail")

    def latest(self, limit: int) -> Sequence[EmbedderMove]:
        rows, where = rows_of(Event), f"{self._db.where}, table events"
        found = self._db.all("latest_embedder_moves", limit=limit)
        return [_move(rows.record(row, where)) for row in found]

    def unmoved(self) -> str | None:
        row = self._db.one("newest_vectors_embedder")
        return None if row is None else str(row[0])

    def add(self, move: EmbedderMove) -> None:
        EventTable(self._db, lambda: move.at).append(
            KIND,
            actor=move.by,
            subject_id=move.after,
            data={
                "from": move.before,
                "to": move.after,
                "name": move.name,
                "host": move.host,
                "pid": move.pid,
            },
        )


def _move(event: Event) -> EmbedderMove:
    data = event.data
    pid = data.get("pid")
    return EmbedderMove(
        before=str(data.get("from")),
        after=event.subject_id,
        name=str(data.get("name")),
        by=event.actor,
        host=str(data.get("host")),
        pid=pid if isinstance(pid, int) else 0,
        at=event.at,
    )

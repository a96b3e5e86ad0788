"""What happened in memory how often, and what there is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hermes.store.database import Database


class MemoryTallyTable:
    def __init__(self, database: Database) -> None:
        self._db = database

    def add(self, scope: str, name: str, value: int = 1) -> None:
        self._db.run("add_tally", scope=scope, name=name, value=value)

    def of(self, scope: str) -> Mapping[str, int]:
        return dict(self._db.all("memory_tallies", scope=scope))

    def counts(self, scope: str) -> Sequence[tuple[str, bool, bool, str, int]]:
        return [
            (kind, superseded == 1, waiting == 1, day, count)
            for kind, superseded, waiting, day, count in self._db.all("count_memories", scope=scope)
        ]

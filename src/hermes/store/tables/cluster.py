"""Clusters: which examples lie together, and the vectors that say so."""

from __future__ import annotations

from collections.abc import Sequence

from hermes.store.database import Database


class ClusterTable:
    """Of one embedder: vectors of two cannot be compared."""

    def __init__(self, database: Database, embedder: str) -> None:
        self._db = database
        self._embedder = embedder

    def put(self, key: str, cluster_id: str, vector: bytes) -> None:
        self._db.run("put_placement", example_id=key, cluster_id=cluster_id, vector=vector)

    def move(self, keys: Sequence[str], cluster_id: str) -> None:
        rows = [{"example_id": key, "cluster_id": cluster_id} for key in keys]
        self._db.run_many("move_placement", rows)

    def members(self, cluster_id: str) -> Sequence[tuple[str, bytes]]:
        rows = self._db.all("placements_of_cluster", cluster_id=cluster_id)
        return [(key, bytes(vector)) for key, vector in rows]

    def save(self, cluster_id: str, size: int, total: bytes) -> None:
        self._db.run("save_cluster", id=cluster_id, embedder=self._embedder, size=size, total=total)

    def drop(self, cluster_id: str) -> None:
        self._db.run("drop_cluster", id=cluster_id)

    def all(self) -> Sequence[tuple[str, int, bytes]]:
        rows = self._db.all("all_clusters", embedder=self._embedder)
        return [(cluster_id, int(size), bytes(total)) for cluster_id, size, total in rows]

    def of(self, key: str) -> tuple[str, bytes] | None:
        row = self._db.one("placement_of_example", example_id=key)
        return None if row is None else (str(row[0]), bytes(row[1]))

    def drop_foreign(self) -> bool:
        with self._db.transaction():
            self._db.run("drop_foreign_placements", embedder=self._embedder)
            return self._db.run("drop_foreign_clusters", embedder=self._embedder) > 0

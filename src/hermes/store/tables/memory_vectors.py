"""Vectors of memories: what each means to an embedder."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from hermes.ports.memory import Indexed
from hermes.records.memory import Memory
from hermes.store.database import Database
from hermes.store.rows import rows_of
from hermes.store.tables.skill import checked_vector
from hermes.store.tables.table import PAGE

_VECTORS = 2_000  # rows of vectors in memory at once, about 3 MB


class MemoryVectorTable:
    def __init__(self, database: Database) -> None:
        self._db = database

    def put(self, memory_id: str, embedder: str, vector: bytes) -> bool:
        stored = self._db.dialect.vector_in(checked_vector(vector))
        with self._db.transaction():
            ((generation,),) = self._db.all("next_generation")
            place = self._db.one("memory_place", id=memory_id)
            if place is None:
                return False
            number, scope, kind, _ = place
            written = self._db.run(
                "put_memory_vector",
                number=number,
                scope=scope,
                kind=kind,
                embedder=embedder,
                generation=generation,
                embedding=stored,
            )
        return written > 0

    def add(self, embedder: str, numbered: Iterable[tuple[int, Indexed]]) -> None:
        """The vectors of memories that have just been given these numbers."""
        rows = [
            {
                "number": number,
                "scope": one.memory.scope,
                "kind": one.memory.kind.value,
                "embedder": embedder,
                "generation": number,
                "embedding": self._db.dialect.vector_in(checked_vector(one.vector)),
            }
            for number, one in numbered
            if one.vector is not None
        ]
        self._db.run_many("put_memory_vector", rows)

    def since(
        self, scope: str, embedder: str, generation: int
    ) -> Iterator[tuple[int, str, bytes, int]]:
        read = self._db.dialect.vector_out
        after = {"generation": generation, "number": 1 << 62}
        while rows := self._db.all(
            "memory_vectors_since", scope=scope, embedder=embedder, limit=_VECTORS, **after
        ):
            for number, kind, vector, written in rows:
                yield number, kind, read(vector), written
            after = {"generation": rows[-1][3], "number": rows[-1][0]}

    def count(self, scope: str, embedder: str) -> int:
        ((count,),) = self._db.all("count_memory_vectors", scope=scope, embedder=embedder)
        return int(count)

    def scopes(self, embedder: str) -> Mapping[str, int]:
        return dict(self._db.all("scopes_with_vectors", embedder=embedder))

    def unembedded(self, embedder: str, limit: int = PAGE) -> Sequence[Memory]:
        rows = rows_of(Memory)
        where = f"{self._db.where}, table memories"
        found = self._db.all("page_unembedded", embedder=embedder, limit=limit)
        return [rows.record(row, where) for row in found]

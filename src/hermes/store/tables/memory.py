"""Memories: what is remembered."""

from __future__ import annotations

from collections.abc import Sequence

from hermes.records.memory import Memory, MemoryKind
from hermes.store.tables.table import PAGE, Table


class MemoryTable(Table[Memory]):
    word = "memory"
    table = "memories"
    record = Memory

    def add(self, memory: Memory) -> None:
        self._insert(memory)

    def replace(self, memory: Memory) -> None:
        self._replace(memory)

    def get(self, memory_id: str) -> Memory | None:
        return self._one("get_memory", id=memory_id)

    def delete(self, memory_id: str) -> bool:
        return self._db.run("delete_memory", id=memory_id) > 0

    def page(
        self, scope: str, kind: MemoryKind | None = None, after: str = "", limit: int = PAGE
    ) -> Sequence[Memory]:
        if kind is None:
            return self._many("page_memories", scope=scope, after=after, limit=limit)
        return self._many(
            "page_memories_of_kind", scope=scope, kind=kind.value, after=after, limit=limit
        )

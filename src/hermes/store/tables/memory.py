"""Memories: what is remembered, each write in a generation of its own.

Numbers and generations come from the library's counter. One counter means one lock: a transaction
that writes skills and memories in any order cannot wait for another that does it the other way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from hermes.errors import Refused
from hermes.ids import canonical_json
from hermes.ports.memory import Indexed
from hermes.records.codec import time_text
from hermes.records.memory import Memory, MemoryKind
from hermes.store.tables.memory_vectors import MemoryVectorTable
from hermes.store.tables.memory_words import MemoryWordTable
from hermes.store.tables.table import PAGE, Table


class MemoryTable(Table[Memory]):
    word = "memory"
    table = "memories"
    record = Memory

    def add(self, memory: Memory) -> None:
        with self._db.transaction():
            self._insert(memory, generation=self._next_generation())

    def add_indexed(self, kept: Sequence[Indexed], embedder: str | None = None) -> None:
        if not kept:
            return
        with self._db.transaction():
            ((last,),) = self._db.all("next_generations", count=len(kept))
            numbered = list(enumerate(kept, start=last - len(kept) + 1))
            with self._db.unanswered():
                self._add_numbered(numbered, embedder)

    def _add_numbered(self, numbered: Sequence[tuple[int, Indexed]], embedder: str | None) -> None:
        self._db.run_many("insert_indexed_memory", [self._indexed(*one) for one in numbered])
        MemoryWordTable(self._db).add(
            (one.memory.scope, number, one.terms) for number, one in numbered
        )
        if embedder is not None:
            MemoryVectorTable(self._db).add(embedder, numbered)
        for scope, count in sorted(Counter(one.memory.scope for _, one in numbered).items()):
            self._db.run("add_tally", scope=scope, name="added", value=count)

    def replace(self, memory: Memory) -> None:
        with self._db.transaction():
            generation = self._next_generation()
            values = self._rows.values(memory)
            if self._db.run("replace_memory", **values, generation=generation):
                return
            if self.get(memory.id) is None:
                raise self._missing(memory.id)
            raise Refused(
                f"memory {memory.id}: text, kind and scope never change",
                hint="add what is right now; it supersedes this one",
            )

    def get(self, memory_id: str) -> Memory | None:
        return self._one("get_memory", id=memory_id)

    def delete(self, memory_id: str) -> bool:
        with self._db.transaction():
            generation = self._next_generation()
            place = self._db.one("memory_place", id=memory_id)
            if place is None:
                return False
            number, scope, _, terms = place
            MemoryWordTable(self._db).remove(scope, number, terms)
            self._db.run("delete_memory_vector", number=number)
            self._db.run("delete_memory", id=memory_id)
            self._db.run("leave_number", number=number, scope=scope, generation=generation)
        return True

    def page(
        self, scope: str, kind: MemoryKind | None = None, after: str = "", limit: int = PAGE
    ) -> Sequence[Memory]:
        if kind is None:
            return self._many("page_memories", scope=scope, after=after, limit=limit)
        return self._many(
            "page_memories_of_kind", scope=scope, kind=kind.value, after=after, limit=limit
        )

    def numbered(self, numbers: Iterable[int]) -> Mapping[int, Memory]:
        rows = self._db.all("memories_numbered", numbers=canonical_json(list(numbers)))
        return {row[0]: self._record(row[1:]) for row in rows}

    def twin(self, scope: str, kind: MemoryKind, fingerprint: str) -> Memory | None:
        return self._one("memory_twin", scope=scope, kind=kind.value, fingerprint=fingerprint)

    def twins(
        self, marks: Iterable[tuple[str, MemoryKind, str]]
    ) -> Mapping[tuple[str, MemoryKind, str], Memory]:
        asked: dict[str, set[str]] = {}
        for scope, _, fingerprint in marks:
            asked.setdefault(scope, set()).add(fingerprint)
        found: dict[tuple[str, MemoryKind, str], Memory] = {}
        for scope, fingerprints in asked.items():
            listed = canonical_json(sorted(fingerprints))
            for row in self._db.all("memory_twins", scope=scope, fingerprints=listed):
                memory = self._record(row[1:])
                found.setdefault((scope, memory.kind, row[0]), memory)
        return found

    def hold(self) -> None:
        self._db.all("hold_trail")

    def recalled(self, strengths: Mapping[int, float], at: datetime) -> None:
        if not strengths:
            return
        pairs = canonical_json([[number, strength] for number, strength in strengths.items()])
        with self._db.transaction():
            generation = self._next_generation()
            self._db.run("recall_memories", recalled=pairs, at=time_text(at), generation=generation)

    def _indexed(self, number: int, one: Indexed) -> dict[str, Any]:
        return {
            **self._rows.values(one.memory),
            "number": number,
            "terms": canonical_json(dict(one.terms)),
            "length": sum(one.terms.values()),
            "fingerprint": one.fingerprint,
        }

    def _next_generation(self) -> int:
        ((value,),) = self._db.all("next_generation")
        return int(value)

"""New memories on their way into the store, written together.

A statement for each of a memory's parts costs a writer more than the memory itself, and a server
on another machine a journey each. What is looked at while it still waits is written first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from hermes.memory.embedding import label_of
from hermes.ports import Embedder, Memories
from hermes.ports.memory import Indexed
from hermes.records.memory import Memory, MemoryKind
from hermes.rules.recalling.terms import item_terms
from hermes.rules.remembering.cleaning import fingerprint

Mark = tuple[str, MemoryKind, str]


class Place(Protocol):
    """Where a batch is written."""

    @property
    def memories(self) -> Memories: ...
    @property
    def embedder(self) -> Embedder | None: ...


@dataclass(slots=True)
class Batch:
    """Lives inside one transaction that holds the memories: nobody else writes meanwhile.

    `expected` are the memories that may come, so that the twins of all are looked for at once.
    """

    place: Place
    expected: Sequence[Memory]
    _waiting: dict[str, Indexed] = field(default_factory=dict)
    _added: dict[Mark, Memory] = field(default_factory=dict)
    _stored: dict[Mark, Memory] | None = None

    def twin(self, memory: Memory) -> Memory | None:
        """The live one that says the same, stored before or added here."""
        if self._stored is None:
            self._stored = dict(self.place.memories.twins(map(_mark_of, self.expected)))
        mark = _mark_of(memory)
        return self._stored.get(mark) or self._added.get(mark)

    def add(self, memory: Memory, vector: bytes | None) -> None:
        mark = _mark_of(memory)
        self._added.setdefault(mark, memory)
        self._waiting[memory.id] = Indexed(memory, item_terms(memory), mark[2], vector)

    def stored(self, memory_id: str) -> Memory | None:
        """As it lies in the store now; None where it was forgotten."""
        if memory_id in self._waiting:
            self.flush()
        return self.place.memories.get(memory_id)

    def replaced(self, old: Memory, new: Memory) -> None:
        """The old one is no longer anybody's twin."""
        mark = _mark_of(old)
        for known in (self._stored or {}, self._added):
            if mark in known and known[mark].id == old.id:
                del known[mark]
        if _mark_of(new) == mark:
            self._added[mark] = new

    def flush(self) -> None:
        """Have all that was added in the store."""
        if not self._waiting:
            return
        embedder = self.place.embedder
        label = None if embedder is None else label_of(embedder)
        self.place.memories.add_indexed(list(self._waiting.values()), label)
        self._waiting = {}


def _mark_of(memory: Memory) -> Mark:
    return memory.scope, memory.kind, fingerprint(memory.text)

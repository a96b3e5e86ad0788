"""Memories as people look through them: by choice and page, by the beginning of an id, all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from hermes.ids import canonical_json
from hermes.records.codec import time_text
from hermes.records.memory import Memory, MemoryKind
from hermes.records.memory_choice import MemoryChoice
from hermes.store.database import Database
from hermes.store.dialect import Row
from hermes.store.rows import Rows, rows_of
from hermes.store.tables.memory_words import term_id
from hermes.store.tables.table import PAGE

_LAST = "~"  # behind every id
_NEVER = time_text(datetime.max.replace(tzinfo=UTC))


class MemoryListingTable:
    """Reads only. Apart from MemoryTable, which recall needs warm and small."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._rows: Rows[Memory] = rows_of(Memory)

    def latest(self, choice: MemoryChoice, before: str = "", limit: int = PAGE) -> Sequence[Memory]:
        found: list[Memory] = []
        for values in _questions(choice):
            rows = self._db.all(
                "latest_chosen_memories", **values, before=before or _LAST, limit=limit
            )
            found += map(self._record, rows)
        return sorted(found, key=lambda memory: memory.id, reverse=True)[:limit]

    def count(self, choice: MemoryChoice) -> int:
        asked = (self._db.all("count_chosen_memories", **each) for each in _questions(choice))
        return sum(int(count) for ((count,),) in asked)

    def walk(self) -> Iterator[Memory]:
        after = ""
        while rows := self._db.all("walk_memories", after=after, limit=5 * PAGE):
            yield from map(self._record, rows)
            after = rows[-1][0]

    def starting_with(self, prefix: str, limit: int = PAGE) -> Sequence[str]:
        rows = self._db.all("memory_ids_from", start=prefix, limit=limit)
        return [found for (found,) in rows if found.startswith(prefix)]

    def scopes(self) -> Sequence[str]:
        return [scope for (scope,) in self._db.all("memory_scopes")]

    def ever_said(self, scope: str, kind: MemoryKind, fingerprint: str) -> bool:
        values = {"scope": scope, "kind": kind.value, "fingerprint": fingerprint}
        return self._db.one("memory_ever_said", **values) is not None

    def embedder_of(self, memory_id: str) -> str | None:
        row = self._db.one("memory_embedder", id=memory_id)
        return None if row is None else str(row[0])

    def replaced_by(self, memory: Memory, limit: int = PAGE) -> Sequence[str]:
        found = (
            self._db.all(
                "replaced_memories",
                scope=memory.scope,
                kind=kind.value,
                id=memory.id,
                limit=limit,
            )
            for kind in MemoryKind
        )
        return [replaced for rows in found for (replaced,) in rows]

    def documents(self, scope: str, terms: Sequence[str]) -> Mapping[str, int]:
        by_id = {term_id(scope, term): term for term in terms}
        rows = self._db.all("term_documents", ids=canonical_json(sorted(by_id)))
        return {by_id[key]: count for key, count in rows}

    def _record(self, row: Row) -> Memory:
        return self._rows.record(row, f"{self._db.where}, table memories")


def _questions(choice: MemoryChoice) -> Iterator[dict[str, Any]]:
    """One for each scope and kind: that is how the table is indexed."""
    waiting_low, waiting_high = _span(choice.waiting)
    old_low, old_high = _span(choice.superseded)
    until = choice.created_before
    for scope in dict.fromkeys(choice.scopes):
        for kind in (choice.kind,) if choice.kind is not None else MemoryKind:
            yield {
                "scope": scope,
                "kind": kind.value,
                "waiting_low": waiting_low,
                "waiting_high": waiting_high,
                "old_low": old_low,
                "old_high": old_high,
                "created_before": _NEVER if until is None else time_text(until),
                "any_source": int(choice.source is None),
                "source": choice.source or "",
            }


def _span(flag: bool | None) -> tuple[int, int]:
    return (0, 1) if flag is None else (int(flag), int(flag))

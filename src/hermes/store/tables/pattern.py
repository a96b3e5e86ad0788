"""Patterns: examples of one intent."""

from __future__ import annotations

from collections.abc import Sequence

from hermes.records.pattern import Pattern
from hermes.store.tables.table import PAGE, Table


class PatternTable(Table[Pattern]):
    word = "pattern"
    table = "patterns"
    record = Pattern

    def put(self, pattern: Pattern) -> None:
        self._db.run("put_pattern", **self._rows.values(pattern))

    def get(self, pattern_id: str) -> Pattern | None:
        return self._one("get_pattern", id=pattern_id)

    def page(self, after: str = "", limit: int = PAGE) -> Sequence[Pattern]:
        return self._many("page_patterns", after=after, limit=limit)

    def delete(self, pattern_id: str) -> bool:
        return self._db.run("delete_pattern", id=pattern_id) > 0

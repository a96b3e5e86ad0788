"""How much of everything there is."""

from __future__ import annotations

from hermes.store.database import Database


class FigureTable:
    def __init__(self, database: Database) -> None:
        self._db = database

    def all(self) -> dict[str, int]:
        counted = {str(name): int(count) for name, count in self._db.all("count_everything")}
        counted["tokens"] = self._tokens("hermes")
        counted["review_tokens"] = self._tokens("hermes-review")
        return counted

    def _tokens(self, source: str) -> int:
        row = self._db.one("tokens_of_source", source=source)
        return int(row[0] or 0) if row else 0

"""What the tables share: rows in and out, and which error says what."""

from __future__ import annotations

from typing import Any, ClassVar, Generic, TypeVar

from hermes.errors import Conflict, NotFound
from hermes.store.database import Database
from hermes.store.dialect import Row
from hermes.store.rows import Rows, rows_of

R = TypeVar("R")
PAGE = 100  # as in hermes.ports, which would import every word there is


class Table(Generic[R]):
    """`word` names its statements (`insert_<word>`, …), `table` its place for a person."""

    word: ClassVar[str]
    table: ClassVar[str]
    record: ClassVar[Any]

    def __init__(self, database: Database) -> None:
        self._db = database
        self._rows: Rows[R] = rows_of(self.record)

    def _insert(self, record: R, **more: Any) -> None:
        values = self._rows.values(record)
        try:
            self._db.run(f"insert_{self.word}", **values, **more)
        except Conflict as error:
            first = next(iter(values.values()))
            raise Conflict(f"{self.word} {first!r}: {error.message}") from error

    def _replace(self, record: R, **more: Any) -> None:
        values = self._rows.values(record)
        if not self._db.run(f"replace_{self.word}", **values, **more):
            raise self._missing(str(values["id"]))

    def _one(self, query: str, **values: Any) -> R | None:
        row = self._db.one(query, **values)
        return None if row is None else self._record(row)

    def _many(self, query: str, **values: Any) -> list[R]:
        return [self._record(row) for row in self._db.all(query, **values)]

    def _record(self, row: Row) -> R:
        return self._rows.record(row, f"{self._db.where}, table {self.table}")

    def _missing(self, record_id: str) -> NotFound:
        return NotFound(f"there is no {self.word} {record_id}")

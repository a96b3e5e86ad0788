"""Rows out of one database and into another, in the one logical form that all of them share.

A row travels as a line: canonical JSON of its columns, bytes as base64. Equal tables are equal
lines, so a table's hash proves a copy, whichever databases are at the ends.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from hermes.errors import CorruptData, Refused
from hermes.ids import canonical_json
from hermes.store.database import Database
from hermes.store.layout import TABLES, Layout
from hermes.store.pages import pages

Plain = dict[str, Any]
Progress = Callable[[str, int, int], None]
"""Told (table, rows done, rows in all) now and then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableDigest:
    """How many rows a table has, and the hash of their lines in key order."""

    rows: int
    sha256: str


class Tally:
    """Counts the lines of a table and hashes them as they go by."""

    def __init__(self) -> None:
        self._rows = 0
        self._hasher = hashlib.sha256()

    def line(self, row: Plain) -> bytes:
        line = canonical_json(row).encode() + b"\n"
        self._rows += 1
        self._hasher.update(line)
        return line

    def digest(self) -> TableDigest:
        return TableDigest(rows=self._rows, sha256=self._hasher.hexdigest())


def silent(_table: str, _done: int, _total: int) -> None:
    """Nobody watches."""


def copy(source: Database, target: Database, progress: Progress = silent) -> dict[str, TableDigest]:
    """Everything, from one moment of the source, into an empty target; all of it or nothing.

    What arrived is read again and compared before it is committed.
    """
    digests: dict[str, TableDigest] = {}
    with source.snapshot(), target.transaction():
        require_empty(target)
        for layout in TABLES:
            rows = watched_rows(source, layout, progress)
            digests[layout.table] = write_rows(target, layout, rows)
        for layout in TABLES:
            if digest(target, layout) != digests[layout.table]:
                raise CorruptData("what arrived is not what was sent", where=layout.table)
    look_over(target)
    return digests


def look_over(database: Database) -> None:
    """After much was written at once. PostgreSQL plans by what it knows of its tables, and looks at
    them by itself only some minutes later: until then a search would read all it has."""
    if database.dialect.name == "postgres":
        for layout in TABLES:
            database.ask(f"ANALYZE {layout.table}")


def require_empty(database: Database) -> None:
    for layout in TABLES:
        if not layout.seeded and count(database, layout.table):
            raise Refused(
                f"{database.where} is not empty: it has {layout.table}",
                hint="name a new file or an empty database",
            )


def count(database: Database, table: str) -> int:
    ((rows,),) = database.ask(f"SELECT COUNT(*) FROM {table}")
    return int(rows)


def tables_of(database: Database) -> list[Layout]:
    """The tables that this database has; an earlier schema has fewer."""
    there = {name for (name,) in database.all("table_names")}
    return [layout for layout in TABLES if layout.table in there]


def columns_of(database: Database, layout: Layout) -> list[str]:
    return [name for (name,) in database.all("column_names", table=layout.table)]


def read_rows(database: Database, layout: Layout) -> Iterator[Plain]:
    """Every row in key order."""
    columns, width = columns_of(database, layout), len(layout.key)
    for row in pages(database, layout, columns):
        yield _plain(database, layout, dict(zip(columns, row[width:], strict=True)))


def watched_rows(database: Database, layout: Layout, progress: Progress) -> Iterator[Plain]:
    """The same, telling how far it is."""
    done, total = 0, count(database, layout.table)
    for row in read_rows(database, layout):
        yield row
        done += 1
        if done % layout.page == 0:
            progress(layout.table, done, total)
    progress(layout.table, done, total)


def write_rows(database: Database, layout: Layout, rows: Iterable[Plain]) -> TableDigest:
    """Put rows into an empty table; the digest of what was given."""
    columns = columns_of(database, layout)
    names, values = ", ".join(columns), ", ".join(f":{name}" for name in columns)
    statement = f"INSERT INTO {layout.table} ({names}) VALUES ({values})"
    if layout.seeded:
        database.ask(f"DELETE FROM {layout.table}")
    tally, batch = Tally(), []
    for row in rows:
        tally.line(row)
        batch.append(_stored(database, layout, row))
        if len(batch) >= layout.page:
            database.load(statement, batch)
            batch = []
    if batch:
        database.load(statement, batch)
    return tally.digest()


def digest(database: Database, layout: Layout) -> TableDigest:
    """The digest of what is stored, read anew."""
    tally = Tally()
    for row in read_rows(database, layout):
        tally.line(row)
    return tally.digest()


def _plain(database: Database, layout: Layout, row: Plain) -> Plain:
    for name in _present(layout.vectors, row):
        row[name] = base64.b64encode(database.dialect.vector_out(row[name])).decode()
    for name in _present(layout.blobs, row):
        row[name] = base64.b64encode(row[name]).decode()
    return row


def _stored(database: Database, layout: Layout, row: Plain) -> Plain:
    stored = dict(row)
    for name in _present(layout.vectors, row):
        stored[name] = database.dialect.vector_in(base64.b64decode(row[name], validate=True))
    for name in _present(layout.blobs, row):
        stored[name] = base64.b64decode(row[name], validate=True)
    return stored


def _present(names: Sequence[str], row: Plain) -> list[str]:
    return [name for name in names if row.get(name) is not None]

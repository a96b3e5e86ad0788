"""A log that is somebody else's SQLite database: read, never written to, not even beside it.

SQLite makes files next to a database in WAL mode when it opens it, even to read. So a database
without such files is opened as immutable, one that is in use with the files it has, and one whose
writer died without leaving an index of its WAL is read from a copy.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

from hermes.ingest.decoding import Malformed, clean_text, decode
from hermes.records.codec import Json

MAGIC = b"SQLite format 3\0"

Row = dict[str, bytes | int | float | None]


class SqliteLog:
    """Texts come as bytes: a log may hold what is no UTF-8."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._stamp = _stamp(path)
        self._copy: TemporaryDirectory[str] | None = None
        wal, index = (path.with_name(f"{path.name}-{end}") for end in ("wal", "shm"))
        written = wal.is_file() and wal.stat().st_size > 0
        self._immutable = not written
        source, mode = path, "mode=ro" if written else "immutable=1"
        if written and not index.is_file():
            self._copy = TemporaryDirectory(prefix="hermes-log-")
            source = Path(self._copy.name) / path.name
            shutil.copyfile(path, source)
            shutil.copyfile(wal, source.with_name(wal.name))
        self._address = f"file:{quote(str(source.absolute()))}?{mode}"

    @contextmanager
    def connect(self) -> Iterator[sqlite3.Connection]:
        """A connection of its own for each reader. Raises sqlite3.Error."""
        connection = sqlite3.connect(self._address, uri=True)
        try:
            connection.text_factory = bytes
            connection.execute("PRAGMA query_only = 1")
            yield connection
        except UnicodeDecodeError as error:  # SQLite quoted the damage in its own message
            raise sqlite3.DatabaseError("the schema is damaged") from error
        finally:
            connection.close()

    def changed(self) -> bool:
        """Whether it was written to while it was taken for immutable: the rows may be mixed."""
        return self._immutable and _stamp(self.path) != self._stamp


def columns(connection: sqlite3.Connection, table: str) -> frozenset[str]:
    """The columns of a table; none when there is no such table."""
    rows = connection.execute("SELECT name FROM pragma_table_info(?)", (table,))
    return frozenset(row[0].decode("utf-8", "replace") for row in rows)


def rows(
    connection: sqlite3.Connection, query: str, parameters: tuple[str | bytes, ...] = ()
) -> Iterator[Row]:
    """The rows, one at a time, by the names of their columns."""
    cursor = connection.execute(query, parameters)
    names = [column[0] for column in cursor.description]
    for row in cursor:
        yield dict(zip(names, row, strict=True))


def column_text(value: bytes | float | None) -> str:
    return clean_text(value) if isinstance(value, bytes) else ""


def column_json(value: bytes | float | None) -> Json:
    """The JSON of a column; None where there is none. Raises Malformed."""
    return decode(value) if isinstance(value, bytes) and value.strip() else None


def size_of(row: Row) -> int:
    return sum(len(value) for value in row.values() if isinstance(value, bytes))


def lenient_json(value: bytes | float | None) -> Json:
    """The same for a column that only describes: what cannot be read is not there."""
    try:
        return column_json(value)
    except Malformed:
        return None


def _stamp(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_size, status.st_mtime_ns

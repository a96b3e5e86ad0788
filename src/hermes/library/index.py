"""The index: what this machine last saw on disk, so that an unchanged folder is not read again.

A cache and nothing more. It can be deleted at any time and is rebuilt from the folders; so is a
damaged one, because nothing in it is the only copy of anything.
"""

from __future__ import annotations

import json
import os
import sqlite3
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from hermes.errors import DiskFailed

T = TypeVar("T")
_SCHEMA = 1
_CREATE = """
CREATE TABLE IF NOT EXISTS folder (
    location TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    category TEXT NOT NULL,
    tree TEXT,
    head_signature TEXT NOT NULL,
    signature TEXT NOT NULL,
    problem TEXT
) WITHOUT ROWID
"""


@dataclass(frozen=True, slots=True)
class Seen:
    """One folder at the last look. `tree` is None when it could not be read; `problem` says why.

    A signature of "" never equals a real one: the folder is read again next time.
    """

    location: str
    name: str
    category: str
    tree: str | None
    head_signature: str
    signature: str
    problem: str | None = None


class Index:
    """On a disk that is full or read-only, what cannot be written is remembered in memory."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._local = threading.local()
        self._unwritten: dict[str, Seen | None] = {}
        _indexes.add(self)

    def get(self, location: str) -> Seen | None:
        return self.some([location]).get(location)

    def some(self, locations: Iterable[str]) -> dict[str, Seen]:
        """Those of these folders that were seen, in one question however many they are."""
        wanted = list(locations)
        chosen = "SELECT * FROM folder WHERE location IN (SELECT value FROM json_each(?))"
        unwritten = {one: self._unwritten[one] for one in wanted if one in self._unwritten}
        return _known(self._read(chosen, json.dumps(wanted)), unwritten)

    def all(self) -> dict[str, Seen]:
        return _known(self._read("SELECT * FROM folder"), self._unwritten)

    def problems(self) -> list[Seen]:
        if self._unwritten:
            known = sorted(self.all().values(), key=lambda seen: seen.location)
            return [seen for seen in known if seen.problem is not None]
        rows = self._read("SELECT * FROM folder WHERE problem IS NOT NULL ORDER BY location")
        return [Seen(*row) for row in rows]

    def has_relative(self) -> bool:
        """Whether a skill was ever seen in the skills folder itself."""
        return bool(self._read("SELECT 1 FROM folder WHERE location NOT LIKE '/%' LIMIT 1"))

    def put(self, folders: Iterable[Seen]) -> None:
        seen = {one.location: one for one in folders}
        rows = [
            (s.location, s.name, s.category, s.tree, s.head_signature, s.signature, s.problem)
            for s in seen.values()
        ]
        self._write("INSERT OR REPLACE INTO folder VALUES (?,?,?,?,?,?,?)", rows, seen)

    def forget(self, location: str) -> None:
        self._write("DELETE FROM folder WHERE location = ?", [(location,)], {location: None})

    def clear(self) -> None:
        self._write("DELETE FROM folder", [()], dict.fromkeys(self.all()))

    def close(self) -> None:
        """Close this thread's connection; the next use opens a new one."""
        opened = self._opened()
        self._local.opened = None
        if opened is not None:
            opened.close()

    def _read(self, sql: str, *values: str) -> list[Any]:
        return self._run(lambda connection: connection.execute(sql, values).fetchall())

    def _write(self, sql: str, rows: list[Any], meaning: Mapping[str, Seen | None]) -> None:
        def write(connection: sqlite3.Connection) -> None:
            connection.execute("BEGIN IMMEDIATE")
            try:
                connection.executemany(sql, rows)
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

        try:
            self._run(write)
        except DiskFailed:
            self._unwritten.update(meaning)
        else:
            self._unwritten.clear()  # what only memory knew is looked at once more

    def _run(self, act: Callable[[sqlite3.Connection], T]) -> T:
        """Do it; on a damaged file once more, on a new one."""
        with self._failing():
            try:
                return act(self._connection())
            except sqlite3.DatabaseError as error:
                if not _is_damage(error):
                    raise
                self.close()
                for suffix in ("", "-wal", "-shm"):
                    Path(f"{self._path}{suffix}").unlink(missing_ok=True)
                return act(self._connection())

    @contextmanager
    def _failing(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise DiskFailed(
                f"{self._path}: {error}",
                hint="free space or make it writable; it is a cache and can be deleted",
            ) from error

    def _connection(self) -> sqlite3.Connection:
        connection = self._opened()
        if connection is None:
            connection = self._connect()
            self._local.opened = connection
        return connection

    def _opened(self) -> sqlite3.Connection | None:
        return getattr(self._local, "opened", None)

    def _connect(self) -> sqlite3.Connection:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(self._path, timeout=15, isolation_level=None)
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if not error.sqlite_errorname.startswith("SQLITE_BUSY"):
                raise
            # Another process opens the new file too, and one of the two switches it over.
        connection.execute("PRAGMA synchronous=OFF")  # a cache: losing it costs a re-read
        if _schema(connection) != _SCHEMA:
            connection.execute("BEGIN IMMEDIATE")
            if _schema(connection) != _SCHEMA:  # another process may have been first
                connection.execute("DROP TABLE IF EXISTS folder")
                connection.execute(_CREATE)
                connection.execute(f"PRAGMA user_version={_SCHEMA}")
            connection.execute("COMMIT")
        return connection


def _known(rows: list[Any], unwritten: Mapping[str, Seen | None]) -> dict[str, Seen]:
    """What only memory knows goes before what was written; None is what was forgotten."""
    known = {**{row[0]: Seen(*row) for row in rows}, **unwritten}
    return {location: seen for location, seen in known.items() if seen is not None}


def _schema(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _is_damage(error: sqlite3.DatabaseError) -> bool:
    """Not a full or locked disk: the file is no index, or no longer the one that was opened."""
    fault = getattr(error, "sqlite_errorname", "")
    return not isinstance(error, sqlite3.OperationalError) or fault in (
        "SQLITE_ERROR",
        "SQLITE_READONLY_DBMOVED",
    )


def _before_fork() -> None:
    """A child that inherits an open connection believes to hold locks that it does not."""
    for index in list(_indexes):
        index.close()


_indexes: weakref.WeakSet[Index] = weakref.WeakSet()
os.register_at_fork(before=_before_fork)

"""The index: what this machine last saw on disk, so that an unchanged folder is not read again.

A cache and nothing more. It can be deleted at any time and is rebuilt from the folders; a damaged
one is set aside and rebuilt, because nothing in it is the only copy of anything.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

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
    def __init__(self, path: Path) -> None:
        self._path = path
        self._local = threading.local()

    def get(self, location: str) -> Seen | None:
        row = self._run("SELECT * FROM folder WHERE location = ?", (location,)).fetchone()
        return Seen(*row) if row else None

    def all(self) -> dict[str, Seen]:
        return {row[0]: Seen(*row) for row in self._run("SELECT * FROM folder")}

    def problems(self) -> list[Seen]:
        rows = self._run("SELECT * FROM folder WHERE problem IS NOT NULL ORDER BY location")
        return [Seen(*row) for row in rows]

    def put(self, folders: Iterable[Seen]) -> None:
        rows = [
            (s.location, s.name, s.category, s.tree, s.head_signature, s.signature, s.problem)
            for s in folders
        ]
        with self._writing() as connection:
            connection.executemany("INSERT OR REPLACE INTO folder VALUES (?,?,?,?,?,?,?)", rows)

    def forget(self, location: str) -> None:
        with self._writing() as connection:
            connection.execute("DELETE FROM folder WHERE location = ?", (location,))

    def clear(self) -> None:
        with self._writing() as connection:
            connection.execute("DELETE FROM folder")

    def _run(self, sql: str, arguments: tuple[str, ...] = ()) -> sqlite3.Cursor:
        return self._connection().execute(sql, arguments)

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        connection = self._connection()
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield connection
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")

    def _connection(self) -> sqlite3.Connection:
        opened: tuple[int, sqlite3.Connection] | None = getattr(self._local, "opened", None)
        if opened is None or opened[0] != os.getpid():  # a child never uses its parent's
            opened = (os.getpid(), self._open())
            self._local.opened = opened
        return opened[1]

    def _open(self) -> sqlite3.Connection:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        try:
            return self._connect()
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError):
                raise
            for suffix in ("", "-wal", "-shm"):
                Path(f"{self._path}{suffix}").unlink(missing_ok=True)
            return self._connect()

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, timeout=15, isolation_level=None)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=OFF")  # a cache: losing it costs a re-read
        if connection.execute("PRAGMA user_version").fetchone()[0] != _SCHEMA:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("DROP TABLE IF EXISTS folder")
            connection.execute(_CREATE)
            connection.execute(f"PRAGMA user_version={_SCHEMA}")
            connection.execute("COMMIT")
        return connection

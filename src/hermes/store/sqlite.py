"""SQLite as the store's database: one file, write-ahead log, synced at every commit."""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from hermes.errors import (
    ConfigError,
    Conflict,
    CorruptData,
    DiskFailed,
    MissingPart,
    NotFound,
    Refused,
    StoreUnavailable,
    WrongCall,
)
from hermes.store.dialect import BUSY_SECONDS

APPLICATION_ID = 0x484C6F70  # "HLop" in the file's header: this file is ours
_OLDEST = (3, 35, 0)  # the first with RETURNING

# One statement, so that it sees one moment: another process may be laying the first tables.
_WHOSE = """
SELECT application_id, user_version, (SELECT COUNT(*) FROM sqlite_master)
FROM pragma_application_id, pragma_user_version
"""


class FileConnection(sqlite3.Connection):
    """Remembers which file it was opened on, to notice when another one lies in its place."""

    inode: tuple[int, int]


class SqliteDialect:
    name = "sqlite"
    begin = "BEGIN IMMEDIATE"
    begin_snapshot = "BEGIN"
    driver_error = sqlite3.Error

    def __init__(self, path: Path, busy_seconds: float = BUSY_SECONDS) -> None:
        self.path = path
        self.busy_seconds = busy_seconds
        self.where = str(path)
        if sqlite3.sqlite_version_info < _OLDEST:
            raise MissingPart(
                f"SQLite {sqlite3.sqlite_version} is too old",
                hint="use a Python that carries SQLite 3.35 or newer",
            )

    def create(self) -> None:
        """An empty file for this user's eyes only, where there is none yet.

        One that is there must not be opened by us: closing it again would let go of every lock
        that this process has on it, and another process would take its write-ahead log away.
        """
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        except FileExistsError:
            return
        except OSError as error:
            raise StoreUnavailable(
                f"cannot open {self.path}: {error.strerror}", hint="check the folder's permissions"
            ) from error

    def connect(self) -> FileConnection:
        """Never creates the file: a database that is gone is an error, not an empty one."""
        quoted = self.where.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
        inode = self._inode()
        try:
            connection = sqlite3.connect(
                f"file:{quoted}?mode=rw",
                uri=True,
                timeout=self.busy_seconds,
                isolation_level=None,
                check_same_thread=False,  # only to close; each thread uses its own
                factory=FileConnection,
            )
            _use_write_ahead_log(connection, self.busy_seconds)
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA secure_delete = ON")  # what is forgotten leaves no bytes
        except sqlite3.Error as error:
            raise self.translate(error) from error
        connection.inode = inode
        return connection

    def usable(self, connection: FileConnection) -> bool:
        """A connection to a file that was moved away would write where nobody reads.

        The moved file leaves its write-ahead log behind, under the name that SQLite would take
        for the new file's: opening that pair would mix two databases.
        """
        if connection.inode == self._inode():
            return True
        if os.path.exists(f"{self.path}-wal"):
            raise StoreUnavailable(
                f"another file was put in the place of {self.where} while it was in use",
                hint=f"end every process that uses it, then delete {self.path}-wal and -shm",
            )
        return False

    def in_transaction(self, connection: FileConnection) -> bool:
        return connection.in_transaction

    def unanswered(self, connection: FileConnection) -> AbstractContextManager[object]:
        return nullcontext()  # nobody is asked over any distance

    def vector_in(self, vector: bytes) -> bytes:
        return vector

    def vector_out(self, stored: bytes) -> bytes:
        return stored

    def schema_version(self, connection: FileConnection) -> int:
        ((owner, version, tables),) = connection.execute(_WHOSE).fetchall()
        if owner == APPLICATION_ID:
            return int(version)
        if tables:
            raise ConfigError(
                f"{self.where} is the database of another program",
                hint="choose another file for the store",
            )
        return 0

    def prepare_schema(self, connection: FileConnection) -> None:
        """Nothing to do: the transaction has the only write lock already."""

    def run_script(self, connection: FileConnection, script: str) -> None:
        """Statement by statement: sqlite3's executescript would commit what came before."""
        pending = ""
        for line in script.splitlines(keepends=True):
            pending += line
            if sqlite3.complete_statement(pending):
                connection.execute(pending)
                pending = ""

    def set_schema_version(self, connection: FileConnection, version: int) -> None:
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {version:d}")

    def translate(self, error: Exception) -> Exception:
        code = getattr(error, "sqlite_errorname", "")
        for prefix, translated in self._meanings(error):
            if code.startswith(prefix):
                return translated
        if str(error).startswith("Could not decode"):
            return self._corrupt(str(error))
        return error

    def _meanings(self, error: Exception) -> tuple[tuple[str, Exception], ...]:
        """What SQLite's result codes mean to us; the first prefix that fits."""
        text = str(error)
        return (
            ("SQLITE_CONSTRAINT_UNIQUE", Conflict(f"it is there already ({text})")),
            ("SQLITE_CONSTRAINT_PRIMARYKEY", Conflict(f"it is there already ({text})")),
            ("SQLITE_CONSTRAINT_FOREIGNKEY", NotFound("it refers to something that is not there")),
            ("SQLITE_CONSTRAINT_TRIGGER", Refused(text)),
            ("SQLITE_CONSTRAINT", WrongCall(f"the store refuses the value ({text})")),
            ("SQLITE_CORRUPT", self._corrupt(text)),
            ("SQLITE_NOTADB", self._corrupt(text)),
            ("SQLITE_FULL", self._disk(text)),
            ("SQLITE_IOERR", self._disk(text)),
            (
                "SQLITE_BUSY",
                StoreUnavailable(
                    f"{self.where} is locked by another process",
                    hint=f"waited {self.busy_seconds:g} s; end the long-running writer, then retry",
                ),
            ),
            (
                "SQLITE_READONLY",
                StoreUnavailable(
                    f"{self.where} cannot be written ({text})", hint="check its permissions"
                ),
            ),
            (
                "SQLITE_CANTOPEN",
                StoreUnavailable(
                    f"{self.where} cannot be opened ({text})",
                    hint="check the file's and its folder's permissions",
                ),
            ),
        )

    def _corrupt(self, text: str) -> CorruptData:
        return CorruptData(text, where=self.where, hint="restore a backup: hermes db restore FILE")

    def _disk(self, text: str) -> DiskFailed:
        return DiskFailed(f"{self.where}: {text}", hint="free some space or check the disk")

    def _inode(self) -> tuple[int, int]:
        try:
            status = os.stat(self.path)
        except OSError as error:
            raise StoreUnavailable(
                f"{self.where} cannot be reached: {error.strerror}",
                hint="put the file back, or mount its disk",
            ) from error
        return status.st_dev, status.st_ino


def _use_write_ahead_log(connection: sqlite3.Connection, busy_seconds: float) -> None:
    """SQLite does not wait for others when it switches a new file over, so wait here."""
    deadline = time.monotonic() + busy_seconds
    while True:
        try:
            if connection.execute("PRAGMA journal_mode = WAL").fetchall() == [("wal",)]:
                return
        except sqlite3.OperationalError as error:
            busy = getattr(error, "sqlite_errorname", "").startswith("SQLITE_BUSY")
            if not busy or time.monotonic() > deadline:
                raise
        time.sleep(0.01)

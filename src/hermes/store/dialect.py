"""Dialect: all that differs between SQLite and PostgreSQL, except for a few statements."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, Protocol

Row = tuple[Any, ...]
BUSY_SECONDS = 15.0  # how long a writer waits for another before it gives up


class Cursor(Protocol):
    """What both drivers' cursors have."""

    @property
    def description(self) -> Any: ...
    @property
    def rowcount(self) -> int: ...
    def fetchall(self) -> list[Row]: ...
    def executemany(self, query: str, rows: Any, /) -> Any: ...


class Connection(Protocol):
    """What both drivers' connections have; always in autocommit, transactions are spelled out."""

    def execute(self, query: str, values: Any = ..., /) -> Cursor: ...
    def cursor(self) -> Cursor: ...
    def close(self) -> None: ...


class Dialect(Protocol):
    """`where` names the database to a person, without any password."""

    @property
    def name(self) -> str: ...
    @property
    def where(self) -> str: ...
    @property
    def begin(self) -> str:
        """Opens a transaction that may write."""
        ...

    @property
    def begin_snapshot(self) -> str:
        """Opens a transaction whose reads all see the same moment."""
        ...

    @property
    def driver_error(self) -> type[Exception]: ...
    def connect(self) -> Any:
        """A new connection; raises StoreUnavailable with what to do."""
        ...

    def usable(self, connection: Any) -> bool:
        """Whether an idle connection still leads to the database; raises when there is none."""
        ...

    def in_transaction(self, connection: Any) -> bool:
        """Whether the transaction is still open: some errors end it by themselves."""
        ...

    def translate(self, error: Exception) -> Exception:
        """The driver's error in our words; itself where the fault is ours."""
        ...

    def unanswered(self, connection: Any) -> AbstractContextManager[object]:
        """Statements inside go out without waiting for each one's answer, where that saves time."""
        ...

    def vector_in(self, vector: bytes) -> str | bytes:
        """A float32 vector in the form this database stores."""
        ...

    def vector_out(self, stored: Any) -> bytes:
        """The float32 vector that was stored, exactly."""
        ...

    def schema_version(self, connection: Any) -> int:
        """The number of the last migration applied; 0 for an empty database.

        Raises ConfigError where another program's tables are.
        """
        ...

    def prepare_schema(self, connection: Any) -> None:
        """Inside a transaction: one process migrates, the others wait; then lay the ground."""
        ...

    def run_script(self, connection: Any, script: str) -> None:
        """Many statements, inside the transaction that is open."""
        ...

    def set_schema_version(self, connection: Any, version: int) -> None: ...

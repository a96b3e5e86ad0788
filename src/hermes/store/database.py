"""Database: connections, transactions and named statements, whatever is underneath.

Every thread of every process has its own connection, opened when it is first needed. A child
that was forked never touches its parent's: it abandons it and opens its own.

Inside a transaction the first failed statement dooms the whole, on both databases alike:
PostgreSQL would refuse to go on anyway, and SQLite must not commit half of what was meant.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from hermes.errors import Refused
from hermes.store.dialect import Connection, Dialect, Row
from hermes.store.queries import for_driver, load_queries


class Link:
    """One thread's connection, and how deep in a transaction it is."""

    __slots__ = ("__weakref__", "connection", "depth", "failure", "pid")

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.pid = os.getpid()
        self.depth = 0
        self.failure: BaseException | None = None

    @property
    def ours(self) -> bool:
        """False in a child that was forked while the parent had this connection."""
        return self.pid == os.getpid()


class Database:
    """What every table is made from; `open_database` makes it."""

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self._queries = load_queries(dialect.name)
        self._local = threading.local()
        self._links: weakref.WeakSet[Link] = weakref.WeakSet()
        self._links_lock = threading.Lock()
        _databases.add(self)

    @property
    def where(self) -> str:
        """The database as a person would name it, without any password."""
        return self.dialect.where

    def transaction(self) -> AbstractContextManager[None]:
        """All or nothing; a transaction inside a transaction is part of it."""
        return self._transaction(self.dialect.begin)

    def snapshot(self) -> AbstractContextManager[None]:
        """Reads inside see one moment, while others go on writing. Not for writing."""
        return self._transaction(self.dialect.begin_snapshot)

    @contextmanager
    def unanswered(self) -> Iterator[None]:
        """Inside a transaction, for writing alone: statements whose answers nobody reads go out
        together, so that a server is waited for once. The first that fails is told at the end."""
        link = self._link()
        with self._failing(link), self.dialect.unanswered(link.connection):
            yield

    def run(self, query: str, /, **values: Any) -> int:
        """Execute a named statement; how many rows it touched."""
        return self._execute(self._link(), self._queries[query], values)[1]

    def run_many(self, query: str, /, rows: Sequence[Mapping[str, Any]]) -> None:
        """Execute a named statement for each of many rows. For one alone nothing is set up."""
        link = self._link()
        if len(rows) == 1:
            self._execute(link, self._queries[query], rows[0])
            return
        with self._failing(link):
            link.connection.cursor().executemany(self._queries[query], rows)

    def one(self, query: str, /, **values: Any) -> Row | None:
        rows = self._execute(self._link(), self._queries[query], values)[0]
        return rows[0] if rows else None

    def all(self, query: str, /, **values: Any) -> list[Row]:
        return self._execute(self._link(), self._queries[query], values)[0]

    def ask(self, statement: str, values: Mapping[str, Any] | None = None) -> list[Row]:
        """Execute SQL that is made from the schema itself, where no name can be written down."""
        native = for_driver(statement, self.dialect.name)
        return self._execute(self._link(), native, values)[0]

    def load(self, statement: str, rows: Sequence[Mapping[str, Any]]) -> None:
        """Execute one such statement for each of many rows."""
        native = for_driver(statement, self.dialect.name)
        link = self._link()
        with self._failing(link):
            link.connection.cursor().executemany(native, rows)

    @contextmanager
    def connection(self) -> Iterator[Any]:
        """The raw connection, its errors in our words; for the schema only."""
        link = self._link()
        with self._failing(link):
            yield link.connection

    def close(self) -> None:
        """Close every connection of this process; the next use opens a new one."""
        with self._links_lock:
            links, self._links = list(self._links), weakref.WeakSet()
        self._local = threading.local()
        for link in links:
            _drop(link)

    def close_idle(self) -> None:
        """Close this thread's connection unless it is in a transaction."""
        link: Link | None = getattr(self._local, "link", None)
        if link is not None and link.ours and not link.depth:
            self._forget(link)

    def _link(self) -> Link:
        link: Link | None = getattr(self._local, "link", None)
        if link is not None:
            if link.ours and (link.depth or self.dialect.usable(link.connection)):
                return link
            self._forget(link)
        link = Link(self.dialect.connect())
        self._local.link = link
        with self._links_lock:
            self._links.add(link)
        return link

    def _forget(self, link: Link) -> None:
        self._local.link = None
        with self._links_lock:
            self._links.discard(link)
        _drop(link)

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[None]:
        link = self._link()
        if link.depth:
            with self._inner(link):
                yield
            return
        self._execute(link, begin)
        link.depth = 1
        try:
            yield
            self._commit(link)
        except BaseException:
            self._roll_back(link)
            raise
        finally:
            link.depth, link.failure = 0, None

    @contextmanager
    def _inner(self, link: Link) -> Iterator[None]:
        """A part of a transaction: when it fails, the whole has failed."""
        link.depth += 1
        try:
            yield
        except BaseException as error:
            link.failure = link.failure or error
            raise
        finally:
            link.depth -= 1

    def _commit(self, link: Link) -> None:
        self._check(link)
        self._execute(link, "COMMIT")

    def _roll_back(self, link: Link) -> None:
        """Undo; a connection that cannot even do that is dropped, which undoes it too."""
        if not link.ours:
            return
        try:
            if self.dialect.in_transaction(link.connection):
                link.connection.execute("ROLLBACK")
        except self.dialect.driver_error:
            self._forget(link)

    def _check(self, link: Link) -> None:
        if not link.ours:
            raise Refused("a transaction cannot go on in a forked process")
        if link.failure is not None:
            raise Refused(
                f"the transaction has failed already: {link.failure}",
                hint="let the first error end it",
            ) from link.failure

    def _execute(
        self, link: Link, statement: str, values: Mapping[str, Any] | None = None
    ) -> tuple[list[Row], int]:
        with self._failing(link):
            cursor = link.connection.execute(statement, values or {})
            rows = cursor.fetchall() if cursor.description is not None else []
            return rows, cursor.rowcount

    @contextmanager
    def _failing(self, link: Link) -> Iterator[None]:
        """Refuse in a doomed transaction; put a driver's error in our words and doom."""
        self._check(link)
        try:
            yield
        except self.dialect.driver_error as error:
            translated = self.dialect.translate(error)
            if link.depth:
                link.failure = translated
            if translated is error:
                raise
            raise translated from error


def _drop(link: Link) -> None:
    if link.ours:
        link.connection.close()
    else:
        _abandoned.append(link)  # closing it here would reach into the parent's


def _before_fork() -> None:
    """SQLite's locks are not inherited, but its belief to hold them is; so fork without them.

    A child that opened the same file next to an inherited connection would skip the locks that
    tell other processes it is there, and they could delete the write-ahead log under it.
    """
    for database in list(_databases):
        database.close_idle()


_databases: weakref.WeakSet[Database] = weakref.WeakSet()
_abandoned: list[Link] = []
os.register_at_fork(before=_before_fork)

"""The way into the store."""

from __future__ import annotations

import os
from pathlib import Path

from hermes.errors import ConfigError, MissingPart
from hermes.store.database import Database
from hermes.store.dialect import Dialect
from hermes.store.migrate import migrate


def open_database(address: str | os.PathLike[str]) -> Database:
    """The database at a path (SQLite) or a postgresql:// URL, its schema brought up to date.

    Refuses a schema that is newer than this version knows.
    """
    database = connect_database(address)
    migrate(database)
    return database


def connect_database(address: str | os.PathLike[str]) -> Database:
    """The same with the schema left as it is: for migrations and their tests."""
    return Database(_dialect(os.fspath(address)))


def _dialect(address: str) -> Dialect:
    scheme, separator, _ = address.partition("://")
    if not separator:
        from hermes.store.sqlite import SqliteDialect

        sqlite = SqliteDialect(Path(address).absolute())
        sqlite.create()
        return sqlite
    if scheme in ("postgresql", "postgres"):
        try:
            from hermes.store.postgres import PostgresDialect
        except ImportError as error:
            raise MissingPart(
                f"PostgreSQL needs a part that is not installed: {error}",
                hint="pip install 'hermes-loop[postgres]'",
            ) from error
        return PostgresDialect(address)
    raise ConfigError(
        f"no database of the kind {scheme!r}", hint="give a file path or a postgresql:// URL"
    )

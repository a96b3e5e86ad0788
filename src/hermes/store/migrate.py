"""Numbered, forward-only migrations.

`migrations/NNNN_<name>.sql` runs on both databases, `NNNN_<name>.<dialect>.sql` after it on one.
All that are missing run in one transaction, under a lock: a process that dies half-way leaves the
old schema, and of many processes that open at once one migrates while the others wait.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from hermes.errors import FutureSchema
from hermes.store.database import Database

FOLDER = Path(__file__).parent / "migrations"


@cache
def latest() -> int:
    """The newest schema this version knows."""
    return max(migrations())


@cache
def migrations() -> dict[int, list[Path]]:
    """Number → its files, the shared one first."""
    numbered: dict[int, list[Path]] = {}
    for path in sorted(FOLDER.glob("[0-9]*.sql"), key=lambda path: (path.name.count("."), path)):
        numbered.setdefault(int(path.name[:4]), []).append(path)
    return numbered


def migrate(database: Database, to: int | None = None) -> int:
    """Bring the schema up to `to`, or to the newest; how many migrations were missing."""
    wanted = latest() if to is None else to
    if schema_of(database) >= wanted:  # the usual case: one question, no lock
        return 0
    with database.transaction(), database.connection() as connection:
        database.dialect.prepare_schema(connection)
        current = schema_of(database)  # another process may have been first
        for number in range(current + 1, wanted + 1):
            for path in _files(number, database.dialect.name):
                database.dialect.run_script(connection, path.read_text(encoding="utf-8"))
        if current < wanted:
            database.dialect.set_schema_version(connection, wanted)
    return max(wanted - current, 0)


def _files(number: int, dialect: str) -> list[Path]:
    return [path for path in migrations()[number] if path.suffixes[:-1] in ([], [f".{dialect}"])]


def schema_of(database: Database) -> int:
    """The schema a database has; raises FutureSchema where this version does not know it."""
    with database.connection() as connection:
        version = database.dialect.schema_version(connection)
    if version > latest():
        raise FutureSchema(
            f"{database.where} has schema {version}, this version knows {latest()}",
            hint="upgrade hermes-loop",
        )
    return version

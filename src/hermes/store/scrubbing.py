"""After something was forgotten: no old copy of its page stays where the database can help it."""

from __future__ import annotations

from hermes.store.database import Database


def scrub(database: Database) -> None:
    """SQLite overwrites what is deleted, but its log still has the old pages until it is emptied;
    another reader may hold it back, and then the next one does it. PostgreSQL's own vacuum frees
    what is deleted."""
    if database.dialect.name == "sqlite":
        database.ask("PRAGMA wal_checkpoint(TRUNCATE)")

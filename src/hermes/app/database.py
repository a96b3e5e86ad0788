"""The database as a whole: opening it, and moving what is in it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from hermes.settings import private_folder

if TYPE_CHECKING:
    from hermes.settings import Settings
    from hermes.store.backup import Manifest
    from hermes.store.database import Database
    from hermes.store.transfer import Progress, TableDigest
    from hermes.store.verify import Problem


def open_store(settings: Settings) -> Database:
    from hermes.store.open import open_database

    return open_database(_address(settings))


def _address(settings: Settings) -> str:
    """Where the database is: a URL, or a file whose folder is there for its owner only."""
    if settings.database_url is not None:
        return settings.database_url.reveal()
    private_folder(settings.paths.database_file.parent)
    return str(settings.paths.database_file)


def store_schema(settings: Settings) -> tuple[int, int]:
    """The schema that the database has, and the one that this version wants; nothing is changed."""
    from hermes.store.migrate import latest
    from hermes.store.open import connect_database

    database = connect_database(_address(settings))
    with closing(database), database.connection() as connection:
        return database.dialect.schema_version(connection), latest()


def store_problems(settings: Settings) -> list[Problem]:
    """Everything that is wrong with the database, which is read and not repaired."""
    from hermes.store.verify import verify

    with closing(open_store(settings)) as database:
        return verify(database)


def back_up(settings: Settings, file: Path, progress: Progress) -> Manifest:
    """Everything in the database as it is now, as one file."""
    from hermes.store.backup import backup

    with closing(open_store(settings)) as database:
        return backup(database, file, progress)


def restore_backup(
    settings: Settings, file: Path, progress: Progress, *, replace: bool
) -> tuple[Manifest, Path | None]:
    """Fill an empty database from a backup, or put the backup in the place of a SQLite file.

    What was replaced is kept: that is the path in the answer. What was seen on disk is looked at
    anew afterwards.
    """
    from hermes.app.worker_lock import new_queue
    from hermes.library.index import Index
    from hermes.store.backup import restore
    from hermes.store.replacing import replace_by_backup

    path = settings.paths.database_file
    with new_queue(settings):
        if replace and settings.database_url is None and path.exists():
            manifest, kept = replace_by_backup(path, file, progress)
        else:
            with closing(open_store(settings)) as database:
                manifest, kept = restore(file, database, progress), None
    Index(settings.paths.data_dir / "index.db").clear()
    return manifest, kept


def copy_store(
    settings: Settings, address: str, progress: Progress
) -> tuple[Mapping[str, TableDigest], str]:
    """Everything into another, empty database: what each table had, and that database's name."""
    from hermes.store.open import open_database
    from hermes.store.transfer import copy

    with closing(open_store(settings)) as source, closing(open_database(address)) as target:
        return copy(source, target, progress), target.where

"""Puts one SQLite file in the place of another, which is kept beside it under a dated name.

A write-ahead log that was left behind by the old file would be played into the new one. So the
old file is first closed for good: SQLite drops its log only when nobody else has it open.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from hermes.errors import DiskFailed, Refused
from hermes.ids import new_id, now
from hermes.store.backup import Manifest, restore
from hermes.store.open import open_database
from hermes.store.transfer import Progress

_PATIENCE_SECONDS = 2.0
_SIDE_FILES = ("-wal", "-shm", "-journal")
_HEADER = b"SQLite format 3\0"
_DAMAGED = ("SQLITE_CORRUPT", "SQLITE_NOTADB")


def replace_by_backup(path: Path, file: Path, progress: Progress) -> tuple[Manifest, Path]:
    """Make a backup the database at `path`, and say where the old one is kept.

    The backup has been read whole before the old file is touched.
    """
    fresh = path.with_name(new_id(f".{path.name}"))
    try:
        with closing(open_database(fresh)) as database:
            manifest = restore(file, database, progress)
        return manifest, replace_file(path, fresh)
    finally:
        for leftover in (fresh, *(fresh.with_name(fresh.name + suffix) for suffix in _SIDE_FILES)):
            leftover.unlink(missing_ok=True)


def replace_file(path: Path, new: Path) -> Path:
    """Make `new` the database at `path`; the place where the old one is kept.

    Raises Refused while another process uses the database: it would go on writing to the old one.
    """
    kept = path.with_name(f"{path.name}.{now():%Y%m%dT%H%M%S.%fZ}.old")
    try:
        if _is_database(path):
            _exchange(path, new, kept)
        else:
            _move_all(path, kept)
            os.replace(new, path)
    except OSError as error:
        raise DiskFailed(f"{path} could not be replaced: {error.strerror}") from error
    _sync(path.parent)
    return kept


def _is_database(path: Path) -> bool:
    """By its first bytes: SQLite would throw the log of any other file away on opening it."""
    with path.open("rb") as file:
        return file.read(len(_HEADER)) in (_HEADER, b"")


def _exchange(path: Path, new: Path, kept: Path) -> None:
    try:
        with closing(sqlite3.connect(path, timeout=_PATIENCE_SECONDS, isolation_level=None)) as old:
            _close_for_others(old)
            os.link(path, kept)
            os.replace(new, path)
    except sqlite3.DatabaseError as error:
        if not getattr(error, "sqlite_errorname", "").startswith(_DAMAGED):
            raise Refused(
                f"{path} is in use by another process ({error})",
                hint="end it, then run this again; nothing was changed",
            ) from error
        _move_all(path, kept)
        os.replace(new, path)


def _close_for_others(old: sqlite3.Connection) -> None:
    """Alone with the file, its log written into it and gone; until this connection closes."""
    old.execute("PRAGMA locking_mode = EXCLUSIVE")
    ((mode,),) = old.execute("PRAGMA journal_mode = DELETE").fetchall()
    if mode != "delete":
        raise sqlite3.OperationalError("it keeps its write-ahead log")
    old.execute("BEGIN EXCLUSIVE")


def _move_all(path: Path, kept: Path) -> None:
    """A file that SQLite cannot read any more leaves with all that belongs to it."""
    os.rename(path, kept)
    for suffix in _SIDE_FILES:
        side = path.with_name(path.name + suffix)
        if side.exists():
            os.rename(side, kept.with_name(kept.name + suffix))


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

"""A backup is one zip file: a JSON line for every row, and a manifest that proves them.

It is written beside its place, synced and renamed, so that a file of that name is always whole.
It says nothing of SQLite or PostgreSQL: either can be restored from the other's.
"""

from __future__ import annotations

import json
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO

from hermes.errors import AgentError, CorruptData, DiskFailed, FutureSchema, NotFound
from hermes.ids import canonical_json, now
from hermes.records.codec import CodecError, dump, load
from hermes.store.database import Database
from hermes.store.layout import Layout
from hermes.store.migrate import latest, migrate, schema_of
from hermes.store.open import connect_database
from hermes.store.transfer import (
    Plain,
    Progress,
    TableDigest,
    Tally,
    columns_of,
    copy,
    look_over,
    require_empty,
    silent,
    tables_of,
    watched_rows,
    write_rows,
)
from hermes.store.whole_file import whole_file

FORMAT = "hermes-loop-backup-1"
_MANIFEST = "manifest.json"
_UNREADABLE = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, KeyError, ValueError)


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What a backup holds; a file whose tables differ from it is not restored."""

    format: str
    schema: int
    created_at: datetime
    tables: Mapping[str, TableDigest]


def backup(database: Database, path: Path, progress: Progress = silent) -> Manifest:
    """Write everything as it is at one moment, while others go on writing."""
    try:
        with whole_file(path) as file:
            return _write(database, file, progress)
    except OSError as error:
        raise DiskFailed(
            f"cannot write {path}: {error.strerror}", hint="nothing was left; choose another place"
        ) from error


def restore(path: Path, database: Database, progress: Progress = silent) -> Manifest:
    """Put a backup into an empty database, all of it or nothing.

    One of an earlier schema is first brought up to date in a temporary file.
    """
    try:
        with _opened(path) as archive:
            manifest = _manifest(archive, path)
            if manifest.schema == latest():
                with database.transaction():
                    require_empty(database)
                    _read(archive, manifest, database, path, progress)
            else:
                _restore_earlier(archive, manifest, database, path, progress)
            look_over(database)
            return manifest
    except OSError as error:
        raise DiskFailed(f"cannot read {path}: {error.strerror}", hint="check the disk") from error


def _write(database: Database, file: IO[bytes], progress: Progress) -> Manifest:
    tables: dict[str, TableDigest] = {}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive, database.snapshot():
        schema = schema_of(database)
        for layout in tables_of(database):
            tally = Tally()
            with archive.open(f"{layout.table}.jsonl", "w", force_zip64=True) as entry:
                for row in watched_rows(database, layout, progress):
                    entry.write(tally.line(row))
            tables[layout.table] = tally.digest()
        manifest = Manifest(format=FORMAT, schema=schema, created_at=now(), tables=tables)
        archive.writestr(_MANIFEST, canonical_json(dump(manifest)))
    return manifest


def _restore_earlier(
    archive: zipfile.ZipFile, manifest: Manifest, database: Database, path: Path, progress: Progress
) -> None:
    with tempfile.TemporaryDirectory(prefix="hermes-restore-") as folder:
        earlier = connect_database(Path(folder) / "earlier.db")
        migrate(earlier, to=manifest.schema)
        with earlier.transaction():
            _read(archive, manifest, earlier, path, silent)
        migrate(earlier)
        copy(earlier, database, progress)
        earlier.close()


def _read(
    archive: zipfile.ZipFile, manifest: Manifest, database: Database, path: Path, progress: Progress
) -> None:
    layouts = tables_of(database)
    if {layout.table for layout in layouts} != manifest.tables.keys():
        raise _not_ours(path, "its tables are not those of its schema")
    for layout in layouts:
        rows = _rows(archive, layout, columns_of(database, layout), path)
        expected = manifest.tables[layout.table]
        try:
            written = write_rows(database, layout, rows)
        except (AgentError, ValueError) as error:  # a row that the schema refuses
            raise _not_ours(path, f"{layout.table}: {error}") from error
        if written != expected:
            raise _not_ours(path, f"{layout.table} is not what the manifest says")
        progress(layout.table, expected.rows, expected.rows)


def _rows(
    archive: zipfile.ZipFile, layout: Layout, columns: list[str], path: Path
) -> Iterator[Plain]:
    """The rows of one table; each has just the columns of the schema, and plain values."""
    number = 0
    try:
        with archive.open(f"{layout.table}.jsonl") as entry:
            for line in entry:
                number += 1
                row = json.loads(line)
                if not isinstance(row, dict) or sorted(row) != columns or not _is_plain(row):
                    raise ValueError("not a row of this table")
                yield row
    except _UNREADABLE as error:
        raise _not_ours(path, f"{layout.table}, line {number}: {error}") from error


def _is_plain(row: Plain) -> bool:
    return all(value is None or type(value) in (str, int, float) for value in row.values())


def _manifest(archive: zipfile.ZipFile, path: Path) -> Manifest:
    try:
        plain = json.loads(archive.read(_MANIFEST))
        if not isinstance(plain, dict) or plain.get("format") != FORMAT:
            raise CodecError("it is no backup of Hermes Loop")
        manifest = load(Manifest, plain)
    except _UNREADABLE as error:
        raise _not_ours(path, str(error)) from error
    if manifest.schema > latest():
        raise FutureSchema(
            f"{path} has schema {manifest.schema}, this version knows {latest()}",
            hint="upgrade hermes-loop",
        )
    if manifest.schema < 1:
        raise _not_ours(path, f"there is no schema {manifest.schema}")
    return manifest


@contextmanager
def _opened(path: Path) -> Iterator[zipfile.ZipFile]:
    try:
        archive = zipfile.ZipFile(path)
    except FileNotFoundError as error:
        raise NotFound(f"there is no file {path}") from error
    except _UNREADABLE as error:
        raise _not_ours(path, str(error)) from error
    with archive:
        yield archive


def _not_ours(path: Path, why: str) -> CorruptData:
    return CorruptData(why, where=str(path), hint="nothing was written; use another backup")

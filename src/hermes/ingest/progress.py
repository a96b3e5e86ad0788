"""Whether a file looks as it did when it was last read."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from hermes.ids import content_hash
from hermes.records.imported import ImportedFile

_HEAD = 4_096
_DATABASES = (".db", ".sqlite", ".sqlite3")


@dataclass(frozen=True, slots=True)
class Look:
    """What `stat` says of a file. A database that writes ahead is known by its log as well."""

    size: int
    mtime_ns: int

    def same_as(self, before: ImportedFile) -> bool:
        return (self.size, self.mtime_ns) == (before.size, before.mtime_ns)


def look_at(path: Path) -> Look:
    """Raises OSError where there is no such file."""
    status = path.stat()
    size, mtime = status.st_size, status.st_mtime_ns
    if path.suffix in _DATABASES:
        try:
            ahead = os.stat(f"{path}-wal")
        except FileNotFoundError:
            return Look(size, mtime)
        size, mtime = size + ahead.st_size, max(mtime, ahead.st_mtime_ns)
    return Look(size, mtime)


def head_of(path: Path, size: int) -> str:
    """The hash of the first bytes of a file that had this size: growing does not change it."""
    with path.open("rb") as file:
        return content_hash(file.read(min(_HEAD, size)))


def has_grown(path: Path, before: ImportedFile | None) -> bool:
    """Whether it begins as the file that was imported under its name."""
    return before is not None and head_of(path, before.size) == before.head

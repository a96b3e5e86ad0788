"""ImportedFile: how far the import of one log has come."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedFile:
    """A file that looks the same to `stat` is not opened again.

    `head` is the hash of its first bytes: with it a log that has grown is told from another one
    that took its name. `how` names the options it was read with. The counts are of the last time
    it was read.
    """

    path: str
    size: int
    mtime_ns: int
    head: str
    how: str
    sessions: int
    tasks: int
    steps: int
    problems: int
    imported_at: datetime

"""The home's own id: whose folder a journal line speaks of, when machines share one database."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from hermes.errors import CorruptData, DiskFailed
from hermes.ids import new_id

_WORD = "home"


def home_id(file: Path) -> str:
    """The id in this file, which is made when it is first asked for."""
    try:
        if not file.exists():
            _make(file)
        text = file.read_text(encoding="ascii", errors="replace").strip()
    except OSError as error:
        raise DiskFailed(
            f"{file} cannot be used: {error.strerror}",
            hint="free space or make the folder writable",
        ) from error
    if not text.startswith(f"{_WORD}_") or not text.isascii():
        raise CorruptData(
            "is no home's id",
            where=str(file),
            hint="put back the id that the journal names, or delete the file if it names none",
        )
    return text


def _make(file: Path) -> None:
    """Whole and on disk before it has its name; of several processes the first one wins."""
    file.parent.mkdir(parents=True, exist_ok=True)
    mine = file.with_name(new_id(_WORD))
    try:
        with mine.open("x") as opened:
            opened.write(mine.name)
            opened.flush()
            os.fsync(opened.fileno())
        with suppress(FileExistsError):
            os.link(mine, file)
    finally:
        mine.unlink(missing_ok=True)

"""Adoption: which folders were on this disk before us.

They go live as they are, because somebody used them already. Whatever came later is somebody's
act: a person's, or, while an agent runs, nobody knows whose.
"""

from __future__ import annotations

import os
from pathlib import Path

from hermes.errors import CorruptData, DiskFailed
from hermes.library import folders


class Adoption:
    """`birth` is a file as old as the home; `ended` exists once a first look came to its end.

    Until then the look is a first one, also when it died half-way or several processes have it
    at once. Change times decide, which no program can set: not even a folder that is moved here
    keeps its own.
    """

    def __init__(self, birth: Path, ended: Path) -> None:
        self._birth = birth
        self._ended = ended

    def goes_on(self) -> bool:
        return not self._ended.exists()

    def includes(self, folder: Path) -> bool:
        """Whether nothing in the folder has changed since the home was made."""
        try:
            born = self._birth.stat().st_mtime_ns
            if os.stat(folder).st_ctime_ns > born:
                return False
            return all(found.stat.st_ctime_ns <= born for found in folders.walk(folder))
        except (OSError, CorruptData):  # it cannot be read, so it does not go live either way
            return False

    def end(self) -> None:
        try:
            self._ended.touch()
        except OSError as error:
            raise DiskFailed(
                f"{self._ended} could not be written: {error.strerror}",
                hint="free space or make the folder writable",
            ) from error

"""What each folder holds, remembered: a look at one that did not change costs a stat for each file.

Before every prompt dozens of folders are looked at. Names can only come and go with a change of
the folder itself, so one that is as it was need not be listed again; its files are still asked,
each time, for a change cannot be seen from outside.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from hermes.library.folders import digest, mark, settled_change, walk


@dataclass(frozen=True, slots=True)
class _Listing:
    """The folder and those below with the moment of their last change; its files as they were.

    A moment of -1 is too young to be trusted, and equals no other.
    """

    changes: dict[str, int]
    marks: dict[str, str]
    signature: str

    def is_current(self, folder: str) -> bool:
        """Folders are asked last: a file that goes away meanwhile shows there."""
        return all(
            mark(path, os.lstat(f"{folder}/{path}")) == known for path, known in self.marks.items()
        ) and all(os.stat(path).st_ctime_ns == at for path, at in self.changes.items())


class Listings:
    """Of one process, shared by its threads."""

    def __init__(self) -> None:
        self._known: dict[str, _Listing] = {}

    def signature(self, folder: str) -> str:
        """Changes whenever a file of the folder does; reads nothing. Raises CorruptData."""
        known = self._known.get(folder)
        try:
            if known is not None and known.is_current(folder):
                return known.signature
        except OSError:  # gone or closed to us since: listing it says which
            pass
        known = self._known[folder] = _listed(folder)
        return known.signature


def _listed(folder: str) -> _Listing:
    changes: dict[str, int] = {}

    def entered(path: str) -> None:
        changes[path] = settled_change(path)

    found = list(walk(folder, entered=entered))
    return _Listing(changes, {one.path: mark(one.path, one.stat) for one in found}, digest(found))

"""Where skills can be: `<skills>/<name>` or `<skills>/<category>/<name>`, and external folders.

A folder with a SKILL.md is a skill; a folder without one is a category, one level deep in ours.
Names that begin with a dot belong to other programs and are never looked at.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hermes.errors import CorruptData
from hermes.library import folders
from hermes.library.index import Index

_EXTERNAL_DEPTH = 5
_EXTERNAL_FOLDERS = 2_000
_RACY_NS = 50_000_000


@dataclass(frozen=True, slots=True)
class Place:
    """A folder that holds a SKILL.md. `location` is relative to ours, absolute elsewhere.

    `folder` is its path as text: a look at a thousand of them must not make a thousand Paths.
    """

    name: str
    category: str
    location: str
    folder: str
    head_signature: str

    @property
    def path(self) -> Path:
        return Path(self.folder)


@dataclass(frozen=True, slots=True)
class Places:
    """Every skill folder by location, ours first; and when each folder above them last changed.

    A mark is taken before its folder is listed, so what appears in between shows next time.
    """

    found: Mapping[str, Place]
    marks: Mapping[str, int]

    def unchanged(self) -> bool:
        """Whether no skill folder appeared, vanished or was renamed since: a cheap look."""
        return all(_changed_at(folder) == mark for folder, mark in self.marks.items())


def check_root(root: Path, index: Index) -> None:
    """Raises when the skills folder is gone though skills were there: a disk is not mounted."""
    if not folders.is_folder(root) and index.has_relative():
        raise CorruptData(
            "the skills folder is gone, though skills were there",
            where=str(root),
            hint="mount or restore it; nothing was archived",
        )


def discover(root: Path, external: Sequence[Path]) -> Places:
    """Look everywhere. Raises CorruptData when the skills folder itself cannot be looked into."""
    _check_readable(root)
    marks: dict[str, int] = {}
    found = {place.location: place for place in _in_root(str(root), marks)}
    for folder in external:
        for place in _in_external(folder, marks):
            found.setdefault(place.location, place)
    return Places(found, marks)


def place_at(folder: str, name: str, category: str, location: str) -> Place | None:
    """The place of a folder; None where there is no SKILL.md in it."""
    try:
        return Place(name, category, location, folder, folders.head_signature(folder))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:  # it is there: whoever reads it is told why that fails
        return Place(name, category, location, folder, f"unreadable: {error.strerror}")


def _check_readable(root: Path) -> None:
    if folders.is_folder(root) and not os.access(root, os.R_OK | os.X_OK):
        raise CorruptData(
            "cannot be looked into: permission denied",
            where=str(root),
            hint="make it readable; nothing was archived",
        )


def _in_root(root: str, marks: dict[str, int]) -> Iterator[Place]:
    for name in _subfolders(root, marks):
        place = place_at(f"{root}/{name}", name, "", name)
        if place is not None:
            yield place
            continue
        for inner in _subfolders(f"{root}/{name}", marks):
            nested = place_at(f"{root}/{name}/{inner}", inner, name, f"{name}/{inner}")
            if nested is not None:
                yield nested


def _in_external(folder: Path, marks: dict[str, int]) -> Iterator[Place]:
    queue = [(str(folder.expanduser().absolute()), 0)]
    visited = 0
    while queue and visited < _EXTERNAL_FOLDERS:
        current, depth = queue.pop(0)
        visited += 1
        for name in _subfolders(current, marks):
            path = f"{current}/{name}"
            place = place_at(path, name, "", path)
            if place is not None:
                yield place
            elif depth + 1 < _EXTERNAL_DEPTH:
                queue.append((path, depth + 1))


def _subfolders(folder: str, marks: dict[str, int]) -> list[str]:
    marks[folder] = _settled_mark(folder)
    try:
        with os.scandir(folder) as entries:
            return sorted(entry.name for entry in entries if _may_hold_skills(entry))
    except OSError:
        return []  # what was known in there is asked for by its own path before it counts as gone


def _may_hold_skills(entry: os.DirEntry[str]) -> bool:
    if entry.name.startswith("."):
        return False
    try:
        entry.name.encode()
        return entry.is_dir()
    except (UnicodeEncodeError, OSError):  # no text, or a link that leads to itself
        return False


def _settled_mark(folder: str) -> int:
    """A mark that equals no other while the folder may still change within one tick."""
    changed = _changed_at(folder)
    return -1 if changed > time.time_ns() - _RACY_NS else changed


def _changed_at(folder: str) -> int:
    try:
        return os.stat(folder).st_mtime_ns
    except OSError:
        return 0

"""Where skills can be: `<skills>/<name>` or `<skills>/<category>/<name>`, and external folders.

A folder with a SKILL.md is a skill; a folder without one is a category, one level deep in ours.
Names that begin with a dot belong to other programs and are never looked at.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from hermes.library import folders

_EXTERNAL_DEPTH = 5
_EXTERNAL_FOLDERS = 2_000


@dataclass(frozen=True, slots=True)
class Place:
    """A folder that holds a SKILL.md. `location` is relative to ours, absolute elsewhere."""

    name: str
    category: str
    location: str
    path: Path
    head_signature: str


def discover(root: Path, external: Sequence[Path]) -> dict[str, Place]:
    """Every skill folder by location. Ours come first, so a name clash hides the external one."""
    found = {place.location: place for place in _in_root(root)}
    for folder in external:
        for place in _in_external(folder):
            found.setdefault(place.location, place)
    return found


def folder_marks(root: Path, categories: Iterable[str]) -> tuple[tuple[str, int], ...]:
    """Changes when a skill folder appears, vanishes or is renamed: the cheap look at the top."""
    return tuple((name, _mtime(root / name)) for name in ("", *sorted(set(categories) - {""})))


def _in_root(root: Path) -> Iterator[Place]:
    for name in _subfolders(root):
        place = _place(root / name, name, "", name)
        if place is not None:
            yield place
            continue
        for inner in _subfolders(root / name):
            nested = _place(root / name / inner, inner, name, f"{name}/{inner}")
            if nested is not None:
                yield nested


def _in_external(folder: Path) -> Iterator[Place]:
    queue = [(folder.expanduser().absolute(), 0)]
    visited = 0
    while queue and visited < _EXTERNAL_FOLDERS:
        current, depth = queue.pop(0)
        visited += 1
        for name in _subfolders(current):
            path = current / name
            place = _place(path, name, "", str(path))
            if place is not None:
                yield place
            elif depth + 1 < _EXTERNAL_DEPTH:
                queue.append((path, depth + 1))


def _place(path: Path, name: str, category: str, location: str) -> Place | None:
    try:
        return Place(name, category, location, path, folders.head_signature(path))
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return None


def _subfolders(folder: Path) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return sorted(
                entry.name
                for entry in entries
                if not entry.name.startswith(".") and entry.is_dir() and _is_text(entry.name)
            )
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return []


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _mtime(folder: Path) -> int:
    try:
        return os.stat(folder).st_mtime_ns
    except FileNotFoundError:
        return 0

"""What a program left in its folder: plain files, as many and as large as somebody can use.

A hostile program may leave links to our own files, pipes that nobody writes to, or a million
files. None of that is opened, and each is told by name.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hermes.ids import content_hash

_MOST_FILES = 1_000
_DEEPEST = 16
_CACHES = frozenset(("__pycache__", ".cache", ".config", ".pytest_cache", ".ipynb_checkpoints"))
_OPEN = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class Collected:
    """Path below the folder → bytes, and what was not taken over, each with why."""

    files: Mapping[str, bytes]
    unkept: tuple[str, ...]


def collect(folder: str, before: Mapping[str, str], most_bytes: int) -> Collected:
    """The files that are new or not what `before` (path → content hash) says.

    Call when every process that could write there is dead.
    """
    files: dict[str, bytes] = {}
    unkept: list[str] = []
    room = most_bytes
    for path, found in _walk(folder, "", 0):
        if len(files) + len(unkept) >= _MOST_FILES:
            unkept.append(f"more than {_MOST_FILES} files")
            break
        problem = _problem(path, found, room)
        if problem:
            unkept.append(f"{path!a}: {problem}")
            continue
        try:
            data = _read(os.path.join(folder, path))
        except OSError as error:
            unkept.append(f"{path!a}: {error.strerror}")
            continue
        if before.get(path) != content_hash(data):
            files[path] = data
            room -= len(data)
    return Collected(files, tuple(unkept))


def _walk(folder: str, below: str, depth: int) -> Iterator[tuple[str, os.stat_result]]:
    """Every entry but the folders that can be entered, in the order of names."""
    with os.scandir(os.path.join(folder, below)) as entries:
        ordered = sorted(entries, key=lambda entry: entry.name)
    for entry in ordered:
        path = os.path.join(below, entry.name)
        found = entry.stat(follow_symlinks=False)
        enterable = depth < _DEEPEST and os.access(entry.path, os.R_OK | os.X_OK)
        if not stat.S_ISDIR(found.st_mode) or not enterable:
            yield path, found
        elif entry.name not in _CACHES:
            yield from _walk(folder, path, depth + 1)


def _problem(path: str, found: os.stat_result, room: int) -> str:
    if not path.isprintable():
        return "its name is not plain text"
    if not stat.S_ISREG(found.st_mode):
        return "it is no plain file"
    if found.st_nlink > 1:
        return "it is a file under two names"
    if found.st_size > room:
        return f"it has {found.st_size:,} bytes, which is too much"
    return ""


def _read(path: str) -> bytes:
    with open(os.open(path, _OPEN), "rb") as file:
        return file.read()

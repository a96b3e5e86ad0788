"""Which files of the project a tool call read and wrote, found by looking at the disk.

What a call names and is there is kept as it was before the call; what is different afterwards was
written by it. Looking is bounded: in a large project only the folders that changed and the files
that were named are looked at.
"""

from __future__ import annotations

import mimetypes
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from hermes.agent.confinement import Confinement
from hermes.errors import Refused
from hermes.ports import Blobs
from hermes.records.artefact import Artefact, ArtefactRole
from hermes.records.codec import Json

_WORD = re.compile(r"[^\s'\"`()\[\]{}<>|;&,=:]+(?:/[^\s'\"`()\[\]{}<>|;&,=:]+)*")
_NAMED_AT_MOST = 64
_KNOWN_AT_MOST = 2_000  # files; beyond that only changed folders and named files are looked at
_FOLDERS_AT_MOST = 2_000
_LONGEST_TEXT = 100_000  # characters of arguments in which names are looked for
_PASSED_BY = frozenset(
    (".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv", "venv", ".tox", ".mypy_cache")
)
_Stamp = tuple[int, int, int]


class Watch:
    """One project during one session."""

    def __init__(self, place: Confinement, blobs: Blobs) -> None:
        self._place = place
        self._blobs = blobs
        self._folders: dict[Path, int] = {}
        self._files: dict[Path, _Stamp] = {}
        self._started = False

    def named(self, arguments: Mapping[str, Json]) -> list[Artefact]:
        """The files that the arguments name and that are there, kept as they are now."""
        self._start()
        found = {}
        for path in self._paths(arguments):
            stamp = _stamp(path)
            if stamp is not None:
                self._files[path] = stamp
                found[path] = self._artefact(path, ArtefactRole.READ, stamp)
            if len(found) >= _NAMED_AT_MOST:
                break
        return list(found.values())

    def changed(self, arguments: Mapping[str, Json]) -> list[Artefact]:
        """What is new or different since the last look; `arguments` name where else to look."""
        for folder, before in list(self._folders.items()):
            if _modified(folder) != before:
                self._enter(folder)
        written = []
        for path in dict.fromkeys((*self._files, *self._paths(arguments))):
            stamp = _stamp(path)
            if stamp is None:
                self._files.pop(path, None)
            elif stamp != self._files.get(path):
                self._files[path] = stamp
                written.append(self._artefact(path, ArtefactRole.WRITTEN, stamp))
        return written[:_NAMED_AT_MOST]

    def _start(self) -> None:
        if not self._started:
            self._started = True
            self._enter(self._place.root, known=True)

    def _enter(self, folder: Path, *, known: bool = False) -> None:
        """Look through a folder and those below that were not seen yet."""
        waiting = [folder]
        while waiting and len(self._folders) < _FOLDERS_AT_MOST:
            current = waiting.pop()
            modified = _modified(current)
            if modified is None:
                self._folders.pop(current, None)
                continue
            self._folders[current] = modified
            for entry in _entries(current):
                path = Path(entry.path)
                if entry.is_dir(follow_symlinks=False):
                    if self._is_new(path):
                        waiting.append(path)
                elif entry.is_file(follow_symlinks=False) and path not in self._files:
                    self._learn(path, known=known)

    def _is_new(self, folder: Path) -> bool:
        passed_by = folder.name in _PASSED_BY or self._place.is_hidden(folder)
        return not passed_by and folder not in self._folders

    def _learn(self, path: Path, *, known: bool) -> None:
        """A file that turned up: part of what was there before, or the work of the last call."""
        if len(self._files) >= _KNOWN_AT_MOST:
            return
        stamp = _stamp(path) if known else (0, 0, 0)
        if stamp is not None:
            self._files[path] = stamp

    def _paths(self, arguments: Mapping[str, Json]) -> Iterator[Path]:
        seen: set[str] = set()
        for text in _texts(arguments):
            for word in _WORD.findall(text[:_LONGEST_TEXT]):
                if word in seen or len(word) > 1_000:
                    continue
                seen.add(word)
                path = self._real(word)
                if path is not None:
                    yield path

    def _real(self, word: str) -> Path | None:
        """Where a name leads, if that is in the project; no link leads to what is kept of it."""
        try:
            path = Path(os.path.realpath(self._place.root / word))
        except (OSError, ValueError):
            return None
        inside = path.is_relative_to(self._place.root) and not self._place.is_hidden(path)
        return path if inside else None

    def _artefact(self, path: Path, role: ArtefactRole, stamp: _Stamp) -> Artefact:
        content = None
        if stamp[1] <= self._blobs.limit:
            try:
                content = self._blobs.put(path.read_bytes())
            except (OSError, Refused):
                content = None  # it grew or went away meanwhile: named, and not kept
        return Artefact(
            name=self._place.name(path),
            role=role,
            content=content,
            size=stamp[1],
            media_type=mimetypes.guess_type(path.name)[0] or "application/octet-stream",
        )


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, Sequence):
        for inner in value:
            yield from _texts(inner)


def _stamp(path: Path) -> _Stamp | None:
    """None where there is no file of that name; a link is not followed."""
    try:
        status = os.lstat(path)
    except (OSError, ValueError):
        return None
    is_file = (status.st_mode & 0o170000) == 0o100000
    return (status.st_mtime_ns, status.st_size, status.st_ino) if is_file else None


def _modified(folder: Path) -> int | None:
    try:
        return os.stat(folder).st_mtime_ns
    except OSError:
        return None


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return list(found)
    except OSError:  # gone meanwhile, or not ours to read
        return []

"""Which files of the project a tool call read and wrote, found by looking at the disk.

What a call names and is there is kept as it was before the call; what is different afterwards was
written by it. Looking is bounded: in a large project only the folders that changed and the files
that were named are looked at.
"""

from __future__ import annotations

import mimetypes
import os
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from hermes.agent.confinement import Confinement
from hermes.errors import Refused
from hermes.ports import Blobs
from hermes.records.artefact import Artefact, ArtefactRole
from hermes.records.codec import Json

_WORD = re.compile(r"[^\s'\"`()\[\]{}<>|;&,=:]+(?:/[^\s'\"`()\[\]{}<>|;&,=:]+)*")
_NAMED_AT_MOST = 64
_KNOWN_AT_MOST = 1_000  # files; beyond that only changed folders and named files are looked at
_FOLDERS_AT_MOST = 2_000
_CLOCK_STEP = 20_000_000  # nanoseconds by which the clock of a disk may be behind
_LONGEST_TEXT = 100_000  # characters of arguments in which names are looked for
_PASSED_BY = frozenset(
    (".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv", "venv", ".tox", ".mypy_cache")
)
_Stamp = tuple[int, int, int]
_UNSEEN: _Stamp = (0, 0, 0)


class Watch:
    """One project during one session."""

    def __init__(self, place: Confinement, blobs: Blobs) -> None:
        self._place = place
        self._blobs = blobs
        self._folders: dict[str, int] = {}
        self._files: dict[str, _Stamp] = {}
        self._looked = 0
        """When the disk was last looked at, in nanoseconds: what is younger was written since."""

    def named(self, arguments: Mapping[str, Json]) -> list[Artefact]:
        """The files that the arguments name and that are there, kept as they are now."""
        if not self._looked:
            self._enter(str(self._place.root), since=None)
        found = {}
        for path in self._paths(arguments):
            stamp = _stamp(path)
            if stamp is not None:
                self._files[path] = stamp
                found[path] = self._artefact(path, ArtefactRole.READ, stamp)
            if len(found) >= _NAMED_AT_MOST:
                break
        self._looked = time.time_ns()
        return list(found.values())

    def changed(self, arguments: Mapping[str, Json]) -> list[Artefact]:
        """What is new or different since the last look; `arguments` name where else to look."""
        since = self._looked - _CLOCK_STEP
        for folder, before in list(self._folders.items()):
            if _modified(folder) != before:
                self._enter(folder, since=since)
        written: list[Artefact] = []
        for path in dict.fromkeys((*self._files, *self._paths(arguments))):
            stamp = _stamp(path)
            if stamp is None:
                self._files.pop(path, None)
            elif stamp != self._files.get(path):
                self._files[path] = stamp
                if len(written) < _NAMED_AT_MOST:
                    written.append(self._artefact(path, ArtefactRole.WRITTEN, stamp))
        self._looked = time.time_ns()
        return written

    def _enter(self, folder: str, *, since: int | None) -> None:
        """Look through a folder and those below that were not seen yet.

        Without `since` everything was there before; else what is as young was written just now.
        """
        waiting = [folder]
        while waiting and len(self._folders) < _FOLDERS_AT_MOST:
            current = waiting.pop()
            modified = _modified(current)
            if modified is None:
                self._folders.pop(current, None)
                continue
            self._folders[current] = modified
            for entry in entries(current):
                if entry.is_dir(follow_symlinks=False):
                    if self._is_new(entry):
                        waiting.append(entry.path)
                elif entry.is_file(follow_symlinks=False):
                    self._learn(entry.path, since)

    def _is_new(self, folder: os.DirEntry[str]) -> bool:
        if folder.name in _PASSED_BY or folder.path in self._folders:
            return False
        return not self._place.is_hidden(Path(folder.path))

    def _learn(self, path: str, since: int | None) -> None:
        """A file that turned up: part of what was there before, or the work of the last call."""
        if path in self._files:
            return
        if since is None:
            if len(self._files) < _KNOWN_AT_MOST and (stamp := _stamp(path)) is not None:
                self._files[path] = stamp
        elif _changed_at(path) >= since:
            self._files[path] = _UNSEEN

    def _paths(self, arguments: Mapping[str, Json]) -> Iterator[str]:
        seen: set[str] = set()
        for text in _texts(arguments):
            for word in _WORD.findall(text[:_LONGEST_TEXT]):
                if word in seen or len(word) > 1_000:
                    continue
                seen.add(word)
                path = self._real(word)
                if path is not None:
                    yield path

    def _real(self, word: str) -> str | None:
        """Where a name leads, if a file is there and it lies in the project; no link leads to
        anything else."""
        named = os.path.join(self._place.root, word)
        try:
            if not os.path.isfile(named):
                return None
            path = Path(os.path.realpath(named))
        except (OSError, ValueError):
            return None
        inside = path.is_relative_to(self._place.root) and not self._place.is_hidden(path)
        return str(path) if inside else None

    def _artefact(self, path: str, role: ArtefactRole, stamp: _Stamp) -> Artefact:
        content = None
        if stamp[1] <= self._blobs.limit:
            try:
                content = self._blobs.put(Path(path).read_bytes())
            except (OSError, Refused):
                content = None  # it grew or went away meanwhile: named, and not kept
        return Artefact(
            name=self._place.name(Path(path)),
            role=role,
            content=content,
            size=stamp[1],
            media_type=mimetypes.guess_type(path)[0] or "application/octet-stream",
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


def _stamp(path: str) -> _Stamp | None:
    """None where there is no file of that name; a link is not followed."""
    try:
        status = os.lstat(path)
    except (OSError, ValueError):
        return None
    is_file = (status.st_mode & 0o170000) == 0o100000
    return (status.st_mtime_ns, status.st_size, status.st_ino) if is_file else None


def _changed_at(path: str) -> int:
    """When its content or its name last changed; what an older date was written into, too."""
    try:
        return os.lstat(path).st_ctime_ns
    except OSError:  # gone meanwhile
        return 0


def _modified(folder: str) -> int | None:
    try:
        return os.stat(folder).st_mtime_ns
    except OSError:
        return None


def entries(folder: str) -> list[os.DirEntry[str]]:
    """What is in a folder; nothing where it cannot be looked into."""
    try:
        with os.scandir(folder) as found:
            return list(found)
    except OSError:  # gone meanwhile, or not ours to read
        return []

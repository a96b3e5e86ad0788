"""Reading a skill's folder: its bytes, its hash, and a cheap signature that tells "unchanged".

Caches that a run leaves behind are not part of a skill. A link, a device or a folder beyond the
limits is an error that names the path: it is never skipped in silence.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from hermes.errors import CorruptData
from hermes.records.folder import SKILL_FILE, FileContent, Folder

MAX_FILES = 2_000
MAX_BYTES = 50 * 1024 * 1024
"""What one adopted folder may hold; the same caps that skill registries use for a package."""

_CACHES = frozenset({"__pycache__", ".DS_Store", ".git", ".mypy_cache", ".pytest_cache"})
_RACY_NS = 50_000_000


@dataclass(frozen=True, slots=True)
class Found:
    """One file as the folder listing shows it."""

    path: str
    stat: os.stat_result


def walk(folder: Path, prefix: str = "") -> Iterator[Found]:
    """Every file that belongs to the skill, in no particular order."""
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name in _CACHES or entry.name.endswith((".pyc", ".swp", "~")):
                    continue
                path = prefix + entry.name
                info = entry.stat(follow_symlinks=False)
                if stat.S_ISDIR(info.st_mode):
                    yield from walk(folder / entry.name, path + "/")
                elif stat.S_ISREG(info.st_mode):
                    yield Found(path, info)
                else:
                    kind = "a link" if stat.S_ISLNK(info.st_mode) else "a special file"
                    raise CorruptData(
                        f"is {kind}, which a skill may not contain",
                        where=str(folder / entry.name),
                        hint="replace it by a plain file",
                    )
    except PermissionError as error:
        raise CorruptData("cannot be read: permission denied", where=str(error.filename)) from None


def load(folder: Path) -> Folder:
    """The folder's bytes. A change while it is read is noticed later, by its signature."""
    files: dict[str, FileContent] = {}
    total = 0
    for found in walk(folder):
        total += found.stat.st_size
        if len(files) >= MAX_FILES or total > MAX_BYTES:
            raise CorruptData(
                f"holds more than {MAX_FILES} files or {MAX_BYTES // 2**20} MiB",
                where=str(folder),
                hint="move what is not part of the skill elsewhere",
            )
        path = folder / found.path
        try:
            data = _read_plain(path)
        except UnicodeEncodeError:
            raise CorruptData("has a name that is not text", where=repr(found.path)) from None
        except OSError as error:
            raise CorruptData(f"cannot be read: {error.strerror}", where=str(path)) from None
        files[found.path] = FileContent(data, bool(found.stat.st_mode & stat.S_IXUSR))
    return Folder(files)


def _read_plain(path: Path) -> bytes:
    """Read a file that must not have become a link since it was listed."""
    str(path).encode()  # a name that is not UTF-8 would poison every hash and JSON after it
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
    with os.fdopen(descriptor, "rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
    return data


def signature(folder: Path) -> str:
    """Changes whenever a file of the folder does; costs a listing, reads nothing."""
    return _digest(sorted(_mark(found.path, found.stat) for found in walk(folder)))


def head_signature(folder: Path) -> str:
    """The same for SKILL.md alone: all that a list shows. Raises FileNotFoundError."""
    try:
        return _mark(SKILL_FILE, os.lstat(os.path.join(folder, SKILL_FILE)))
    except FileNotFoundError:
        lower = SKILL_FILE.lower()  # read where others wrote it so, never written
        return _mark(lower, os.lstat(os.path.join(folder, lower)))


def is_racy(folder: Path) -> bool:
    """Whether a file changed so recently that another change could leave the same signature."""
    horizon = time.time_ns() - _RACY_NS
    return any(found.stat.st_ctime_ns > horizon for found in walk(folder))


def _mark(path: str, info: os.stat_result) -> str:
    return (
        f"{path}\0{info.st_size}\0{info.st_mtime_ns}\0{info.st_ctime_ns}\0{info.st_ino}"
        f"\0{info.st_mode & 0o111}"
    )


def _digest(marks: list[str]) -> str:
    listing = "\0\0".join(marks).encode("utf-8", "surrogateescape")
    return blake2b(listing, digest_size=16).hexdigest()

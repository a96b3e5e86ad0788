"""Reading a skill's folder: its bytes, its hash, and a cheap signature that tells "unchanged".

Caches that a run leaves behind are not part of a skill. A link, a device or a folder beyond the
limits is an error that names the path: it is never skipped in silence.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from hermes.errors import CorruptData
from hermes.records.folder import SKILL_FILE, FileContent, Folder

MAX_FILES = 2_000
MAX_BYTES = 50 * 1024 * 1024
"""What one adopted folder may hold; the same caps that skill registries use for a package."""

SKILL_FILES = (SKILL_FILE, SKILL_FILE.lower())
"""The second is read where others wrote it so, never written."""

_CACHES = frozenset({"__pycache__", ".DS_Store", ".git", ".mypy_cache", ".pytest_cache"})
_MAX_DEPTH = 32  # no skill is that deep, and walking on would exhaust the stack
_RACY_NS = 50_000_000
_RACY_COARSE_NS = 2_000_000_000  # some file systems count whole seconds, or every second one


@dataclass(frozen=True, slots=True)
class Found:
    """One file as the folder listing shows it."""

    path: str
    stat: os.stat_result


def walk(
    folder: Path | str, prefix: str = "", *, entered: Callable[[str], None] = lambda _: None
) -> Iterator[Found]:
    """Every file that belongs to the skill, in no particular order.

    `entered` is told of each folder before it is listed. Paths stay texts in here: dozens of
    folders are walked before a prompt.
    """
    if prefix.count("/") > _MAX_DEPTH:
        raise CorruptData(f"is more than {_MAX_DEPTH} folders deep", where=str(folder))
    try:
        entered(str(folder))
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name in _CACHES or entry.name.endswith((".pyc", ".swp", "~")):
                    continue
                path = prefix + entry.name
                info = entry.stat(follow_symlinks=False)
                if stat.S_ISDIR(info.st_mode):
                    yield from walk(entry.path, path + "/", entered=entered)
                elif stat.S_ISREG(info.st_mode):
                    yield Found(path, info)
                else:
                    kind = "a link" if stat.S_ISLNK(info.st_mode) else "a special file"
                    raise CorruptData(
                        f"is {kind}, which a skill may not contain",
                        where=entry.path,
                        hint="replace it by a plain file",
                    )
    except OSError as error:
        raise _unreadable(error, folder) from None


def is_folder(path: Path) -> bool:
    """False where nothing is; raises CorruptData where the system does not let us look."""
    try:
        return stat.S_ISDIR(os.stat(path).st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise _unreadable(error, path) from None


def _unreadable(error: OSError, path: Path | str) -> CorruptData:
    return CorruptData(f"cannot be read: {error.strerror}", where=str(error.filename or path))


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
            raise _unreadable(error, path) from None
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


def settled_signature(folder: Path | str) -> str:
    """The signature to remember before the folder is read; "" when it could mislead.

    A file that changed a moment ago can change again within the same tick of the clock, and so
    after it was read, without any sign.
    """
    now = time.time_ns()
    found = list(walk(folder))
    return "" if any(_is_racy(one.stat.st_ctime_ns, now) for one in found) else digest(found)


def head_signature(folder: str) -> str:
    """The same for SKILL.md alone: all that a list shows. Raises FileNotFoundError."""
    first, second = SKILL_FILES
    try:
        return mark(first, os.lstat(f"{folder}/{first}"))
    except FileNotFoundError:
        return mark(second, os.lstat(f"{folder}/{second}"))


def settled_change(folder: str) -> int:
    """When a folder last changed; -1 while it could change again without any sign."""
    changed = os.stat(folder).st_ctime_ns
    return -1 if _is_racy(changed, time.time_ns()) else changed


def _is_racy(changed: int, now: int) -> bool:
    coarse = changed % 1_000_000_000 == 0
    return changed > now - (_RACY_COARSE_NS if coarse else _RACY_NS)


def mark(path: str, info: os.stat_result) -> str:
    """What tells one state of a file from another without reading it."""
    return (
        f"{path}\0{info.st_size}\0{info.st_mtime_ns}\0{info.st_ctime_ns}\0{info.st_ino}"
        f"\0{info.st_mode & 0o111}"
    )


def digest(files: Iterable[Found]) -> str:
    """The signature of a folder that holds these files: changes whenever one of them does."""
    marks = sorted(mark(found.path, found.stat) for found in files)
    listing = "\0\0".join(marks).encode("utf-8", "surrogateescape")
    return blake2b(listing, digest_size=16).hexdigest()

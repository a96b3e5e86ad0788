"""Raw bytes of artefacts on this machine's disk, for its owner only: what replay runs on.

A blob lies at `<first two characters>/<hash>`. It is written in a folder of its own for what is on
its way (many files made in one folder cost a fifth of as many made in 256), synced and renamed,
so that what has its name is whole; what is read is hashed again all the same.
"""

from __future__ import annotations

import ctypes
import itertools
import os
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

from hermes.errors import CorruptData, DiskFailed, Refused
from hermes.ids import content_hash

LIMIT = 32 * 1024 * 1024
_ON_ITS_WAY = "new"
_LEFT_BEHIND = 86_400.0  # seconds after which nobody writes what is on its way any more
_MANY = 16  # blobs from which on the whole filesystem is synced instead of each
_WRITE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
_numbers = itertools.count()


class DiskBlobs:
    """A batch belongs to the thread that opened it; other threads' puts are durable at once."""

    def __init__(self, folder: Path, limit: int = LIMIT) -> None:
        self._folder = str(folder)
        self._limit = limit
        self._local = threading.local()
        self._made: set[str] = set()

    @property
    def limit(self) -> int:
        return self._limit

    def put(self, data: bytes) -> str:
        if len(data) > self._limit:
            raise Refused(
                f"{len(data):,} bytes are too many to keep", hint=f"the limit is {self._limit:,}"
            )
        name = content_hash(data)
        path = self._path(name)
        waiting: dict[str, str] | None = getattr(self._local, "waiting", None)
        if (waiting is not None and path in waiting) or os.path.exists(path):
            return name
        if waiting is None:
            with self.batch():
                return self.put(data)
        with self._disk():
            waiting[path] = self._write(path, data)
        return name

    @contextmanager
    def batch(self) -> Iterator[None]:
        """A batch inside a batch is part of it. What a failed batch wrote is not there."""
        if getattr(self._local, "waiting", None) is not None:
            yield
            return
        waiting: dict[str, str] = {}
        self._local.waiting = waiting
        try:
            yield
            with self._disk():
                self._settle(waiting)
            waiting.clear()
        finally:
            self._local.waiting = None
            for written in waiting.values():
                with suppress(FileNotFoundError):  # it came to its place before the failure
                    os.unlink(written)

    def get(self, content: str) -> bytes | None:
        path = Path(self._path(content))
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise DiskFailed(f"{path}: {error.strerror}", hint="check the disk") from error
        if content_hash(data) != content:
            raise CorruptData(
                "the bytes have another hash than their name",
                where=str(path),
                hint="delete the file; what it was for can no longer be replayed",
            )
        return data

    def delete(self, content: str) -> bool:
        with self._disk():
            try:
                os.unlink(self._path(content))
            except FileNotFoundError:
                return False
        return True

    def _path(self, content: str) -> str:
        return f"{self._folder}/{content[:2]}/{content}"

    def _write(self, path: str, data: bytes) -> str:
        """The bytes under a name of their own, on their way to their place."""
        self._make(os.path.dirname(path))
        written = f"{self._folder}/{_ON_ITS_WAY}/{os.getpid()}-{next(_numbers)}-{time.time_ns()}"
        descriptor = os.open(written, _WRITE, 0o600)
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(descriptor, view) :]
        finally:
            os.close(descriptor)
        return written

    def _make(self, folder: str) -> None:
        """Every folder for the owner only; what a dead process left on its way goes."""
        if not self._made:
            on_its_way = f"{self._folder}/{_ON_ITS_WAY}"
            os.makedirs(self._folder, mode=0o700, exist_ok=True)
            os.makedirs(on_its_way, mode=0o700, exist_ok=True)
            _sweep(on_its_way)
        if folder not in self._made:
            os.makedirs(folder, mode=0o700, exist_ok=True)
            self._made.add(folder)

    def _settle(self, waiting: dict[str, str]) -> None:
        """First every byte, then every name, then the folders that hold the names."""
        at_once = len(waiting) >= _MANY and _can_sync_filesystems()
        if at_once:
            _sync_filesystem(self._folder)
        else:
            _sync_each(waiting.values())
        for path, written in waiting.items():
            os.rename(written, path)
        if at_once:
            _sync_filesystem(self._folder)
        elif waiting:  # a folder of names may be new itself
            _sync_each({os.path.dirname(path) for path in waiting} | {self._folder})

    @contextmanager
    def _disk(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise DiskFailed(
                f"{error.filename or self._folder}: {error.strerror}",
                hint="free some space or check the disk",
            ) from error


def _sweep(folder: str) -> None:
    old = time.time() - _LEFT_BEHIND
    for entry in os.scandir(folder):
        with suppress(FileNotFoundError):  # another process sweeps too
            if entry.stat(follow_symlinks=False).st_mtime < old:
                os.unlink(entry.path)


def _sync_each(paths: Iterable[str]) -> None:
    for path in paths:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@cache
def _can_sync_filesystems() -> bool:
    return hasattr(ctypes.CDLL(None), "syncfs")


def _sync_filesystem(folder: str) -> None:
    """One wait for the disk instead of one for each file."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        if ctypes.CDLL(None, use_errno=True).syncfs(descriptor):
            code = ctypes.get_errno()
            raise OSError(code, os.strerror(code), folder)
    finally:
        os.close(descriptor)

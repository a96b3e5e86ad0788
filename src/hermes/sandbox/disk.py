"""How much disk a run has filled. No kernel limit is at hand for that without quotas.

What went to the sandbox is found by walking its writable folders, and the files that it deleted
and still has open. A walk takes time, so it is done now and then, and at once when the file system
as a whole has lost enough: to ask for that costs nothing.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress

from hermes.sandbox.limits import process_tree

_SMALLEST_FILE = 4096  # what an empty file costs in inodes, put as bytes
_CLOCK_GRAIN = 0.1  # a file's change time may lag behind the clock by a tick or so
_REST, _SHORT_REST = 20, 2  # after a walk, so many times its length
_SHORTEST_REST = 0.25


class DiskWatch:
    """What a sandbox has written to these folders since the watch was made."""

    def __init__(self, folders: Sequence[str], limit: int) -> None:
        self._folders = tuple(folders)
        self._limit = limit
        self._since = time.time() - _CLOCK_GRAIN
        one_each = {os.stat(folder).st_dev: folder for folder in self._folders}
        self._free = {folder: _free(folder) for folder in one_each.values()}
        self._walked = time.monotonic()
        self._took = 0.0

    def is_over(self, root: int | None) -> bool:
        """`root` is the sandbox's first process."""
        lost = sum(before - _free(folder) for folder, before in self._free.items())
        rest = max(_REST * self._took, _SHORTEST_REST)
        if lost > self._limit // 2:
            rest = _SHORT_REST * self._took
        started = time.monotonic()
        if started < self._walked + rest:
            return False
        over = self._walk(root)
        self._walked = time.monotonic()
        self._took = self._walked - started
        return over

    def _walk(self, root: int | None) -> bool:
        total = 0
        for size in self._sizes(root):
            total += size
            if total > self._limit:
                return True
        return False

    def _sizes(self, root: int | None) -> Iterator[int]:
        for folder in self._folders:
            yield from self._changed(folder)
        yield from _deleted_but_open(root)

    def _changed(self, top: str) -> Iterator[int]:
        waiting = [top]
        while waiting:
            folder = waiting.pop()
            try:
                entries = list(os.scandir(folder))
            except FileNotFoundError:
                continue
            except OSError:
                if self._was_closed(folder):
                    yield self._limit
                continue
            for entry in entries:
                with suppress(FileNotFoundError):
                    found = entry.stat(follow_symlinks=False)
                    if stat.S_ISDIR(found.st_mode):
                        waiting.append(entry.path)
                    if found.st_ctime >= self._since:
                        yield max(found.st_blocks * 512, _SMALLEST_FILE)

    def _was_closed(self, folder: str) -> bool:
        """A folder that was shut or nested out of our reach during the run may hold anything."""
        try:
            return os.stat(folder).st_ctime >= self._since
        except OSError:
            return True


def _free(folder: str) -> int:
    """Free bytes and free inodes in one figure: a program can use up either."""
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize + found.f_favail * _SMALLEST_FILE


def _deleted_but_open(root: int | None) -> Iterator[int]:
    seen = set()
    for pid in process_tree(root):
        with suppress(OSError):  # it ended between two looks
            for name in os.listdir(f"/proc/{pid}/fd"):
                found = os.stat(f"/proc/{pid}/fd/{name}")
                identity = (found.st_dev, found.st_ino)
                if stat.S_ISREG(found.st_mode) and not found.st_nlink and identity not in seen:
                    seen.add(identity)
                    yield found.st_blocks * 512

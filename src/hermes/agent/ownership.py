"""Which process an open run belongs to, and whether that process still lives.

A process holds a lock on a file of its own as long as it lives; the system lets go of it when the
process dies, however it dies. A run whose owner is on another machine is not ours to judge.
"""

from __future__ import annotations

import fcntl
import os
import time
from contextlib import suppress
from pathlib import Path

from hermes.errors import DiskFailed
from hermes.ids import new_id

_SUFFIX = ".lock"
_YOUNG_S = 3_600.0


class Ownership:
    """`home_id` tells this home from others that share its database."""

    def __init__(self, folder: Path, home_id: str) -> None:
        self._folder = folder
        self._home_id = home_id
        self._token = new_id("run")
        self._descriptor: int | None = None

    @property
    def owner(self) -> str:
        """The name of this process; from the first time it is asked for, the lock is held."""
        if self._descriptor is None:
            self._descriptor = lock_file(self._folder / f"{self._token}{_SUFFIX}")
            fcntl.flock(self._descriptor, fcntl.LOCK_EX)
        return f"{self._home_id}/{self._token}"

    def is_dead(self, owner: str) -> bool:
        """Whether the owner was a process of this home that is no more."""
        home_id, _, token = owner.partition("/")
        if home_id != self._home_id or token == self._token:
            return False
        path = self._folder / f"{token}{_SUFFIX}"
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        except FileNotFoundError:
            return True
        except OSError as error:
            raise DiskFailed(f"{path}: {error.strerror}", hint="check the disk") from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        finally:
            os.close(descriptor)
        return True

    def tidy(self) -> None:
        """Drop the files that processes left when they were killed. A young one is left alone: its
        owner may be about to lock it."""
        for file in self._folder.glob(f"*{_SUFFIX}"):
            with suppress(OSError, DiskFailed):  # gone meanwhile, or not ours to open
                is_old = time.time() - file.stat().st_mtime > _YOUNG_S
                if is_old and self.is_dead(f"{self._home_id}/{file.stem}"):
                    file.unlink()

    def close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
            with suppress(OSError):
                os.unlink(self._folder / f"{self._token}{_SUFFIX}")


def lock_file(path: Path) -> int:
    """Open for `flock`, made where it is not there; whoever closes it lets go of the lock."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise DiskFailed(
            f"{path} cannot be written: {error.strerror}",
            hint="make room, or make the folder writable",
        ) from error

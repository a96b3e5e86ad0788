"""Which process an open run belongs to, and whether that process still lives.

A process holds a lock on a file of its own as long as it lives; the system lets go of it when the
process dies, however it dies. A run whose owner is on another machine is not ours to judge.
"""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from pathlib import Path

from hermes.errors import DiskFailed
from hermes.ids import new_id

_SUFFIX = ".lock"


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
            self._descriptor = self._hold(self._folder / f"{self._token}{_SUFFIX}")
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

    def close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
            with suppress(OSError):
                os.unlink(self._folder / f"{self._token}{_SUFFIX}")

    def _hold(self, path: Path) -> int:
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise DiskFailed(
                f"{path} cannot be made: {error.strerror}",
                hint="free space or make the folder writable",
            ) from error
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        return descriptor

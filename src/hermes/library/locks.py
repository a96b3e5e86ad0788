"""One writer per skill on this machine, by flock: the system frees it when its holder dies."""

from __future__ import annotations

import fcntl
import os
import time
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from hermes.errors import Conflict, DiskFailed

_BUCKETS = 256  # lock files are few and reused; two skills that share one only wait a little
_WAIT_S = 30.0
_LONGEST_PAUSE_S = 0.005  # a write takes 20 ms: who naps longer is overtaken again and again


class Locks:
    def __init__(self, folder: Path, *, wait_s: float = _WAIT_S) -> None:
        self._folder = folder
        self._wait_s = wait_s

    @contextmanager
    def hold(self, *names: str) -> Iterator[None]:
        """Not re-entrant: a holder that asks again for its own skill waits and then fails.

        Several at once are taken in one fixed order, so two holders never wait for each other.
        """
        buckets = {_bucket(name): name for name in names}
        with ExitStack() as held:
            for bucket, name in sorted(buckets.items()):
                descriptor = self._open(self._folder / f"{bucket:02x}.lock")
                held.callback(os.close, descriptor)  # closing frees the lock
                self._acquire(descriptor, name)
            yield

    def _open(self, path: Path) -> int:
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise DiskFailed(
                f"{path} cannot be opened: {error.strerror}",
                hint="free space or make the folder writable",
            ) from error

    def _acquire(self, descriptor: int, name: str) -> None:
        deadline = time.monotonic() + self._wait_s
        pause = 0.001
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    raise Conflict(
                        f"another process has been writing skill '{name}' "
                        f"for more than {self._wait_s:.0f} s",
                        hint="try again, or end the process that hangs",
                    ) from None
                time.sleep(pause)
                pause = min(pause * 2, _LONGEST_PAUSE_S)


def _bucket(name: str) -> int:
    return zlib.crc32(name.casefold().encode("utf-8", "surrogateescape")) % _BUCKETS

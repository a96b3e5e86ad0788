"""Disks and databases that fail, or kill the process, at the Nth thing they are asked to do.

A test tries N = 1, 2, … until the work gets through, so that no point of it is left untried.
"""

from __future__ import annotations

import errno
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hermes.library.filesystem import ExchangeUnsupported, Files
from hermes.store.database import Database
from hermes.store.dialect import Dialect

Point = Callable[[str], None]
"""Called with the name of the operation before it is done; may raise, or never return."""


class TwoStepFiles(Files):
    """A file system that can neither swap two folders nor refuse to replace one."""

    def exchange(self, one: Path, other: Path) -> None:
        raise ExchangeUnsupported(errno.EINVAL, os.strerror(errno.EINVAL), str(other))


class Countdown:
    """Does `then` at the Nth point; `reached` tells whether there were that many."""

    def __init__(self, number: int, then: Callable[[], None], *, again: bool = False) -> None:
        self._left = number
        self._then = then
        self._again = again
        self.reached = False
        self.operation = ""

    def start(self, number: int) -> None:
        """Count from here: what came before was preparation."""
        self._left = number
        self.reached = False
        self.operation = ""

    def __call__(self, operation: str) -> None:
        self._left -= 1
        if self._left == 0 or (self._again and self._left < 0):
            self.reached = True
            self.operation = self.operation or operation
            self._then()


def _nothing(_: str) -> None:
    """A point where nothing happens."""


def killed() -> None:
    """The process ends here, as by a power cut: nothing is cleaned up, nothing is flushed."""
    os.kill(os.getpid(), signal.SIGKILL)


def failing_with(code: int) -> Callable[[], None]:
    def fail() -> None:
        raise OSError(code, os.strerror(code))

    return fail


class SteppedFiles(Files):
    """Real files with a point before each operation.

    A write or a removal has a second point in its middle, when half of it is done.
    """

    def __init__(self, point: Point, inner: Files | None = None) -> None:
        self._point = point
        self._inner = inner or Files()

    def make_folder(self, path: Path) -> None:
        self._point("make_folder")
        self._inner.make_folder(path)

    def write(self, path: Path, data: bytes, *, executable: bool) -> None:
        self._point("write")
        self._inner.write(path, data[: len(data) // 2], executable=executable)
        self._point("write, half done")
        path.unlink()
        self._inner.write(path, data, executable=executable)

    def sync_folder(self, path: Path) -> None:
        self._point("sync_folder")
        self._inner.sync_folder(path)

    def exchange(self, one: Path, other: Path) -> None:
        self._point("exchange")
        self._inner.exchange(one, other)

    def move(self, source: Path, target: Path) -> None:
        self._point("move")
        self._inner.move(source, target)

    def remove(self, path: Path) -> None:
        if not os.path.lexists(path):
            return
        self._point("remove")
        for name in sorted(os.listdir(path))[:1]:
            if not (path / name).is_dir():
                (path / name).unlink()
        self._point("remove, half done")
        self._inner.remove(path)


def stepped_database(inner: Database, point: Point, answered: Point | None = None) -> Database:
    """The same database with a point before each statement, commits and rollbacks included.

    `answered` comes after a statement is done: who raises there loses its answer.
    """
    inner.close()
    return Database(_SteppedDialect(inner.dialect, point, answered or _nothing))


class _SteppedDialect:
    """A dialect that hands out connections with points; all else is the real one's."""

    def __init__(self, inner: Dialect, point: Point, answered: Point) -> None:
        self._inner = inner
        self._point = point
        self._answered = answered

    def connect(self) -> Any:
        return _SteppedConnection(self._inner.connect(), self._point, self._answered)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


class _SteppedConnection:
    def __init__(self, inner: Any, point: Point, answered: Point) -> None:
        self._inner = inner
        self._point = point
        self._answered = answered

    def execute(self, query: str, values: Any = None) -> Any:
        self._point(query)
        cursor = self._inner.execute(query, values if values is not None else {})
        self._answered(query)
        return cursor

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

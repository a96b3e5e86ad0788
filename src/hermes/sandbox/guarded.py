"""Paths that a run must leave alone: whether each is still the one it was.

What exists is mounted read-only, so it cannot be changed in place. What does not exist cannot be
mounted over, and a parent folder can be renamed; both show here.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from hermes.records.sandbox import Violation, ViolationKind, Witness

_Identity = tuple[int, int, int]


class GuardedPaths:
    """Look once when it is made and once after the run."""

    def __init__(self, paths: Sequence[str]) -> None:
        self._before = {path: _identity(path) for path in paths}

    def violations(self) -> tuple[Violation, ...]:
        return tuple(
            Violation(kind=ViolationKind.WRITE, subject=path, witness=Witness.DISK)
            for path, before in self._before.items()
            if _identity(path) != before
        )


def _identity(path: str) -> _Identity | None:
    try:
        found = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    return (found.st_dev, found.st_ino, found.st_mode)

"""A `tmp_path` in memory, for tests that write and sync a thousand times.

What is tested there dies by kill -9, never by a power cut, so waiting for a disk proves nothing.
A conftest imports it for its folder. The sandbox has a /dev of its own: what an agent works in, or
a skill runs from, has to be on the disk.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

__all__ = ["tmp_path"]

_MEMORY = Path("/dev/shm")
_ENOUGH = 2**30
"""Bytes; a container may have much less, and then the disk has to do."""


@pytest.fixture
def tmp_path(tmp_path: Path) -> Iterator[Path]:
    if not _has_room():
        yield tmp_path
        return
    folder = Path(tempfile.mkdtemp(prefix=f"{tmp_path.name}-", dir=_MEMORY))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def _has_room() -> bool:
    if not os.access(_MEMORY, os.W_OK):
        return False
    found = os.statvfs(_MEMORY)
    return found.f_bavail * found.f_frsize > _ENOUGH

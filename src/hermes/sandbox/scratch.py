"""Folders for one run, and their removal whatever a hostile program left in them.

shutil.rmtree is not enough: it fails on folders that deny access to their owner, and at a nesting
deeper than the interpreter's stack.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache

from hermes.records.sandbox import Scratch

_PREFIX = "hermes-sandbox-"
_LONGEST_RUN = 3600.0  # in a container with another's /tmp its processes look dead to us
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@contextmanager
def scratch() -> Iterator[Scratch]:
    place_for_all = os.path.realpath(tempfile.gettempdir())
    _sweep(place_for_all)
    top = tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-", dir=place_for_all)
    try:
        place = Scratch(skills=os.path.join(top, "skills"), data=os.path.join(top, "data"))
        os.mkdir(place.skills, 0o700)
        os.mkdir(place.data, 0o700)
        yield place
    finally:
        remove(top)


@cache
def _sweep(folder: str) -> None:
    """Remove, once, what processes left that were killed before they could."""
    for name in os.listdir(folder):
        if name.startswith(_PREFIX):
            with suppress(FileNotFoundError):  # somebody else sweeps too
                _remove_if_left(os.path.join(folder, name))


def _remove_if_left(top: str) -> None:
    found = os.lstat(top)
    owner = os.path.basename(top).removeprefix(_PREFIX).split("-")[0]
    is_old = time.time() - found.st_mtime > _LONGEST_RUN
    if is_old and found.st_uid == os.geteuid() and not _is_alive(owner):
        remove(top)


def _is_alive(pid: str) -> bool:
    try:
        os.kill(int(pid), 0)
    except (ProcessLookupError, ValueError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def remove(top: str) -> None:
    """Remove a folder with all in it, without ever going more than two levels down.

    A folder found inside another is moved up to the top instead of being descended into, so
    neither the length of a path nor the depth of the tree matters.
    """
    fd = os.open(top, _FOLDER)
    try:
        while names := os.listdir(fd):
            for name in names:
                if not _unlink(fd, name):
                    _empty(fd, name)
                    os.rmdir(name, dir_fd=fd)
    finally:
        os.close(fd)
    os.rmdir(top)


def _empty(top: int, name: str) -> None:
    os.chmod(name, 0o700, dir_fd=top)
    fd = os.open(name, _FOLDER, dir_fd=top)
    try:
        for inner in os.listdir(fd):
            if not _unlink(fd, inner):
                os.chmod(inner, 0o700, dir_fd=fd)  # only who may write a folder may move it
                os.rename(inner, f".{os.urandom(16).hex()}", src_dir_fd=fd, dst_dir_fd=top)
    finally:
        os.close(fd)


def _unlink(fd: int, name: str) -> bool:
    """False for a folder, which unlink refuses."""
    try:
        os.unlink(name, dir_fd=fd)
    except (IsADirectoryError, PermissionError):  # Linux says the one, macOS the other
        return False
    return True

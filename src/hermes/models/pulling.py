"""A model file is fetched beside its place and takes it when its hash is right, or never does.

Broken off, it goes on where it stopped; the bytes are the same from every source.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from hermes.errors import Conflict, CorruptData, DiskFailed, DownloadFailed
from hermes.models.known import KnownFile
from hermes.models.sources import Source

_SPARE = 200 * 1024 * 1024
"""Free bytes beyond the file's own: one part of it waits beside it while it is appended."""
_CHUNK = 1 << 20

Say = Callable[[str], None]
Grown = Callable[[int], None]


def pull(
    wanted: KnownFile,
    folder: Path,
    sources: Sequence[Source],
    *,
    say: Say = lambda _: None,
    grown: Grown = lambda _: None,
) -> Path:
    """The file in the folder, fetched if it is not there yet. `say` is told which source failed."""
    target = folder / f"{wanted.name}.gguf"
    try:
        with _alone(folder / f".{wanted.name}.lock"):
            if _is_whole(target, wanted):
                return target
            partial = folder / f"{wanted.name}.gguf.part"
            _check_space(partial, wanted)
            _fetch(partial, wanted, sources, say, grown)
            _put(partial, target)
            for note in folder.glob(f"{partial.name}.*"):  # of a source that broke off
                note.unlink()
    except OSError as error:
        raise DiskFailed(
            f"{folder}: {error.strerror or error}", hint="what was fetched is kept"
        ) from error
    return target


def _fetch(
    partial: Path, wanted: KnownFile, sources: Sequence[Source], say: Say, grown: Grown
) -> None:
    """From the first source that gives all of it; what has the wrong hash is thrown away."""
    failures = []
    for source in sources:
        try:
            source.append(partial, grown)
        except DownloadFailed as failure:
            failures.append(failure.message)
            say(failure.message)
            continue
        if partial.stat().st_size < wanted.size:
            failures.append(f"{source.name}: broke off")
            say(failures[-1])
            continue
        if _is_whole(partial, wanted):
            return
        partial.unlink()
        raise CorruptData(
            f"{source.name} gave a file with another hash; it was deleted",
            where=wanted.name,
            hint="try again; if it stays so, somebody changed the file",
        )
    raise DownloadFailed(
        f"{wanted.name} could not be fetched: {'; '.join(failures)}",
        hint="run it again: what is here already is not fetched twice",
    )


def _is_whole(file: Path, wanted: KnownFile) -> bool:
    if not file.is_file() or file.stat().st_size != wanted.size:
        return False
    digest = hashlib.sha256()
    with file.open("rb") as data:
        while chunk := data.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest() == wanted.sha256


def _check_space(partial: Path, wanted: KnownFile) -> None:
    have = partial.stat().st_size if partial.exists() else 0
    needed = max(wanted.size - have, 0) + min(_SPARE, wanted.size)
    free = shutil.disk_usage(partial.parent).free
    if free < needed:
        raise DiskFailed(
            f"{partial.parent} has {free / 1e9:.1f} GB free, {wanted.name} needs "
            f"{needed / 1e9:.1f} GB",
            hint="make room, or point HERMES_HOME to another disk",
        )


def _put(partial: Path, target: Path) -> None:
    with partial.open("rb") as file:
        os.fsync(file.fileno())
    os.replace(partial, target)
    folder = os.open(target.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


@contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """Two of these would write into each other's file."""
    with lock.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Conflict("this model is being pulled already", hint="wait for it") from None
        yield

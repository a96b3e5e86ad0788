"""Memories out of this home and into it, as JSON lines."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, BinaryIO

from hermes.errors import DiskFailed, NotFound, Refused

if TYPE_CHECKING:
    from hermes.app.home import Home
    from hermes.records.approval import Approval
    from hermes.records.memory import Memory
    from hermes.records.memory_import import MemoryImport


def memories_of(home: Home, scopes: Sequence[str] | None) -> Iterator[Memory]:
    """All of one moment, oldest first, of these scopes or of every one; read by pages."""
    from hermes.app.remembering import listing_of

    with home.database.snapshot():
        for memory in listing_of(home).walk():
            if scopes is None or memory.scope in scopes:
                yield memory


@contextmanager
def new_file(path: Path) -> Iterator[IO[str]]:
    """For text; it is there when all of it is on disk."""
    from hermes.store.whole_file import whole_file

    if path.exists():
        raise Refused(f"{path} is there already", hint="name a file that is not there yet")
    if not path.absolute().parent.is_dir():
        raise NotFound(f"there is no folder {path.absolute().parent}")
    try:
        with whole_file(path) as file:
            text = io.TextIOWrapper(file, encoding="utf-8", newline="\n")
            yield text
            text.detach()
    except OSError as error:
        raise DiskFailed(f"{path} cannot be written: {error.strerror}") from error


def import_memories(
    home: Home,
    stream: BinaryIO,
    name: str,
    *,
    said: Approval,
    vouched: bool = False,
    scope: str | None = None,
    progress: Callable[[int], None],
) -> MemoryImport:
    """Every line of a file; `name` is what its memories are said to come from.

    A person who vouches for the file has it believed as it is written: trust, approvals, strength.
    """
    from hermes.app.memory import memory_keeping
    from hermes.app.remembering import listing_of
    from hermes.memory.importing import Import
    from hermes.rules.remembering.written_down import Reading

    keeping = memory_keeping(home)
    reading = Reading(
        source=f"import:{name}",
        at=keeping.clock.now(),
        vouched=vouched,
        scope=scope,
    )
    report = Import(keeping, listing_of(home)).read(stream, reading, progress)
    if report.kept:
        counts = {"kept": report.kept, "waiting": report.waiting, "vouched": vouched}
        keeping.events.append(
            "memory.imported",
            actor=said.by,
            subject_id=name,
            data={**said.how(), **counts},
        )
    return report

"""Draft: a task with all that the log alone tells, before the store is asked.

Which session a task belongs to, and so its ids, only the store knows. Everything that costs time
is done without it, and so any process can do it (drafting.py); who only takes drafts imports this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from hermes.ingest.conversation import Conversation
from hermes.ingest.turns import Heading, Problem
from hermes.records.artefact import Artefact
from hermes.records.trajectory import ExecutionSummary, Step, TrajectoryState

Read = Callable[[Path, str], Iterator[Conversation]]


class Unreadable(Exception):
    """A file cannot be read to its end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """One task, the `number`-th of its conversation. `weight` is about how many bytes it is.

    `times` are those of its steps, kept where no time of its own (`at`) says when it began.
    """

    heading: Heading
    number: int
    key: str
    at: datetime | None
    times: Sequence[datetime | None] = ()
    text: str
    inputs: tuple[Artefact, ...]
    state: TrajectoryState
    summary: ExecutionSummary
    steps: Sequence[Step]
    blobs: Mapping[str, bytes]
    missing: tuple[str, ...]
    weight: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """A conversation was read to its end: what there is to tell of it."""

    source: str
    problems: Sequence[Problem]
    unknown: Mapping[str, int]
    bytes_read: int


@dataclass(frozen=True, slots=True)
class Order:
    """One log to be read. `limit` is the most bytes that a file of a task may have."""

    file: Path
    format: str
    limit: int
    size: int = 0
    from_disk: bool = False

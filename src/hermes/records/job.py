"""Job: background work that is queued, runs, or is done; Worker: a process that does it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class JobState(StrEnum):
    """WAITING for a worker, RUNNING, DONE, or FAILED for good."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """`subject` is what it is about, mostly a trajectory; `said` what came of it, in a line."""

    id: str
    name: str
    subject: str
    state: JobState
    said: str = ""
    created_at: datetime
    attempts: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Worker:
    """A process that does background work. `beat_at` is when it was last heard of."""

    id: str
    host: str
    beat_at: datetime

"""Use: one assignment of a release, or of the control arm, to a task."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Arm(StrEnum):
    RELEASE = "release"
    CONTROL = "control"


class Outcome(StrEnum):
    SUCCESS = "success"
    FAILURE = "failure"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    id: str
    skill_id: str
    release_id: str
    task_id: str
    trajectory_id: str | None
    arm: Arm
    outcome: Outcome = Outcome.UNKNOWN
    reason: str = ""
    seconds: float | None = None
    tokens: int | None = None
    assigned_at: datetime
    settled_at: datetime | None = None

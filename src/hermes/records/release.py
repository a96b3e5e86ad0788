"""Release: a version that is or was live, with approver and rollback pointer."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from hermes.records.approval import Approval


class ReleaseState(StrEnum):
    CANARY = "canary"
    ACTIVE = "active"
    ENDED = "ended"


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """`previous_version_id` is where a rollback goes; `share` is the part of tasks that get it."""

    id: str
    skill_id: str
    version_id: str
    previous_version_id: str | None
    state: ReleaseState
    share: float
    approval: Approval
    released_at: datetime
    ended_at: datetime | None = None
    end_reason: str | None = None

    def __post_init__(self) -> None:
        if (self.state is ReleaseState.ENDED) != (self.ended_at is not None):
            raise ValueError("a release has ended exactly when it has an end")
        if not 0.0 < self.share <= 1.0:
            raise ValueError("a release serves a share of tasks in (0, 1]")

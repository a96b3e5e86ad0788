"""Waiting: an ended run that is still to be learned from, or reviewed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class ReviewKind(StrEnum):
    """What a background review looks for; a review may look for both."""

    MEMORY = "memory"
    SKILL = "skill"


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """`ended_at` tells this end of the run from an earlier one: a run that a follow-up took up
    again ends again, and one that is imported again is kept anew. `reviews` are asked for beside
    learning."""

    trajectory_id: str
    ended_at: datetime
    reviews: tuple[ReviewKind, ...] = ()

    @property
    def key(self) -> str:
        """The same for the same end of the same run, whoever takes it up."""
        return f"{self.trajectory_id}-{self.ended_at:%Y%m%dT%H%M%S%f}"

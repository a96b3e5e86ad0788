"""Feedback: a person's rating or correction of a trajectory."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Feedback:
    """`rating` is 1 to 5; up is 5, down is 1. A rating, a correction, or both."""

    id: str
    trajectory_id: str
    rating: int | None
    correction: str | None
    by: str
    at: datetime

    def __post_init__(self) -> None:
        if self.rating is None and not self.correction:
            raise ValueError("feedback rates or corrects")
        if self.rating is not None and not 1 <= self.rating <= 5:
            raise ValueError("a rating is 1 to 5")

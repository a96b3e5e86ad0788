"""Episode: what is remembered of one run."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from hermes.records.memory import Trust


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """One for each trajectory, under the moment it began; `at` is when it ended."""

    trajectory_id: str
    began: datetime
    at: datetime
    text: str
    scope: str
    trust: Trust

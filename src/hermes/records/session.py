"""Session: one conversation or import; it contains tasks."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from hermes.records.scope import PERSONAL

OWN_SOURCE = "hermes"
"""The source of a conversation with our own agent."""
REVIEW_SOURCE = "hermes-review"
"""The source of a session that looks back at another one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """`source` says which agent it was (`hermes`, `claude-code`, …), `external_id` its own id."""

    id: str
    source: str
    external_id: str | None = None
    parent_id: str | None = None
    title: str = ""
    cwd: str | None = None
    model: str | None = None
    scope: str = PERSONAL
    started_at: datetime
    ended_at: datetime | None = None

    @property
    def is_review(self) -> bool:
        """A look back is no work: nothing is learned from it, and it is not looked back at."""
        return self.source == REVIEW_SOURCE

"""Session: one conversation or import; it contains tasks."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from hermes.records.scope import PERSONAL


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

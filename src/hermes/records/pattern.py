"""Pattern: examples of one intent, clustered."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """`reason` says why the members belong together."""

    id: str
    intent: str
    example_ids: tuple[str, ...]
    reason: str
    created_at: datetime
    updated_at: datetime

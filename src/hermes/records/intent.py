"""Intent: the journal's line that ties a folder on disk to the store while one replaces the other.

Committed before the folder moves, removed after. Whatever is found at the next open is decided by
hash: the new one is finished as ours, the old one is tried again, any other is a person's edit.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """A tree of None means that there is no folder. `work` is what to commit when it is done."""

    id: str
    home: str
    skill_id: str
    location: str
    old_tree: str | None
    new_tree: str | None
    new_version_id: str | None
    work: str
    created_at: datetime

"""Memory: a remembered item."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from hermes.records.scope import PERSONAL


class MemoryKind(StrEnum):
    EPISODIC = "episodic"
    SEMANTIC = "semantic"
    DECLARATIVE = "declarative"


class Trust(StrEnum):
    """Where the words came from; only a user's own words may ever read as an instruction."""

    USER = "user"
    DERIVED = "derived"
    TOOL_OUTPUT = "tool_output"
    IMPORTED = "imported"


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """Its text never changes: what turns out to be wrong is superseded, or forgotten.

    `created_at` is when it happened or was said, which for an import is long before it was added.
    `strength` grows each time it is recalled or said again. `waiting` means that nobody has allowed
    it yet, so no recall shows it.
    """

    id: str
    text: str
    kind: MemoryKind
    scope: str = PERSONAL
    source: str
    trust: Trust
    session_id: str | None = None
    strength: float = 1.0
    created_at: datetime
    last_recalled_at: datetime | None = None
    expires_at: datetime | None = None
    superseded_by: str | None = None
    waiting: bool = False
    approved_by: str | None = None

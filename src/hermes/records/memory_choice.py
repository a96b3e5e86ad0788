"""MemoryChoice: which memories somebody means, when they are not meant one by one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from hermes.records.memory import MemoryKind


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryChoice:
    """All that fit every field; None leaves a question open.

    What was superseded is kept for the record, so it is meant only by whoever asks for it.
    """

    scopes: tuple[str, ...]
    kind: MemoryKind | None = None
    waiting: bool | None = None
    superseded: bool | None = False
    source: str | None = None
    created_before: datetime | None = None

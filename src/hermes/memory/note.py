"""A text on its way into memory, with where it came from."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Required, TypedDict

from hermes.records.memory import MemoryKind, Trust


class Origin(TypedDict, total=False):
    """Whose a text is and where it came from; `at` is when it happened, now if not given."""

    scope: Required[str]
    source: Required[str]
    trust: Required[Trust]
    session_id: str | None
    expires_at: datetime | None
    approved_by: str | None
    at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """The same as one value, for adding many at once."""

    text: str
    kind: MemoryKind | None = None
    scope: str
    source: str
    trust: Trust
    session_id: str | None = None
    expires_at: datetime | None = None
    approved_by: str | None = None
    at: datetime | None = None


class Offered(NamedTuple):
    """What is about to be remembered, as far as it decides what it is compared with."""

    text: str
    vector: bytes | None
    scope: str
    kind: MemoryKind

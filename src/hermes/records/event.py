"""Event: one line of the audit trail. Each line carries the hash of the one before it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from hermes.ids import canonical_json, content_hash
from hermes.records.codec import Json, time_text

FIRST = "0" * 64
"""What the first line of the trail carries as the hash before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """`kind` is `<word>.<past tense>`, as in `candidate.approved`; `seq` counts without gaps."""

    seq: int
    at: datetime
    kind: str
    actor: str
    skill_id: str | None
    subject_id: str
    data: Mapping[str, Json] = field(default_factory=dict)
    previous: str
    hash: str

    def expected_hash(self) -> str:
        """What `hash` must be; a line that was altered, removed or put between shows here."""
        return chain_hash(
            (self.seq, time_text(self.at), self.kind, self.actor, self.skill_id, self.subject_id),
            self.data,
            self.previous,
        )


def chain_hash(head: tuple[Json, ...], data: Mapping[str, Json], previous: str) -> str:
    return content_hash(canonical_json([*head, dict(data), previous]).encode())

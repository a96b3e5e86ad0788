"""Example: a trajectory kept as source material, for ever re-reviewable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from hermes.records.codec import Json


class ExampleStatus(StrEnum):
    CAPTURED = "captured"
    APPROVED = "approved"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """Redacted before it is made; `notes` says why it is good, or why it was rejected."""

    id: str
    trajectory_id: str | None
    task: str
    status: ExampleStatus
    environment: Mapping[str, str] = field(default_factory=dict)
    inputs: Mapping[str, Json] = field(default_factory=dict)
    tools_used: tuple[str, ...] = ()
    expected_output: str | None = None
    notes: str = ""
    reviewer: str | None = None
    reviewed_at: datetime | None = None
    created_at: datetime

    def __post_init__(self) -> None:
        if (self.status is ExampleStatus.CAPTURED) != (self.reviewer is None):
            raise ValueError("an example is reviewed by somebody, or still captured")

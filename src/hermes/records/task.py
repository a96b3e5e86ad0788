"""Task: what was asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from hermes.records.artefact import Artefact
from hermes.records.scope import PERSONAL


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    id: str
    session_id: str | None
    text: str
    inputs: tuple[Artefact, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    scope: str = PERSONAL
    created_at: datetime

"""Task: what was asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from hermes.records.artefact import Artefact
from hermes.records.scope import PERSONAL

NOT_LEARNED_FROM: Mapping[str, str] = {"learning": "off"}
"""In the environment of a task that is recorded, and that nothing is learned from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    id: str
    session_id: str | None
    text: str
    inputs: tuple[Artefact, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    scope: str = PERSONAL
    created_at: datetime

    @property
    def is_learned_from(self) -> bool:
        """A look back at other work is not, nor what a person wants kept out of it."""
        return not NOT_LEARNED_FROM.items() <= self.environment.items()

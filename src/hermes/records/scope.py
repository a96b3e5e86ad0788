"""Scope, User: whose a thing is, and who may do what."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

PERSONAL = "personal"


class ScopeKind(StrEnum):
    PERSONAL = "personal"
    PROJECT = "project"
    TEAM = "team"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Written as one text everywhere: `personal`, `project:<name>` or `team:<name>`."""

    kind: ScopeKind
    name: str = ""

    def __post_init__(self) -> None:
        if (self.kind is ScopeKind.PERSONAL) != (self.name == ""):
            raise ValueError("a project or team scope has a name, the personal one has none")

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}" if self.name else str(self.kind)

    @classmethod
    def parse(cls, text: str) -> Scope:
        kind, _, name = text.partition(":")
        return cls(kind=ScopeKind(kind), name=name)


class Role(StrEnum):
    VIEWER = "viewer"
    CONTRIBUTOR = "contributor"
    REVIEWER = "reviewer"
    ADMIN = "admin"


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    """A person known by name; the token itself is never stored, only its hash."""

    id: str
    name: str
    role: Role
    token_hash: str | None
    created_at: datetime
    revoked_at: datetime | None = None

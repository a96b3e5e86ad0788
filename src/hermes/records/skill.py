"""Skill: a named procedure. Its row is what the loop knows of it; its bytes are a Version."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from hermes.records.codec import Json
from hermes.records.origin import Origin
from hermes.records.scope import PERSONAL


class SkillState(StrEnum):
    LIVE = "live"
    STALE = "stale"
    DEPRECATED = "deprecated"
    ARCHIVED = "archived"


class HealthStatus(StrEnum):
    """The last answer about the live version; UNKNOWN until something of it has been run."""

    UNKNOWN = "unknown"
    HEALTHY = "healthy"
    FAILING = "failing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A typed hole in a code template, with the values seen in its examples."""

    name: str
    type: str
    description: str = ""
    required: bool = True
    default: Json = None
    observed: tuple[Json, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill:
    """`active_version_id` is None while only drafts exist, and when the skill is archived.

    `location` is the folder: relative to the skills folder, or absolute in an external one, which
    is read and never written.
    """

    id: str
    name: str
    scope: str = PERSONAL
    category: str = ""
    location: str
    description: str
    state: SkillState = SkillState.LIVE
    pinned: bool = False
    disabled: bool = False
    origin: Origin
    approver: str | None = None
    active_version_id: str | None = None
    proven: bool = False
    tags: tuple[str, ...] = ()
    trigger_conditions: tuple[str, ...] = ()
    code_template: str | None = None
    parameters: tuple[Parameter, ...] = ()
    test_parameters: Mapping[str, Json] = field(default_factory=dict)
    dependencies: tuple[str, ...] = ()
    pitfalls: tuple[str, ...] = ()
    success_criteria: tuple[str, ...] = ()
    usage_count: int = 0
    success_rate: float = 1.0
    best_efficiency_score: float | None = None
    health_status: HealthStatus = HealthStatus.UNKNOWN
    needs_rewrite: bool = False
    patch_count: int = 0
    created_at: datetime
    updated_at: datetime
    last_used_at: datetime | None = None

    @property
    def is_shown(self) -> bool:
        """Whether a prompt may show it: live, switched on, not put away, not known to be broken."""
        return (
            self.active_version_id is not None
            and not self.disabled
            and self.state not in (SkillState.DEPRECATED, SkillState.ARCHIVED)
        )

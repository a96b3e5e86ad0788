"""HealthCheck: whether a live version still did what its own tests say, at one moment.

A row for each check, never a flag that is overwritten: when a skill began to fail, and with what,
is the question one has about it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from hermes.records.skill import SkillState


class HealthOutcome(StrEnum):
    """UNTESTED: nothing is there to run, or it cannot be run here. Neither healthy nor failing."""

    HEALTHY = "healthy"
    FAILING = "failing"
    UNTESTED = "untested"


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthCheck:
    """`ran` names what ran to an answer; `environment` is what it ran with, one part a text.

    `error` says why a version is not healthy: what failed first, or what kept it from being run.
    """

    id: str
    skill_id: str
    version_id: str
    status: HealthOutcome
    error: str = ""
    ran: tuple[str, ...] = ()
    environment: tuple[str, ...] = ()
    seconds: float = 0.0
    checked_at: datetime

    def __post_init__(self) -> None:
        if (self.status is HealthOutcome.HEALTHY) == bool(self.error.strip()):
            raise ValueError("a check that found no health says why, and only such a one does")
        if self.status is not HealthOutcome.UNTESTED and not self.ran:
            raise ValueError("health is known from something that ran")


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillHealth:
    """One line of a round: the skill's name, its state afterwards, and the check."""

    name: str
    state: SkillState
    check: HealthCheck


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthReport:
    """One round. `not_reached` are skills that could be tried, for which no time was left."""

    skills: tuple[SkillHealth, ...] = ()
    not_reached: tuple[str, ...] = ()

    def deprecated(self) -> tuple[SkillHealth, ...]:
        return tuple(one for one in self.skills if one.state is SkillState.DEPRECATED)

    def failing(self) -> tuple[SkillHealth, ...]:
        return tuple(one for one in self.skills if one.check.status is HealthOutcome.FAILING)

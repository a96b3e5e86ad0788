"""A check becomes history, and the skill's state follows it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

from hermes.errors import NotFound
from hermes.ports import Events, HealthChecks, Skills, Transactions
from hermes.records.health import HealthCheck
from hermes.records.skill import Skill, SkillState
from hermes.rules.health import after_check

Hold = Callable[[str], AbstractContextManager[Skill | None]]
"""The skill of a name while nobody else writes it; raises Conflict when somebody does not end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Follow:
    transactions: Transactions
    skills: Skills
    checks: HealthChecks
    events: Events
    hold: Hold

    def __call__(self, name: str, check: HealthCheck) -> Skill:
        """The skill as the check leaves it."""
        with self.hold(name) as before, self.transactions.transaction():
            if before is None or before.id != check.skill_id:
                raise NotFound(f"there is no skill '{name}' any more")
            self.checks.add(check)
            after = after_check(before, check)
            if after == before:
                return before
            after = replace(after, updated_at=check.checked_at)
            self.skills.replace(after)
            if after.state is not before.state:
                self._tell(after, check)
            return after

    def _tell(self, skill: Skill, check: HealthCheck) -> None:
        is_broken = skill.state is SkillState.DEPRECATED
        self.events.append(
            "skill.deprecated" if is_broken else "skill.recovered",
            actor="health",
            subject_id=skill.id,
            skill_id=skill.id,
            data={"reason": check.error, "check": check.id, "version_id": check.version_id},
        )

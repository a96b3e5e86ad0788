"""What trials say of a skill's health, and what that makes of the skill."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hermes.records.health import HealthCheck, HealthOutcome
from hermes.records.skill import HealthStatus, Skill, SkillState
from hermes.records.trial import TrialOutcome, TrialResult
from hermes.rules.transitions import check_skill_move

NO_TESTS = "it has no tests and no code template"


@dataclass(frozen=True, slots=True)
class Diagnosis:
    status: HealthOutcome
    error: str
    ran: tuple[str, ...]


def diagnose(results: Sequence[TrialResult]) -> Diagnosis | None:
    """One failure is a failure; healthy is only what passed whole. None: there was no time."""
    ran = tuple(one.name for one in results if one.outcome in _ANSWERS)
    if error := _first(results, TrialOutcome.FAILED):
        return Diagnosis(HealthOutcome.FAILING, error, ran)
    if _first(results, TrialOutcome.CUT_OFF):
        return None
    if error := _first(results, TrialOutcome.NOT_RUN):
        return Diagnosis(HealthOutcome.UNTESTED, error, ran)
    if not ran:
        return Diagnosis(HealthOutcome.UNTESTED, NO_TESTS, ran)
    return Diagnosis(HealthOutcome.HEALTHY, "", ran)


def after_check(skill: Skill, check: HealthCheck) -> Skill:
    """The skill as the check leaves it; the same one where the check says nothing about it.

    A check of a version that is no longer live is history and no more. Only a pass brings a
    deprecated skill back: that it could not be run this time does not unsay the failure.
    """
    if skill.active_version_id != check.version_id or check.status is HealthOutcome.UNTESTED:
        return skill
    if check.status is HealthOutcome.FAILING:
        broken = replace(skill, health_status=HealthStatus.FAILING, needs_rewrite=True)
        return _moved(broken, SkillState.DEPRECATED)
    sound = replace(skill, health_status=HealthStatus.HEALTHY)
    if skill.health_status is HealthStatus.FAILING:  # else others asked for the rewrite
        sound = replace(sound, needs_rewrite=False)
    return _moved(sound, SkillState.LIVE) if skill.state is SkillState.DEPRECATED else sound


_ANSWERS = (TrialOutcome.PASSED, TrialOutcome.FAILED)


def _first(results: Sequence[TrialResult], outcome: TrialOutcome) -> str:
    return next((f"{one.name}: {one.error}" for one in results if one.outcome is outcome), "")


def _moved(skill: Skill, state: SkillState) -> Skill:
    if skill.state is state:
        return skill
    check_skill_move(skill.state, state)
    return replace(skill, state=state)

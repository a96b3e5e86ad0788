"""What trials make of a skill: healthy only when all passed, broken as soon as one failed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.records.health import HealthCheck, HealthOutcome
from hermes.records.skill import HealthStatus, Skill, SkillState
from hermes.records.trial import TrialOutcome, TrialResult
from hermes.rules.health import NO_TESTS, after_check, diagnose
from hermes.testing import samples

PASSED = TrialResult(name="a", outcome=TrialOutcome.PASSED)
FAILED = TrialResult(name="b", outcome=TrialOutcome.FAILED, error="1 != 2")
NOT_RUN = TrialResult(name="c", outcome=TrialOutcome.NOT_RUN, error="missing dependency x")
CUT_OFF = TrialResult(name="d", outcome=TrialOutcome.CUT_OFF, error="no time")


def live(**fields: object) -> Skill:
    return samples.skill(active_version_id="version_1", **fields)


def check(status: HealthOutcome, version_id: str = "version_1") -> HealthCheck:
    error = "" if status is HealthOutcome.HEALTHY else "b: 1 != 2"
    return samples.health_check("skill_1", version_id, status=status, error=error)


@given(st.lists(st.sampled_from([PASSED, FAILED, NOT_RUN, CUT_OFF])))
def test_a_failure_outweighs_all_and_a_pass_outweighs_nothing(results: list[TrialResult]) -> None:
    found = diagnose(results)
    if FAILED in results:
        assert found is not None
        assert (found.status, found.error) == (HealthOutcome.FAILING, "b: 1 != 2")
    elif CUT_OFF in results:
        assert found is None
    elif NOT_RUN in results:
        assert found is not None
        assert (found.status, found.error) == (HealthOutcome.UNTESTED, "c: missing dependency x")
    else:
        assert found is not None
        expected = (HealthOutcome.HEALTHY, "") if results else (HealthOutcome.UNTESTED, NO_TESTS)
        assert (found.status, found.error) == expected
    if found is not None:
        assert found.ran == tuple(one.name for one in results if one.name in "ab")


@pytest.mark.parametrize("state", [SkillState.LIVE, SkillState.STALE])
def test_a_failure_deprecates(state: SkillState) -> None:
    skill = live(state=state)
    broken = after_check(skill, check(HealthOutcome.FAILING))
    assert broken.state is SkillState.DEPRECATED
    assert broken.health_status is HealthStatus.FAILING
    assert broken.needs_rewrite
    assert not broken.is_shown
    assert after_check(broken, check(HealthOutcome.FAILING)) == broken


def test_a_pass_brings_it_back() -> None:
    broken = after_check(live(), check(HealthOutcome.FAILING))
    sound = after_check(broken, check(HealthOutcome.HEALTHY))
    assert sound.state is SkillState.LIVE
    assert sound.health_status is HealthStatus.HEALTHY
    assert not sound.needs_rewrite
    assert sound.is_shown


def test_a_pass_does_not_undo_what_others_asked_for() -> None:
    skill = live(needs_rewrite=True, state=SkillState.STALE)
    sound = after_check(skill, check(HealthOutcome.HEALTHY))
    assert sound == replace(skill, health_status=HealthStatus.HEALTHY)


def test_what_could_not_be_run_changes_nothing() -> None:
    broken = after_check(live(), check(HealthOutcome.FAILING))
    for skill in (live(), broken):
        assert after_check(skill, check(HealthOutcome.UNTESTED)) == skill


def test_a_check_of_another_version_changes_nothing() -> None:
    skill = live()
    assert after_check(skill, check(HealthOutcome.FAILING, "version_0")) == skill
    archived = samples.skill(state=SkillState.ARCHIVED)
    assert after_check(archived, check(HealthOutcome.FAILING)) == archived

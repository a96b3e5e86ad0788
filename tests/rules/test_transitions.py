"""The move tables: total, closed, and enforced."""

from __future__ import annotations

import pytest

from hermes.errors import Refused
from hermes.records.origin import AGENT_ORIGINS, Origin
from hermes.records.skill import SkillState
from hermes.records.version import VersionState
from hermes.rules.admission import ADMISSION, Policy, first_state
from hermes.rules.transitions import (
    SKILL_MOVES,
    VERSION_MOVES,
    check_skill_move,
    check_version_move,
    mermaid,
)


def test_every_state_has_a_row() -> None:
    assert set(VERSION_MOVES) == set(VersionState)
    assert set(SKILL_MOVES) == set(SkillState)


@pytest.mark.parametrize("before", VersionState)
@pytest.mark.parametrize("after", VersionState)
def test_a_version_moves_by_the_table_and_no_other_way(
    before: VersionState, after: VersionState
) -> None:
    if after in VERSION_MOVES[before]:
        check_version_move(before, after)
        assert f"{before} --> {after}" in mermaid()
    else:
        with pytest.raises(Refused, match=f"from {before} to {after}"):
            check_version_move(before, after)


def test_nothing_is_live_without_validation() -> None:
    live = {VersionState.ACTIVE, VersionState.CANARY}
    assert not VERSION_MOVES[VersionState.DRAFT] & live
    assert not VERSION_MOVES[VersionState.REJECTED]


def test_every_put_away_skill_can_come_back() -> None:
    for state in SkillState:
        if state is not SkillState.ARCHIVED:
            check_skill_move(state, SkillState.ARCHIVED)
            check_skill_move(SkillState.ARCHIVED, state)


def test_admission_is_decided_for_every_origin_and_policy() -> None:
    assert set(ADMISSION) == set(Origin)
    for row in ADMISSION.values():
        assert set(row) == set(Policy)


def test_under_review_no_machine_goes_live_on_its_own() -> None:
    for origin in AGENT_ORIGINS - {Origin.REQUESTED_BY_USER}:
        assert first_state(origin, Policy.REVIEW) is VersionState.AWAITING_REVIEW


@pytest.mark.parametrize("policy", Policy)
def test_what_nobody_vouches_for_waits_under_every_policy(policy: Policy) -> None:
    assert first_state(Origin.UNKNOWN, policy) is VersionState.AWAITING_REVIEW


@pytest.mark.parametrize("policy", Policy)
def test_a_persons_own_act_is_live_at_once(policy: Policy) -> None:
    assert first_state(Origin.USER, policy) is VersionState.ACTIVE
    assert first_state(Origin.REQUESTED_BY_USER, policy) is VersionState.ACTIVE


def test_every_admission_is_a_legal_move() -> None:
    for row in ADMISSION.values():
        for state in row.values():
            check_version_move(VersionState.VALIDATED, state)

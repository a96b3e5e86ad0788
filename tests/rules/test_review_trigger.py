"""When a turn is looked back at: counters, strong signs, and what rules it out."""

from __future__ import annotations

import pytest

from hermes.records.waiting import ReviewKind
from hermes.rules.review_trigger import ReviewDecision, Sign, TurnFacts, decide

SKILL, MEMORY = ReviewKind.SKILL, ReviewKind.MEMORY
BOTH = frozenset(ReviewKind)
TEN = {SKILL: 10, MEMORY: 10}


def _facts(**changed: object) -> TurnFacts:
    known: dict[str, object] = {"answered": True, "iterations": 1, "can": BOTH}
    return TurnFacts(**{**known, **changed})  # type: ignore[arg-type]


def test_rounds_of_tools_count_for_skills_and_requests_for_memory() -> None:
    decision = decide({SKILL: 3, MEMORY: 3}, _facts(iterations=4), TEN)
    assert decision == ReviewDecision(counts={SKILL: 7, MEMORY: 4})


def test_the_counter_that_reaches_its_interval_is_due_and_only_it_begins_again() -> None:
    decision = decide({SKILL: 8, MEMORY: 3}, _facts(iterations=2), TEN)
    assert decision.due == (SKILL,)
    assert decision.counts == {SKILL: 0, MEMORY: 4}
    decision = decide({SKILL: 3, MEMORY: 9}, _facts(iterations=2), TEN)
    assert decision.due == (MEMORY,)
    assert decision.counts == {SKILL: 5, MEMORY: 0}


def test_both_at_once_are_one_review_for_both() -> None:
    decision = decide({SKILL: 9, MEMORY: 9}, _facts(), TEN)
    assert set(decision.due) == BOTH
    assert decision.counts == {SKILL: 0, MEMORY: 0}


@pytest.mark.parametrize("signs", [frozenset(), frozenset(Sign)])
def test_interval_zero_turns_a_kind_off_signs_or_not(signs: frozenset[Sign]) -> None:
    decision = decide({SKILL: 99, MEMORY: 99}, _facts(signs=signs), {SKILL: 0, MEMORY: 0})
    assert decision.due == ()
    assert decision.for_sign is False


def test_without_a_final_answer_nothing_is_due_and_nothing_is_forgotten() -> None:
    facts = _facts(answered=False, iterations=5, signs=frozenset(Sign))
    decision = decide({SKILL: 9, MEMORY: 9}, facts, TEN)
    assert decision.due == ()
    assert decision.counts == {SKILL: 14, MEMORY: 10}
    assert decide(decision.counts, _facts(iterations=0), TEN).due == (MEMORY, SKILL)


def test_what_the_session_cannot_write_is_not_reviewed() -> None:
    high = {SKILL: 99, MEMORY: 99}
    assert decide(high, _facts(can=frozenset({MEMORY})), TEN).due == (MEMORY,)
    assert decide(high, _facts(can=frozenset()), TEN).due == ()


@pytest.mark.parametrize(
    ("sign", "kinds"),
    [
        (Sign.CORRECTED, BOTH),
        (Sign.FRUSTRATED, BOTH),
        (Sign.RECOVERED, {SKILL}),
        (Sign.SKILL_WRONG, {SKILL}),
    ],
)
def test_a_strong_sign_does_not_wait_for_the_counter(sign: Sign, kinds: set[ReviewKind]) -> None:
    decision = decide({}, _facts(signs=frozenset({sign})), TEN)
    assert set(decision.due) == kinds
    assert decision.for_sign is True
    assert all(decision.counts[kind] == 0 for kind in kinds)


def test_a_task_is_reviewed_for_a_sign_once() -> None:
    facts = _facts(signs=frozenset(Sign), reviewed_for_sign=True)
    assert decide({}, facts, TEN).due == ()
    assert decide({SKILL: 9}, facts, TEN).due == (SKILL,)  # the counter still counts


def test_what_nothing_is_learned_from_is_not_reviewed_and_counts_for_nothing() -> None:
    facts = _facts(iterations=50, signs=frozenset(Sign), is_learned_from=False)
    assert decide({SKILL: 9}, facts, TEN) == ReviewDecision(counts={SKILL: 9})

"""When a turn is worth a look back. Pure: counters and facts in, a decision and counters out.

Memory and skills are counted apart: rounds of tool calls for skills, requests for memory. A strong
sign (a correction, an error that was overcome, a skill that proved wrong) does not wait for the
counter, at most once a task. Without a final answer, or after an interruption, nothing is reviewed
and nothing is forgotten: the counters stay.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from hermes.records.waiting import ReviewKind


class Sign(StrEnum):
    """What makes a review worth it at once."""

    CORRECTED = "corrected"
    FRUSTRATED = "frustrated"
    RECOVERED = "recovered"
    SKILL_WRONG = "skill_wrong"


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnFacts:
    """`can` is what the session's tools allow a review to do; what nothing is learned from, a
    review among it, is not reviewed.

    `reviewed_for_sign` says that a sign of this same task led to a review already.
    """

    answered: bool
    iterations: int
    can: frozenset[ReviewKind]
    signs: frozenset[Sign] = frozenset()
    reviewed_for_sign: bool = False
    is_learned_from: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewDecision:
    """Which reviews are due, and the counters as they are then."""

    due: tuple[ReviewKind, ...] = ()
    counts: Mapping[ReviewKind, int] = field(default_factory=dict)
    for_sign: bool = False


def decide(
    counts: Mapping[ReviewKind, int],
    facts: TurnFacts,
    intervals: Mapping[ReviewKind, int],
) -> ReviewDecision:
    """Interval 0 turns a kind of review off, signs or not."""
    if not facts.is_learned_from:
        return ReviewDecision(counts=dict(counts))
    grown = {
        ReviewKind.SKILL: counts.get(ReviewKind.SKILL, 0) + facts.iterations,
        ReviewKind.MEMORY: counts.get(ReviewKind.MEMORY, 0) + 1,
    }
    if not facts.answered:
        return ReviewDecision(counts=grown)
    strong = _asked_for_by(facts.signs) if not facts.reviewed_for_sign else frozenset()
    possible = [kind for kind in ReviewKind if kind in facts.can and intervals.get(kind, 0) > 0]
    due = tuple(kind for kind in possible if grown[kind] >= intervals[kind] or kind in strong)
    return ReviewDecision(
        due=due,
        counts={kind: 0 if kind in due else count for kind, count in grown.items()},
        for_sign=any(kind in strong for kind in due),
    )


def _asked_for_by(signs: Collection[Sign]) -> frozenset[ReviewKind]:
    """A person's displeasure may be a preference or a procedure; the rest is about procedures."""
    if not signs:
        return frozenset()
    personal = {Sign.CORRECTED, Sign.FRUSTRATED} & set(signs)
    return frozenset((ReviewKind.SKILL, ReviewKind.MEMORY) if personal else (ReviewKind.SKILL,))

"""Which of the skills that fit a request are recommended, in what order, and why.

What fits comes first; among what fits about as well, what is known to work. A success rate counts
by its lower bound, so one lucky use does not beat fifty good ones. Of two that say the same, one
is enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hermes.records.turn import FoundSkill
from hermes.rules.rates import lower_bound

RECOMMENDED = 5
_LEAST_RELEVANT = 0.12
_BESIDE_BEST = 0.4  # of the best relevance: what fits worse than that is not recommended
_SAME = 0.92  # cosine of two descriptions that say the same
_RATE_WEIGHT = 0.4
_PROVEN_BY_REPLAY = 0.5
"""What leave-one-out replay is worth before anybody used it."""
_UNPROVEN = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A skill with its place. `why` says in words what put it there, or what keeps it out.

    `repeats` says that one before it says the same.
    """

    found: FoundSkill
    score: float
    why: str
    recommended: bool
    repeats: bool = False


def choose(found: Sequence[FoundSkill]) -> list[Choice]:
    """All of them, best first; the first few that fit and do not repeat each other recommended."""
    scored = sorted(found, key=lambda one: (-_score(one), one.skill.name))
    best = max((one.relevance for one in found), default=0.0)
    taken: list[FoundSkill] = []
    choices = []
    for one in scored:
        twin = next((other for other in taken if _overlap(one, other)), None)
        fits = one.relevance >= max(_LEAST_RELEVANT, _BESIDE_BEST * best)
        wanted = fits and twin is None and len(taken) < RECOMMENDED
        if wanted:
            taken.append(one)
        why = _why(one)
        if twin is not None:
            why = f"left out: says the same as {twin.skill.name}"
        elif not wanted:
            why = f"not recommended: {why}"
        choices.append(
            Choice(
                found=one,
                score=_score(one),
                why=why,
                recommended=wanted,
                repeats=twin is not None,
            )
        )
    return choices


def _score(one: FoundSkill) -> float:
    return one.relevance * (1 - _RATE_WEIGHT + _RATE_WEIGHT * _rate(one))


def _rate(one: FoundSkill) -> float:
    if one.uses:
        return lower_bound(one.successes, one.uses)
    return _PROVEN_BY_REPLAY if one.skill.proven else _UNPROVEN


def _why(one: FoundSkill) -> str:
    fit = f"relevance {one.relevance:.2f}"
    if one.uses:
        bound = lower_bound(one.successes, one.uses)
        return f"{fit}; {one.successes} of {one.uses} uses went well, at least {bound:.0%}"
    return f"{fit}; {'proven by replay, not used yet' if one.skill.proven else 'unproven'}"


def _overlap(one: FoundSkill, other: FoundSkill) -> bool:
    if one.vector is None or other.vector is None or len(one.vector) != len(other.vector):
        return False
    import numpy as np  # whoever has vectors has it already

    left, right = np.frombuffer(one.vector, np.float32), np.frombuffer(other.vector, np.float32)
    return float(left @ right) >= _SAME

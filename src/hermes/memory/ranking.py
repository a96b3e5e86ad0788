"""The order of all candidates, and of each what made its score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hermes.memory.candidates import Candidates
from hermes.memory.shelf import KINDS
from hermes.rules.recalling.blending import (
    as_asked,
    best_likeness,
    fused,
    like_enough,
    likeness,
    neighbours_share,
)
from hermes.rules.recalling.fading import (
    SECONDS_A_DAY,
    fading_rate,
    reinforcement,
    retention,
)
from hermes.rules.recalling.terms import Query
from hermes.rules.recalling.weights import RecallPolicy, Weights

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

Cosines = tuple[float, float]
"""How near by itself, which a person is told, and as seen from the centre, which orders."""
_SEEN = 1
_PROMISING = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """Plain lists, one place for each candidate that is like enough, best first."""

    numbers: Sequence[int]
    scores: Sequence[float]
    lexical: Sequence[float]
    semantic: Sequence[float | None]
    context: Sequence[float]
    ages: Sequence[float]
    decay: Sequence[float]
    reinforced: Sequence[float]
    unlike: int
    waiting: int
    expired: int

    def __len__(self) -> int:
        return len(self.numbers)


def ranked(
    found: Sequence[Candidates],
    known: Mapping[int, Cosines],
    query: Query,
    policy: RecallPolicy,
    at: float,
) -> Ranked:
    """A question that names a time asks for what was then: for it nothing has faded, and nothing
    that was so then has been replaced."""
    import numpy as np

    def joined(name: str) -> Any:
        return np.concatenate([getattr(one, name) for one in found])

    numbers, lexical = joined("numbers"), joined("lexical")
    cosines, seen = _looked_up(numbers, known).T
    weights = as_asked(policy.weights, lexical)
    own = fused(lexical, seen, weights)
    beside = _neighbours(joined("neighbours"), joined("neighbours_lexical"), known, weights)
    facets = joined("facets")
    context = facets + neighbours_share(beside[:, :2], beside[:, 2:], weights)
    sought = own + context
    alike = likeness(sought, lexical, cosines, beside[:, :2].max(axis=1), weights)
    of_now = not query.days
    rates = np.array([fading_rate(policy.half_life_days[kind]) for kind in KINDS])
    decay = (
        retention(
            (at - joined("used")) / SECONDS_A_DAY,
            rates[joined("kinds").astype(np.int64)],
            weights.fading_floor,
        )
        if policy.fades and of_now
        else np.ones_like(sought)
    )
    stronger = reinforcement(joined("strengths"))
    penalty = weights.superseded * of_now * joined("superseded").astype(np.float64)
    scores = sought * joined("told") * decay * stronger - penalty
    best = best_likeness(alike, lexical, cosines, facets)
    enough = like_enough(alike, best, policy.min_similarity) & (scores > 0)
    order = np.flatnonzero(enough)
    order = order[np.lexsort((numbers[order], -scores[order]))]
    semantic: Any = cosines[order].astype(np.object_)
    semantic[np.isnan(cosines[order])] = None
    return Ranked(
        numbers=numbers[order].tolist(),
        scores=scores[order].tolist(),
        lexical=lexical[order].tolist(),
        semantic=semantic.tolist(),
        context=context[order].tolist(),
        ages=np.maximum(at - joined("created")[order], 0.0).tolist(),
        decay=decay[order].tolist(),
        reinforced=stronger[order].tolist(),
        unlike=len(enough) - len(order),
        waiting=sum(one.waiting for one in found),
        expired=sum(one.expired for one in found),
    )


def promising_neighbours(
    found: Sequence[Candidates], known: Mapping[int, Cosines], weights: Weights
) -> set[int]:
    """The neighbours of the best candidates so far: only theirs can change what is shown."""
    import numpy as np

    with_some = [one for one in found if one.neighbours.any()]
    if not with_some:
        return set()
    scores = [
        fused(one.lexical, _looked_up(one.numbers, known)[:, _SEEN], weights)
        + one.facets
        + weights.neighbour * one.neighbours_lexical[:, :2].sum(axis=1)
        for one in with_some
    ]
    best = np.argsort(-np.concatenate(scores), kind="stable")[:_PROMISING]
    neighbours = np.concatenate([one.neighbours for one in with_some])
    return {*neighbours[best].ravel().tolist()} - {0}


def _neighbours(
    neighbours: NDArray[np.int64],
    lexical: Floats,
    known: Mapping[int, Cosines],
    weights: Weights,
) -> Floats:
    """The scores of what stands beside each in its session; 0 where nothing does."""
    import numpy as np

    if not neighbours.any():
        return np.zeros(neighbours.shape)
    cosines = _looked_up(neighbours.ravel(), known)[:, _SEEN].reshape(neighbours.shape)
    scores = fused(lexical, cosines, weights)
    there: Floats = np.where(neighbours > 0, scores, 0.0)
    return there


def _looked_up(numbers: NDArray[np.int64], known: Mapping[int, Cosines]) -> Floats:
    """Both cosines of each, not a number where there is no vector."""
    import numpy as np

    unknown = (np.nan, np.nan)
    pairs = [known.get(number, unknown) for number in numbers.tolist()]
    return np.array(pairs, dtype=np.float64).reshape(-1, 2)

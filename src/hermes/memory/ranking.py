"""The order of all candidates, and of each what made its score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hermes.memory.candidates import Candidates
from hermes.memory.shelf import KINDS
from hermes.rules.recalling.blending import fused, like_enough, likeness, neighbours_share
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
    found: Sequence[tuple[Candidates, Mapping[int, Cosines]]],
    query: Query,
    policy: RecallPolicy,
    at: float,
) -> Ranked:
    """A question that names a time asks for what was then, so that nothing has faded for it."""
    import numpy as np

    def joined(name: str) -> Floats:
        return np.concatenate([getattr(one, name) for one, _ in found])

    numbers, lexical = joined("numbers"), joined("lexical")
    cosines = np.concatenate([_looked_up(one.numbers, known, 0) for one, known in found])
    seen = np.concatenate([_looked_up(one.numbers, known, _SEEN) for one, known in found])
    own = fused(lexical, seen, policy.weights)
    beside = np.concatenate([_neighbours(one, known, policy) for one, known in found])
    context = joined("facets") + neighbours_share(beside[:, :2], beside[:, 2:], policy.weights)
    sought = np.minimum(own + context, 1.0)
    alike = likeness(sought, lexical, cosines, beside[:, :2].max(axis=1), policy.weights)
    fades = policy.fades and not query.days
    rates = np.array([fading_rate(policy.half_life_days[kind]) for kind in KINDS])
    decay = (
        retention(
            (at - joined("used")) / SECONDS_A_DAY,
            rates[joined("kinds").astype(np.int64)],
            policy.weights.fading_floor,
        )
        if fades
        else np.ones_like(sought)
    )
    stronger = reinforcement(joined("strengths"))
    penalty = policy.weights.superseded * joined("superseded").astype(np.float64)
    scores = sought * decay * stronger - penalty
    enough = like_enough(alike, policy.min_similarity) & (scores > 0)
    order = np.flatnonzero(enough)
    order = order[np.lexsort((numbers[order], -scores[order]))]
    semantic = [None if np.isnan(one) else float(one) for one in cosines[order]]
    return Ranked(
        numbers=numbers[order].tolist(),
        scores=scores[order].tolist(),
        lexical=lexical[order].tolist(),
        semantic=semantic,
        context=context[order].tolist(),
        ages=np.maximum(at - joined("created")[order], 0.0).tolist(),
        decay=decay[order].tolist(),
        reinforced=stronger[order].tolist(),
        unlike=len(enough) - len(order),
        waiting=sum(one.waiting for one, _ in found),
        expired=sum(one.expired for one, _ in found),
    )


def promising_neighbours(
    found: Candidates, known: Mapping[int, Cosines], weights: Weights
) -> set[int]:
    """The neighbours of the best candidates so far: only theirs can change what is shown."""
    import numpy as np

    if not found.neighbours.any():
        return set()
    own = fused(found.lexical, _looked_up(found.numbers, known, _SEEN), weights) + found.facets
    beside = weights.neighbour * found.neighbours_lexical[:, :2].sum(axis=1)
    best = np.argsort(-(own + beside), kind="stable")[:_PROMISING]
    return {*found.neighbours[best].ravel().tolist()} - {0}


def _neighbours(found: Candidates, known: Mapping[int, Cosines], policy: RecallPolicy) -> Floats:
    """The scores of what stands beside each in its session; 0 where nothing does."""
    import numpy as np

    if not found.neighbours.any():
        return np.zeros(found.neighbours.shape)
    cosines = _looked_up(found.neighbours.ravel(), known, _SEEN).reshape(found.neighbours.shape)
    scores = fused(found.neighbours_lexical, cosines, policy.weights)
    there: Floats = np.where(found.neighbours > 0, scores, 0.0)
    return there


def _looked_up(numbers: NDArray[np.int64], known: Mapping[int, Cosines], which: int) -> Floats:
    import numpy as np

    unknown = (np.nan, np.nan)
    cosines = [known.get(number, unknown)[which] for number in numbers.tolist()]
    return np.array(cosines, dtype=np.float64)

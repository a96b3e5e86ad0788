"""Words, meaning and surroundings in one score, and the order that it makes.

Fused by score, not by rank: a rank forgets that the first of one list was certain and the first of
the other a guess. Both sides come between 0 and 1 first: of the words, the part of the query's
weight that an item covers; of the meaning, the cosine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from heapq import nlargest
from typing import TYPE_CHECKING

from hermes.rules.recalling.centring import FEWEST
from hermes.rules.recalling.weights import Weights
from hermes.rules.similarity.bm25 import highest_term_score, rarity

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_BESIDE = 0.6
_COMPANY = 0.3
_NEAREST = 60
_SURE = 0.65
_STANDS_OUT, _WITH_WORDS = 2.4, 0.25
"""So that the `min_similarity` of the settings costs hardly a question its answer. A higher one
keeps more of what has no answer from getting one, and loses more answers: the bench prints both."""
_DECISIVE = 6
"""A long query names its point in a few rare words; the rest of it must not make an item that has
those look irrelevant."""
_CLEAR = 0.4
"""Where an item covers this much of a query, its words tell what is meant."""


def rarities(documents: int, having: Mapping[str, int], terms: Sequence[str]) -> dict[str, float]:
    """The weight of each term by how few have it."""
    return {term: rarity(documents, having.get(term, 0)) for term in terms}


def ceiling(weights: Mapping[str, float], terms: Sequence[str]) -> float:
    """The score of an item full of the most decisive terms. A word that no item has lifts it: it
    was asked for too."""
    return sum(nlargest(_DECISIVE, (highest_term_score(weights[term]) for term in terms)))


def as_asked(weights: Weights, lexical: Floats) -> Weights:
    """The same weights for a query whose words cover this much of each item.

    Where no item has much of them the few that some have are accidents, and meaning decides."""
    import numpy as np

    best = max(float(np.max(lexical, initial=0.0)), 1e-3)
    return replace(weights, lexical=weights.lexical ** max(_CLEAR / best, 1.0))


def fused(lexical: Floats, cosines: Floats, weights: Weights) -> Floats:
    """Words and meaning. Where there is no vector yet, the words stand in for it."""
    import numpy as np

    known = np.clip(cosines, 0.0, 1.0)
    meaning: Floats = np.where(np.isnan(cosines), lexical, known)
    return weights.lexical * lexical + (1.0 - weights.lexical) * meaning


def likeness(
    score: Floats, lexical: Floats, cosines: Floats, beside: Floats, weights: Weights
) -> Floats:
    """How like the query each is. A paraphrase shares no word, an error code no meaning and an
    answer neither, so each side and the best neighbour may be enough alone, at a discount."""
    import numpy as np

    meaning = np.where(np.isnan(cosines), 0.0, cosines)
    alone = np.maximum(weights.alone * np.maximum(lexical, meaning), _BESIDE * beside)
    alike: Floats = np.maximum(score, alone)
    return alike


def best_likeness(alike: Floats, lexical: Floats, cosines: Floats, facets: Floats) -> float:
    """How like a query the best is: what `min_similarity` asks before anything is shown.

    In a large memory something is always somewhat near, more so the larger it is, and a rare wish
    is near to nothing that fulfils it. So there the best has to stand out from what else is near,
    unless it is near beyond doubt or of the time that was asked for.
    """
    import numpy as np

    known = np.sort(cosines[~np.isnan(cosines)])[-_NEAREST:]
    if len(known) < FEWEST:
        return float(np.max(alike, initial=0.0))
    meaning = np.where(np.isnan(cosines), 0.0, cosines)
    stands_out = _STANDS_OUT * (meaning - known.mean() + _WITH_WORDS * lexical)
    sure = _SURE * np.maximum(lexical, meaning)
    return float(np.max([stands_out, sure, facets], initial=0.0))


def like_enough(alike: Floats, best: float, min_similarity: float) -> NDArray[np.bool_]:
    """Who is shown. Where the best does not come up to `min_similarity` the question has no answer
    here; where it does, what stands behind it may be fainter."""
    import numpy as np

    if best < min_similarity:
        return np.zeros(len(alike), dtype=np.bool_)
    faint: NDArray[np.bool_] = alike >= _COMPANY * min_similarity
    return faint


def neighbours_share(beside: Floats, further: Floats, weights: Weights) -> Floats:
    """What neighbours add: an answer often stands beside the line with the question's words.

    Rows are items, columns their neighbours."""
    near: Floats = weights.neighbour * beside.sum(axis=1)
    far: Floats = weights.next_neighbour * further.sum(axis=1)
    return near + far

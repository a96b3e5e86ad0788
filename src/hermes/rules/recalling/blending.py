"""Words, meaning and surroundings in one score, and the order that it makes.

Fused by score, not by rank: a rank forgets that the first of one list was certain and the first of
the other a guess. Both sides come between 0 and 1 first: of the words, the part of the query's
weight that an item covers; of the meaning, the cosine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import nlargest
from typing import TYPE_CHECKING

from hermes.rules.recalling.weights import Weights
from hermes.rules.similarity.bm25 import highest_term_score, rarity

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_BESIDE = 0.6
_COMPANY = 0.3
_DECISIVE = 6
"""A long query names its point in a few rare words; the rest of it must not make an item that has
those look irrelevant."""


def rarities(documents: int, having: Mapping[str, int], terms: Sequence[str]) -> dict[str, float]:
    """The weight of each term by how few have it."""
    return {term: rarity(documents, having.get(term, 0)) for term in terms}


def ceiling(weights: Mapping[str, float], terms: Sequence[str]) -> float:
    """The score of an item full of the most decisive terms. A word that no item has lifts it: it
    was asked for too."""
    return sum(nlargest(_DECISIVE, (highest_term_score(weights[term]) for term in terms)))


def fused(lexical: Floats, cosines: Floats, weights: Weights) -> Floats:
    """Words and meaning. Where there is no vector yet, the words stand in for it."""
    import numpy as np

    known = np.clip(cosines, 0.0, 1.0)
    meaning: Floats = np.where(np.isnan(cosines), lexical, known)
    return weights.lexical * lexical + (1.0 - weights.lexical) * meaning


def likeness(
    score: Floats, lexical: Floats, cosines: Floats, beside: Floats, weights: Weights
) -> Floats:
    """What `min_similarity` is held against. A paraphrase shares no word, an error code no meaning
    and an answer neither, so each side and the best neighbour may be enough alone, at a discount.
    """
    import numpy as np

    meaning = np.where(np.isnan(cosines), 0.0, cosines)
    alone = np.maximum(weights.alone * np.maximum(lexical, meaning), _BESIDE * beside)
    alike: Floats = np.maximum(score, alone)
    return alike


def like_enough(alike: Floats, min_similarity: float) -> NDArray[np.bool_]:
    """Who is shown. Where nothing comes up to `min_similarity` the question has no answer here;
    where something does, what stands behind it may be fainter."""
    import numpy as np

    if not len(alike) or alike.max() < min_similarity:
        return np.zeros(len(alike), dtype=np.bool_)
    faint: NDArray[np.bool_] = alike >= _COMPANY * min_similarity
    return faint


def neighbours_share(beside: Floats, further: Floats, weights: Weights) -> Floats:
    """What neighbours add: an answer often stands beside the line with the question's words.

    Rows are items, columns their neighbours."""
    near: Floats = weights.neighbour * beside.sum(axis=1)
    far: Floats = weights.next_neighbour * further.sum(axis=1)
    return near + far

"""BM25: how much a text is about the words of a query. The one formula, whatever holds the counts.

PostgreSQL's own ranking is not BM25 and SQLite's is, so neither is used: both databases and the
index in memory count terms themselves and come here for the score.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Number = TypeVar("Number", float, Floats)
else:
    Number = TypeVar("Number")

SATURATION = 1.2
"""k1: how soon another occurrence of a term stops mattering."""
LENGTH_PENALTY = 0.75
"""b: how much a longer text has to earn its matches."""


def rarity(documents: int, containing: int) -> float:
    """The weight of a term that `containing` of all `documents` have; always above 0."""
    return math.log(1.0 + (documents - containing + 0.5) / (containing + 0.5))


def length_factor(length: Number, mean_length: float) -> Number:
    """The part of the formula that belongs to a document alone."""
    return SATURATION * (1.0 - LENGTH_PENALTY + LENGTH_PENALTY * length / mean_length)


def term_score(rarity_of_term: float, occurrences: Number, factor: Number) -> Number:
    """What one term adds to a document's score, below `highest_term_score`."""
    return rarity_of_term * (SATURATION + 1.0) * occurrences / (occurrences + factor)


def highest_term_score(rarity_of_term: float) -> float:
    """What a term adds at most, however often it occurs."""
    return rarity_of_term * (SATURATION + 1.0)

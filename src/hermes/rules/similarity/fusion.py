"""Words and meaning in one score between 0 and 1.

Fused by score, not by rank: a rank forgets that the first of one list was certain and the first of
the other a guess. Both sides come to the same scale: of the words, the part of the query's weight
that a text covers; of the meaning, the cosine.

The weight was fitted on one half of the labelled set in bench/data/skill_queries.json and measured
on the other (bench/retrieval_skills.py prints both; a test fits it again).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hermes.rules.similarity.lexical import Scores

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LEXICAL_WEIGHT = 0.5


def coverage(scores: Scores) -> NDArray[np.float32]:
    """How much of the query each text covers: 0 for nothing, 1 for all that is decisive."""
    import numpy as np

    if not scores.ceiling:
        return scores.by_slot
    covered: NDArray[np.float32] = np.minimum(scores.by_slot / scores.ceiling, np.float32(1))
    return covered


def fuse(
    covered: NDArray[np.float32],
    cosines: NDArray[np.float32],
    lexical_weight: float = LEXICAL_WEIGHT,
) -> NDArray[np.float32]:
    """The score of every slot. Where there is no vector yet, the words stand in for it: a new
    skill competes on equal terms until it has one."""
    import numpy as np

    known = np.clip(cosines, np.float32(0), np.float32(1))
    meaning: NDArray[np.float32] = np.where(np.isnan(cosines), covered, known)
    return lexical_weight * covered + (1.0 - lexical_weight) * meaning


def best_first(scores: NDArray[np.float32], ahead: int) -> Iterator[int]:
    """Slots by falling score. The first `ahead` are sorted apart: rarely are more asked for."""
    import numpy as np

    if 0 < ahead < len(scores):
        slots = np.argpartition(-scores, ahead)
        blocks = [slots[:ahead], slots[ahead:]]
    else:
        blocks = [np.arange(len(scores))]
    for block in blocks:
        yield from block[np.argsort(-scores[block], kind="stable")].tolist()

"""Words and meaning of a run in one score, and which runs are worth showing."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_WORDS = 0.4
"""The part of the words. Whoever looks for past work often remembers a name or an error of it."""
_ALONE = 0.85
"""An error code has no meaning and a paraphrase shares no word: either side may be enough alone."""
_COMPANY = 0.3
"""Behind a run that answers, fainter ones are shown too."""


def blended(lexical: Floats, meaning: Floats) -> Floats:
    """Where there is no vector yet (NaN), the words stand in for it."""
    import numpy as np

    known = _WORDS * lexical + (1.0 - _WORDS) * np.clip(meaning, 0.0, 1.0)
    return np.where(np.isnan(meaning), lexical, known)


def worth_showing(lexical: Floats, meaning: Floats, min_similarity: float) -> NDArray[np.bool_]:
    """Where the best is not like the query at all, it has no answer here."""
    import numpy as np

    sides = np.maximum(lexical, np.nan_to_num(meaning))
    alike = np.maximum(blended(lexical, meaning), _ALONE * sides)
    if not len(alike) or alike.max() < min_similarity:
        return np.zeros(len(alike), dtype=np.bool_)
    enough: NDArray[np.bool_] = alike >= _COMPANY * min_similarity
    return enough

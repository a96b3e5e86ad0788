"""How much a turn of a conversation tells.

`How was it?` is near every question about it and answers none, and so is `Oh, great!`. What answers
is said in sentences that state something, and in more than two words.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_SENTENCES = re.compile(r"(?<=[.!?…])\s+")
_HALF_TOLD = 8.0
"""Terms of a turn, its speaker and day among them, that tell half of what a long one may."""


def only_asks(said: str) -> bool:
    """Whether every sentence is a question."""
    sentences = [one for one in _SENTENCES.split(said.strip()) if one]
    return bool(sentences) and all(one.endswith("?") for one in sentences)


def told(lengths: Floats, asking: NDArray[np.bool_], weight: float) -> Floats:
    """The factor on the score of each turn, by its number of terms and whether it only asks."""
    import numpy as np

    part = np.where(asking, 0.0, lengths / (lengths + _HALF_TOLD))
    factor: Floats = 1.0 - weight * (1.0 - part)
    return factor

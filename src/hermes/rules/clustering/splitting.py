"""Whether a cluster is two intents that were taken for one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Mask = NDArray[np.bool_]
    Matrix = NDArray[np.float32]

SMALLEST_PART = 3
_APART = 0.65
_GAP, _GAP_OF_FEW = 0.04, 0.10
"""Parts are two intents when they are at most this share as similar to each other as the looser is
in itself, and less similar by this gap; chance makes larger gaps between few, and the second number
of the gap fades with more."""
_ROUNDS = 6


def two_parts(similar: Matrix) -> Mask | None:
    """Which members form the one part, given how similar each is to each; None: it is one intent.

    The two least similar members attract the others in turn, until nobody moves.
    """
    import numpy as np

    one, other = np.unravel_index(np.argmin(similar), similar.shape)
    part = similar[one] >= similar[other]
    for _ in range(_ROUNDS):
        if min(part.sum(), (~part).sum()) < SMALLEST_PART:
            return None
        moved = _mean_to(similar, part) >= _mean_to(similar, ~part)
        if (moved == part).all():
            break
        part = moved
    if min(part.sum(), (~part).sum()) < SMALLEST_PART:
        return None
    across, closeness = _across_and_within(similar, part)
    needed = _GAP + _GAP_OF_FEW / len(part) ** 0.5
    return part if across < _APART * closeness and closeness - across > needed else None


def _across_and_within(similar: Matrix, part: Mask) -> tuple[float, float]:
    """The mean similarity across two parts, and that within the looser of them."""
    import numpy as np

    across = float(similar[np.ix_(part, ~part)].mean())
    return across, min(_within(similar, part), _within(similar, ~part))


def _mean_to(similar: Matrix, part: Mask) -> Matrix:
    """Each member's mean similarity to a part, itself left out."""
    import numpy as np

    own = np.where(part, similar.diagonal(), 0)
    others = np.maximum(part.sum() - part, 1)
    mean: Matrix = (similar[:, part].sum(axis=1) - own) / others
    return mean


def _within(similar: Matrix, part: Mask) -> float:
    return float(_mean_to(similar, part)[part].mean())

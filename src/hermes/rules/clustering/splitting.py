"""Whether a cluster is two intents that were taken for one."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Mask = NDArray[np.bool_]
    Matrix = NDArray[np.float32]

SMALLEST_PART = 3
_APART = 0.74
_GAP, _GAP_OF_FEW = 0.06, 0.15
"""Parts are two intents when they are at most this share as similar to each other as each is in
itself, and less similar by this gap; chance makes larger gaps between few, and the second number
of the gap fades with more."""
_ROUNDS = 6
_SEEDS = 4
"""Members that lie far from each other, of which each two are tried: a cluster of many intents has
no two halves, but one of them can leave it."""


@dataclass(frozen=True, slots=True)
class _Parts:
    """`across` is the mean similarity between the parts, `within` the mean of that inside them."""

    mask: Mask
    across: float
    within: float

    @property
    def share(self) -> float:
        return self.across / self.within if self.within > 0 else math.inf


def two_parts(similar: Matrix) -> Mask | None:
    """Which members form the one part, given how similar each is to each; None: it is one intent.

    Two members that lie far apart attract the others in turn, until nobody moves.
    """
    tried = [_grown(similar, one, other) for one, other in combinations(_far_apart(similar), 2)]
    best = min(filter(None, tried), key=lambda parts: parts.share, default=None)
    if best is None:
        return None
    gap = _GAP + _GAP_OF_FEW / len(similar) ** 0.5
    return best.mask if best.share < _APART and best.within - best.across > gap else None


def _far_apart(similar: Matrix) -> list[int]:
    """The two least similar members, then those that are least similar to all before them."""
    import numpy as np

    found = [int(at) for at in np.unravel_index(np.argmin(similar), similar.shape)]
    while len(found) < min(_SEEDS, len(similar)):
        nearest = similar[:, found].max(axis=1)
        nearest[found] = np.inf
        found.append(int(np.argmin(nearest)))
    return found


def _grown(similar: Matrix, one: int, other: int) -> _Parts | None:
    """The parts that these two attract; None where one of them stays too small."""
    import numpy as np

    part: Mask = similar[one] >= similar[other]
    for _ in range(_ROUNDS):
        if min(part.sum(), (~part).sum()) < SMALLEST_PART:
            return None
        moved = _mean_to(similar, part) >= _mean_to(similar, ~part)
        if (moved == part).all():
            break
        part = moved
    if min(part.sum(), (~part).sum()) < SMALLEST_PART:
        return None
    within = max(_within(similar, part), 0.0) * max(_within(similar, ~part), 0.0)
    return _Parts(part, float(similar[np.ix_(part, ~part)].mean()), math.sqrt(within))


def _mean_to(similar: Matrix, part: Mask) -> Matrix:
    """Each member's mean similarity to a part, itself left out."""
    import numpy as np

    own = np.where(part, similar.diagonal(), 0)
    others = np.maximum(part.sum() - part, 1)
    mean: Matrix = (similar[:, part].sum(axis=1) - own) / others
    return mean


def _within(similar: Matrix, part: Mask) -> float:
    return float(_mean_to(similar, part)[part].mean())

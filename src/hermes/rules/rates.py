"""How sure a rate is: what a few lucky uses prove, and what many do."""

from __future__ import annotations

import math

_SURE = 1.96  # standard errors: 95 of 100 true rates lie within


def lower_bound(successes: int, uses: int) -> float:
    """The rate that is at least true, by Wilson's interval; 0 where nothing was tried."""
    if not 0 <= successes <= uses:
        raise ValueError(f"{successes} of {uses} is no rate")
    if uses == 0:
        return 0.0
    share = successes / uses
    square = _SURE * _SURE
    middle = share + square / (2 * uses)
    spread = _SURE * math.sqrt((share * (1 - share) + square / (4 * uses)) / uses)
    return max(0.0, (middle - spread) / (1 + square / uses))

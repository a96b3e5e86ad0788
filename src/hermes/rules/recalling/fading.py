"""Memories fade with time and grow stronger with use.

The published rule is `score × e^(-λt)`, λ from the half-life of the kind. Taken to its end it makes
last year's exact answer worth less than yesterday's noise, so only a part of the score fades: after
many half-lives an item still counts for `floor` of what it was
(docs/decisions/0016-memories-fade-to-a-floor.md). The clock starts anew when an item is recalled.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Number = TypeVar("Number", float, Floats)
else:
    Number = TypeVar("Number")

SECONDS_A_DAY = 86_400.0
STRONGEST = 8.0
"""Strength above which another recall adds nothing: no item may drown the others."""
_GAIN = 0.05
"""What each doubling of the strength adds to a score."""


def fading_rate(half_life_days: float) -> float:
    """λ a day: after one half-life half is left."""
    return math.log(2.0) / half_life_days


def retention(age_days: Floats, rate: Floats | float, floor: float) -> Floats:
    """What is left of a score after so many days: 1 at first, `floor` at last."""
    import numpy as np

    faded: Floats = floor + (1.0 - floor) * np.exp(-rate * np.maximum(age_days, 0.0))
    return faded


def reinforcement(strength: Floats) -> Floats:
    """The factor that use puts on a score: 1 for what was said once and never recalled."""
    import numpy as np

    grown: Floats = 1.0 + _GAIN * np.log2(np.clip(strength, 1.0, STRONGEST))
    return grown


def strengthened(strength: float) -> float:
    """After one more use; half of what is missing to the strongest would be too fast."""
    return min(STRONGEST, strength + 0.5)

"""How alike two requests are, on a scale that means something.

A cosine means another thing for every model. Here 0.9 is where, on the labelled requests that
were fitted, at least nineteen of twenty pairs above it ask for the same thing with other
parameters. Only what was asked counts here, not how it was done. `hermes bench extract` prints how
often 0.9 is reached, within intents and across them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hermes.rules.clustering.profiles import against, text_of

if TYPE_CHECKING:
    from hermes.rules.clustering.profiles import Vector

SAME_REQUEST = 0.9
_AT_SAME_REQUEST = 0.50
"""The product of two texts that is called 0.9."""


def task_similarity(one: Vector, other: Vector) -> float:
    """From 0, nothing in common, to 1, the same words; 0.9 is the same request."""
    return calibrated(float(text_of(one) @ against(text_of(other))))


def calibrated(product: float) -> float:
    """A product of vectors on that scale."""
    if product >= _AT_SAME_REQUEST:
        beyond = (product - _AT_SAME_REQUEST) / (1 - _AT_SAME_REQUEST)
        return min(1.0, SAME_REQUEST + (1 - SAME_REQUEST) * beyond)
    return max(0.0, product / _AT_SAME_REQUEST * SAME_REQUEST)

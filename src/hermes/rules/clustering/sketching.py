"""A vector in few dimensions, near enough to pick the likely neighbours.

Each dimension falls on a fixed place with a fixed sign, so products stay the same on average and a
sketch costs one pass over the vector, whatever its width.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hermes.rules.clustering.profiles import Vector

SKETCH_WIDTH = 256
_SEED = 20240101


class Sketch:
    """Makes sketches of vectors of one width; the same ones in every process."""

    def __init__(self, vector_width: int) -> None:
        import numpy as np

        drawn = np.random.default_rng(_SEED)
        self._order = drawn.permutation(vector_width)
        self._signs = drawn.choice(np.array([-1, 1], dtype=np.float32), size=vector_width)
        self._folded = np.zeros((-(-vector_width // SKETCH_WIDTH), SKETCH_WIDTH), dtype=np.float32)

    def of(self, vector: Vector) -> Vector:
        self._folded.flat[: len(vector)] = vector[self._order] * self._signs
        sketch: Vector = self._folded.sum(axis=0)
        return sketch

"""A sketch is smaller than its vector, and products survive it."""

from __future__ import annotations

import numpy as np

from hermes.rules.clustering.sketching import SKETCH_WIDTH, Sketch


def test_products_stay_nearly_the_same() -> None:
    drawn = np.random.default_rng(3)
    common = drawn.standard_normal(1900)
    near, far = (
        ((common + drawn.standard_normal(1900)) / 62).astype(np.float32),
        (drawn.standard_normal(1900) / 43.6).astype(np.float32),
    )
    one = (common / 43.6).astype(np.float32)
    sketch = Sketch(1900)
    assert len(sketch.of(one)) == SKETCH_WIDTH
    for other in (near, far, one):
        assert abs(float(sketch.of(one) @ sketch.of(other)) - float(one @ other)) < 0.2


def test_two_processes_make_the_same_sketch() -> None:
    vector = np.arange(300, dtype=np.float32)
    assert np.array_equal(Sketch(300).of(vector), Sketch(300).of(vector))


def test_what_has_nothing_in_common_falls_apart() -> None:
    """Without signs, numbers that are all positive would add up on shared places."""
    left, right = np.zeros(2048, dtype=np.float32), np.zeros(2048, dtype=np.float32)
    left[:1024], right[1024:] = 1 / 32, 1 / 32
    sketch = Sketch(2048)
    assert abs(float(sketch.of(left) @ sketch.of(right))) < 0.3

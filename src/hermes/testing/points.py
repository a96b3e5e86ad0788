"""At which of an operation's points it is made to fail: all of them, or a sample that changes.

A sample is drawn anew in each run and its seed is printed, so that over time every point is met and
what failed once can be repeated: `HERMES_SEED=… make test`.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator

MANY = 200  # no operation has more points; beyond it the loop itself would be broken
_WIDEST_GAP = 36


class Points:
    """1, 2, 3 … or with gaps; whoever asks stops when the operation has no such point."""

    def __init__(self, *, every: bool) -> None:
        self._every = every
        self.seed = int(os.environ.get("HERMES_SEED") or random.randrange(10**6))

    def __iter__(self) -> Iterator[int]:
        if self._every:
            yield from range(1, MANY)
            return
        print(f"HERMES_SEED={self.seed}")
        draw = random.Random(self.seed)
        number = draw.randint(1, 3)
        while number < MANY:
            yield number
            number += draw.randint(1, _WIDEST_GAP)

"""Which episodes say one thing. Greedy: a group is all that is near its first member."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ALIKE = 0.72
"""Cosine above which two episodes tell of the same thing."""
FEWEST = 3


def groups(vectors: NDArray[np.float32]) -> list[tuple[list[int], int, float]]:
    """(members, the most central of them, mean cosine to it) of each group, the largest first."""
    import numpy as np

    free = np.ones(len(vectors), dtype=np.bool_)
    found = []
    for first in range(len(vectors)):
        if not free[first]:
            continue
        near = np.flatnonzero(free & (vectors @ vectors[first] >= ALIKE))
        if len(near) < FEWEST:
            continue
        free[near] = False
        among = vectors[near] @ vectors[near].T
        centre = int(among.mean(axis=1).argmax())
        found.append((near.tolist(), int(near[centre]), float(among[centre].mean())))
    return sorted(found, key=lambda group: -len(group[0]))


def occasions(sessions: Sequence[str | None], days: Sequence[str]) -> int:
    """On how many occasions it was told: sessions where they are known, else days."""
    return len({session or day for session, day in zip(sessions, days, strict=True)})

"""Cosines as seen from the middle of what is near a query.

All that is near a question about one service may be near it for that name. Seen from part of the
way to the mean of those, the name is what they share and counts less, and what else the question
asks decides. Where those near are not much alike there is nothing to take off, and a centre would
only blur: how alike they are is the length of their mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

FEWEST = 50
"""Vectors without which a mean would mostly be the answer itself."""
_UNLIKE, _ALIKE = 0.45, 0.55
"""Lengths of the mean of unit vectors that speak of many things, and of one."""


def centre_of(mean: bytes, share: float) -> bytes | None:
    """The point at most that share of the way from nothing to the mean; None for no way at all."""
    import numpy as np

    point = np.frombuffer(mean, dtype=np.float32)
    alike = (float(np.linalg.norm(point)) - _UNLIKE) / (_ALIKE - _UNLIKE)
    part = share * min(max(alike, 0.0), 1.0)
    return bytes((point * np.float32(part)).tobytes()) if part > 0 else None


def seen_from(
    cosines: Sequence[float], along: Sequence[float], query: bytes, mean: bytes, centre: bytes
) -> list[float]:
    """The same as `cosines_from` of unit vectors that are known only by their cosines to the query
    and by how far they go along the mean that the centre lies on the way to."""
    import numpy as np

    asked, middle, end = (np.frombuffer(one, dtype=np.float32) for one in (query, centre, mean))
    onto = np.array(along) * float(np.linalg.norm(middle) / np.linalg.norm(end))
    square = float(middle @ middle)
    product = np.array(cosines) - onto - float(asked @ middle) + square
    lengths = np.sqrt(np.maximum(1.0 - 2.0 * onto + square, 0.0))
    seen = product / np.maximum(lengths * float(np.linalg.norm(asked - middle)), 1e-9)
    return [float(one) for one in seen.tolist()]


def cosines_from(rows: Floats, query: Floats, centre: bytes | None) -> Floats:
    """The cosine of each row to the query; from a centre, of what is left of both without it."""
    import numpy as np

    if centre is None:
        plain: Floats = np.vecdot(rows, query)
        return plain
    middle = np.frombuffer(centre, dtype=np.float32)
    left, asked = rows - middle, query - middle
    lengths = np.linalg.norm(left, axis=1) * np.linalg.norm(asked)
    seen: Floats = np.vecdot(left, asked) / np.maximum(lengths, np.float32(1e-9))
    return seen

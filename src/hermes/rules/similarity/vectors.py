"""Unit vectors in numbered slots, and how near each is to one more.

Space doubles when it runs out, so that adding one vector copies the others only now and then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_SMALLEST = 64


class VectorTable:
    """Not safe to share between threads: its owner holds a lock."""

    def __init__(self, dimensions: int) -> None:
        self._dimensions = dimensions
        self._rows: NDArray[np.float32] | None = None
        self._filled = bytearray()  # 1 where a slot has a vector

    def __len__(self) -> int:
        return self._filled.count(1)

    def __contains__(self, slot: int) -> bool:
        return slot < len(self._filled) and self._filled[slot] == 1

    def put(self, slot: int, vector: bytes) -> None:
        import numpy as np

        self._room_for(slot)[slot] = np.frombuffer(vector, dtype=np.float32)
        self._filled[slot] = 1

    def drop(self, slot: int) -> None:
        if slot in self:
            self._filled[slot] = 0

    def similarities(self, query: bytes, slots: int) -> NDArray[np.float32]:
        """The cosine of each of the first `slots` slots; not a number where there is no vector."""
        import numpy as np

        cosines = np.full(slots, np.nan, dtype=np.float32)
        if self._rows is not None:
            rows = self._rows[:slots]
            filled = np.frombuffer(self._filled, dtype=np.bool_)[:slots]
            near = np.vecdot(rows, np.frombuffer(query, dtype=np.float32))
            np.copyto(cosines[: len(rows)], near, where=filled)
        return cosines

    def _room_for(self, slot: int) -> NDArray[np.float32]:
        import numpy as np

        held = self._rows
        if held is not None and slot < len(held):
            return held
        space = max(_SMALLEST, 2 * len(held) if held is not None else 0, slot + 1)
        larger = np.zeros((space, self._dimensions), dtype=np.float32)
        if held is not None:
            larger[: len(held)] = held
        self._rows = larger
        self._filled.extend(bytes(space - len(self._filled)))
        return larger

"""Vectors as the rows of one matrix: exact, and fast enough for some ten thousands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

Found = list[tuple[int, float]]
_SMALLEST = 64


class Matrix:
    """Keys are whole numbers. Not safe to share between threads: its owner holds a lock."""

    def __init__(self, dimensions: int) -> None:
        import numpy as np

        self._rows: Floats = np.zeros((_SMALLEST, dimensions), dtype=np.float32)
        self._keys: list[int] = []
        self._row_of: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._keys)

    def all_keys(self) -> list[int]:
        return list(self._keys)

    def put(self, key: int, vector: bytes) -> None:
        import numpy as np

        row = self._row_of.get(key)
        if row is None:
            row = self._row_of[key] = len(self._keys)
            self._keys.append(key)
            if row == len(self._rows):
                self._rows = np.concatenate([self._rows, np.zeros_like(self._rows)])
        self._rows[row] = np.frombuffer(vector, dtype=np.float32)

    def drop(self, key: int) -> None:
        """The last row takes the place of the one that goes, and nothing of that stays."""
        row = self._row_of.pop(key, None)
        if row is None:
            return
        last_key = self._keys.pop()
        self._rows[row] = self._rows[len(self._keys)]
        self._rows[len(self._keys)] = 0.0
        if last_key != key:
            self._keys[row], self._row_of[last_key] = last_key, row

    def nearest(self, query: Floats, limit: int) -> Found:
        """The `limit` nearest keys with their cosines, nearest first."""
        import numpy as np

        # One thread: the others of a large product would wait for cores that have other work.
        cosines = np.vecdot(self._rows[: len(self._keys)], query)
        rows = np.arange(len(cosines))
        if 0 < limit < len(cosines):
            rows = np.argpartition(-cosines, limit)[:limit]
        rows = rows[np.argsort(-cosines[rows], kind="stable")]
        return [(self._keys[row], float(cosines[row])) for row in rows.tolist()]

    def rows(self, keys: Sequence[int]) -> tuple[list[int], Floats]:
        """Those of the keys that have a vector, and their vectors."""
        known = [key for key in keys if key in self._row_of]
        return known, self._rows[[self._row_of[key] for key in known]]

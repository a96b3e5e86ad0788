"""Vectors as the rows of a matrix. Of many, those that look alike in rough are compared exactly.

In rough a vector is the signs of its numbers, one bit each: a hundred thousand of them are compared
in a millisecond, where their numbers would take ten times as long. What is found is exact; only
what no rough look puts among the first sixteen hundred is missed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, islice
from typing import TYPE_CHECKING

from hermes.rules.recalling.centring import cosines_from

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Keys = NDArray[np.int64]

    Nearest = tuple[list[tuple[int, float]], Floats]

COMPARED_WHOLE = 4_000
"""Of fewer vectors all are compared; beyond, a rough look is cheaper."""
_SMALLEST = 64
_BATCH = 2_048
_FURTHER = 16  # candidates of the rough look for each that is asked for
_LEAST_CANDIDATES = 400
_GROWTH = 1.5
_WORD = 64


class Matrix:
    """Keys are whole numbers. Not safe to share between threads: its owner holds a lock."""

    def __init__(self, dimensions: int, room_for: int = 0) -> None:
        import numpy as np

        capacity = max(room_for, _SMALLEST)
        self._rows: Floats = np.zeros((capacity, dimensions), dtype=np.float32)
        self._signs = np.zeros((-(-dimensions // _WORD), capacity), dtype=np.uint64)
        self._keys: Keys = np.zeros(capacity, dtype=np.int64)
        self._row_of: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._row_of)

    @property
    def keys(self) -> Keys:
        """By row. To be dropped before the lock is."""
        return self._keys[: len(self)]

    def all_keys(self) -> list[int]:
        found: list[int] = self.keys.tolist()
        return found

    def put_all(self, pairs: Iterable[tuple[int, bytes]]) -> int:
        """Add vectors in batches, each in the place of what its key had; how many."""
        import numpy as np

        rest, added = iter(pairs), 0
        while batch := dict(islice(rest, _BATCH)):
            rows = np.array([self._row_for(key) for key in batch])
            vectors = np.frombuffer(b"".join(batch.values()), dtype=np.float32)
            vectors = vectors.reshape(len(batch), self._rows.shape[1])
            self._rows[rows] = vectors
            self._signs[:, rows] = _signs(vectors).T
            added += len(batch)
        return added

    def drop(self, key: int) -> None:
        """The last row takes the place of the one that goes, and nothing of that stays."""
        row = self._row_of.pop(key, None)
        if row is None:
            return
        last = len(self)
        last_key = int(self._keys[last])
        for values in (self._rows, self._keys, self._signs.T):
            values[row] = values[last]
            values[last] = 0
        if last_key != key:
            self._row_of[last_key] = row

    def rows(self, keys: Sequence[int]) -> tuple[list[int], Floats]:
        """Those of the keys that have a vector, and their vectors."""
        known = [key for key in keys if key in self._row_of]
        return known, self._rows[[self._row_of[key] for key in known]]

    def copy(self, rows: NDArray[np.int64], keys: Keys, vectors: Floats) -> None:
        """Put the keys and vectors of these rows there: whoever asks many matrices copies once."""
        self._keys.take(rows, out=keys, mode="clip")
        self._rows.take(rows, axis=0, out=vectors, mode="clip")

    def unlikeness(self, query: Floats) -> NDArray[np.uint16]:
        """How many signs of each row are not the query's."""
        import numpy as np

        unlike = np.zeros(len(self), dtype=np.uint16)
        for word, asked in zip(self._signs, _signs(query[np.newaxis])[0], strict=True):
            unlike += np.bitwise_count(word[: len(self)] ^ asked)
        return unlike

    def _row_for(self, key: int) -> int:
        import numpy as np

        row = self._row_of.get(key)
        if row is not None:
            return row
        row = self._row_of[key] = len(self)
        if row == len(self._keys):
            more = int(row * _GROWTH) - row
            self._rows = np.pad(self._rows, ((0, more), (0, 0)))
            self._signs = np.pad(self._signs, ((0, 0), (0, more)))
            self._keys = np.pad(self._keys, (0, more))
        self._keys[row] = key
        return row


def nearest_rows(
    matrices: Sequence[Matrix], query: Floats, limit: int, kinds: Sequence[int] | None = None
) -> Nearest:
    """The nearest of all matrices together with their cosines, nearest first, and their vectors.

    The kind of a key is the rest of its division by four.
    """
    import numpy as np

    matrices = [matrix for matrix in matrices if len(matrix)]
    if not matrices or limit < 1:
        return [], np.zeros((0, len(query)), dtype=np.float32)
    rows = [_of_kinds(matrix, kinds) for matrix in matrices]
    if sum(map(len, rows)) > max(COMPARED_WHOLE, limit):
        rows = _alike_in_rough(matrices, rows, query, max(_FURTHER * limit, _LEAST_CANDIDATES))
    counts = [len(some) for some in rows]
    keys: Keys = np.empty(sum(counts), dtype=np.int64)
    vectors: Floats = np.empty((len(keys), len(query)), dtype=np.float32)
    for matrix, some, end in zip(matrices, rows, accumulate(counts), strict=True):
        here = slice(end - len(some), end)
        matrix.copy(some, keys[here], vectors[here])
    cosines = cosines_from(vectors, query, None)
    order = np.argsort(-cosines, kind="stable")[:limit]
    pairs = zip(keys[order].tolist(), cosines[order].tolist(), strict=True)
    return list(pairs), vectors[order]


def _of_kinds(matrix: Matrix, kinds: Sequence[int] | None) -> Keys:
    """The rows whose keys are of these kinds."""
    import numpy as np

    if kinds is None:
        return np.arange(len(matrix))
    return np.flatnonzero(np.isin(matrix.keys & 3, kinds))


def _alike_in_rough(
    matrices: Sequence[Matrix], rows: Sequence[Keys], query: Floats, wanted: int
) -> list[Keys]:
    """Of these rows of each matrix the ones that are worth comparing, chosen among all."""
    import numpy as np

    unlike = np.concatenate(
        [matrix.unlikeness(query)[some] for matrix, some in zip(matrices, rows, strict=True)]
    )
    if wanted >= len(unlike):
        return list(rows)
    chosen = np.zeros(len(unlike), dtype=np.bool_)
    chosen[np.argpartition(unlike, wanted)[:wanted]] = True
    masks = np.split(chosen, np.cumsum([len(some) for some in rows])[:-1])
    return [some[mask] for some, mask in zip(rows, masks, strict=True)]


def _signs(vectors: Floats) -> NDArray[np.uint64]:
    """The signs of each row, packed into words."""
    import numpy as np

    packed = np.packbits(vectors > 0, axis=1)
    missing = -packed.shape[1] % 8
    if missing:
        packed = np.pad(packed, ((0, 0), (0, missing)))
    return np.ascontiguousarray(packed).view(np.uint64)

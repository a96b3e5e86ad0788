"""Vectors as the rows of a matrix. Of many, those that look alike in rough are compared exactly.

In rough a vector is the signs of its numbers, one bit each: a hundred thousand of them are compared
in a millisecond, where their numbers would take ten times as long. Of the query only the signs of
its larger numbers are asked: about the others a sign says nothing. What is found is exact; only
what no rough look puts among the first four hundred is missed.
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
    Words = NDArray[np.uint64]
    Kinds = NDArray[np.bool_]

    Nearest = tuple[list[tuple[int, float]], Floats]

COMPARED_WHOLE = 1_000
"""Of fewer vectors all are compared; beyond, a rough look is cheaper."""
_SMALLEST = 64
_BATCH = 2_048
_FURTHER = 6  # candidates of the rough look for each that is asked for
_LEAST_CANDIDATES = 400
_GROWTH = 1.5
_WORD = 64
_FEW = 4_096
_TELLING = 0.75  # a number's part of the mean size from which on its sign is asked
_KINDS = 4


class Matrix:
    """Keys are whole numbers; the kind of one is the rest of its division by four.

    Not safe to share between threads: its owner holds a lock.
    """

    def __init__(self, dimensions: int, room_for: int = 0) -> None:
        import numpy as np

        capacity = max(room_for, _SMALLEST)
        self._rows: Floats = np.zeros((capacity, dimensions), dtype=np.float32)
        self._signs = np.zeros((-(-dimensions // _WORD), capacity), dtype=np.uint64)
        self._keys: Keys = np.zeros(capacity, dtype=np.int64)
        self._kinds = np.zeros(capacity, dtype=np.uint8)
        self._of_kind = [0] * _KINDS
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
        self._of_kind[key % _KINDS] -= 1
        last = len(self)
        last_key = int(self._keys[last])
        for values in (self._rows, self._keys, self._kinds, self._signs.T):
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

    def count(self, kinds: Kinds) -> int:
        """How many rows are of these kinds."""
        return sum(count for count, asked in zip(self._of_kind, kinds, strict=True) if asked)

    def rows_of(self, kinds: Kinds) -> Keys:
        import numpy as np

        return np.flatnonzero(kinds.take(self._kinds[: len(self)]))

    def unlikeness(self, signs: Words, telling: Words, kinds: Kinds) -> NDArray[np.uint16]:
        """How many of the telling signs of each row are not these; more than there are for a row of
        another kind."""

        unlike = self._differing(signs, telling)
        if self.count(kinds) < len(self):
            unlike[~kinds.take(self._kinds[: len(self)])] = self.never
        return unlike

    @property
    def never(self) -> int:
        """As unlike as no row can be."""
        return int(self._rows.shape[1]) + 1

    def _differing(self, signs: Words, telling: Words) -> NDArray[np.uint16]:
        """A few rows at once, many word by word: the one saves calls, the other stays in the
        cache."""
        import numpy as np

        held = self._signs[:, : len(self)]
        if len(self) <= _FEW:
            differing = (held ^ signs[:, np.newaxis]) & telling[:, np.newaxis]
            counted: NDArray[np.uint16] = np.bitwise_count(differing).sum(axis=0, dtype=np.uint16)
            return counted
        unlike = np.zeros(len(self), dtype=np.uint16)
        for word, asked, told in zip(held, signs, telling, strict=True):
            differing = word ^ asked
            unlike += np.bitwise_count(np.bitwise_and(differing, told, out=differing))
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
            self._kinds = np.pad(self._kinds, (0, more))
        self._keys[row] = key
        self._kinds[row] = key % _KINDS
        self._of_kind[key % _KINDS] += 1
        return row


def nearest_rows(
    matrices: Sequence[Matrix], query: Floats, limit: int, kinds: Sequence[int] | None = None
) -> Nearest:
    """The nearest of all matrices together with their cosines, nearest first, and their vectors."""
    import numpy as np

    matrices = [matrix for matrix in matrices if len(matrix)]
    if not matrices or limit < 1:
        return [], np.zeros((0, len(query)), dtype=np.float32)
    rows = _to_compare(matrices, query, limit, kinds)
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


def _to_compare(
    matrices: Sequence[Matrix], query: Floats, limit: int, kinds: Sequence[int] | None
) -> list[Keys]:
    """The rows of each matrix that are of these kinds and worth comparing."""
    import numpy as np

    wanted = max(_FURTHER * limit, _LEAST_CANDIDATES)
    asked = np.array([kinds is None or kind in kinds for kind in range(_KINDS)])
    if sum(matrix.count(asked) for matrix in matrices) > max(COMPARED_WHOLE, limit):
        return _alike_in_rough(matrices, asked, query, wanted)
    return [matrix.rows_of(asked) for matrix in matrices]


def _alike_in_rough(
    matrices: Sequence[Matrix], kinds: Kinds, query: Floats, wanted: int
) -> list[Keys]:
    """The rows of these kinds that are worth comparing: `wanted` of all matrices together, and
    those as alike as the last of them. There are more than are wanted."""
    import numpy as np

    sizes = np.abs(query)
    signs, telling = _signs(np.stack([query, sizes - np.float32(_TELLING) * sizes.mean()]))
    unlike = [matrix.unlikeness(signs, telling, kinds) for matrix in matrices]
    counts = np.bincount(np.concatenate(unlike))
    furthest = min(int(np.searchsorted(np.cumsum(counts), wanted)), matrices[0].never - 1)
    return [np.flatnonzero(found <= furthest) for found in unlike]


def _signs(vectors: Floats) -> Words:
    """The signs of each row, packed into words."""
    import numpy as np

    packed = np.packbits(vectors > 0, axis=1)
    missing = -packed.shape[1] % 8
    if missing:
        packed = np.pad(packed, ((0, 0), (0, missing)))
    return np.ascontiguousarray(packed).view(np.uint64)

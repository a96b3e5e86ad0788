"""A book: what a warm process keeps of one scope's past work, all but the texts.

Passages are numbered in the order they came. A posting is one whole number: the term's hash, the
passage and how often it occurs, in this order, so that sorting the postings puts a term's passages
side by side. New postings go into a short list of their own, which joins the long one when it has
grown; what was forgotten is masked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from hermes.memory.past.packing import Joined, joined_rows, place_rows, term_hash, vector_rows
from hermes.ports.past import IndexedRun

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Numbers = NDArray[np.int64]
    Keys = NDArray[np.uint64]
    Flags = NDArray[np.bool_]

_PASSAGE_BITS = 24
_COUNT_BITS = 8
_TERM_SHIFT = _PASSAGE_BITS + _COUNT_BITS
_JOINED_FROM = 100_000
_JOINED_SHARE = 8


@dataclass(frozen=True, slots=True)
class BookRun:
    """A run in a book; its passages are those from `first` on."""

    number: int
    trajectory_id: str
    agent: str
    started: float
    first: int


class Book:
    """Not safe to share between threads: its owner holds a lock."""

    def __init__(self, scope: str, dimensions: int = 0) -> None:
        import numpy as np

        self.scope = scope
        self.generation = -1
        self.runs: list[BookRun] = []
        self.started: NDArray[np.float64] = np.zeros(0)
        self.alive: Flags = np.zeros(0, dtype=np.bool_)
        self.places: NDArray[Any] = place_rows(b"")
        self.lengths: Floats = np.zeros(0, dtype=np.float32)
        self.run_of: Numbers = np.zeros(0, dtype=np.int64)
        self.firsts: Numbers = np.zeros(0, dtype=np.int64)
        self.vectors: Floats = np.zeros((0, dimensions), dtype=np.float32)
        self.vector_passages: Numbers = np.zeros(0, dtype=np.int64)
        self._dimensions = dimensions
        self._long: Keys = np.zeros(0, dtype=np.uint64)
        self._short: Keys = np.zeros(0, dtype=np.uint64)
        self._index_of: dict[int, int] = {}
        self._total_length = 0
        self._living = 0

    @property
    def passages(self) -> int:
        """How many passages there are to find."""
        return self._living

    @property
    def total_length(self) -> int:
        return self._total_length

    def take(self, indexed: Iterable[IndexedRun]) -> None:
        """New runs, by rising number; one without a word has nothing to find."""
        import numpy as np

        new = [row for row in indexed if row.places and row.number not in self._index_of]
        if not new:
            return
        joined = joined_rows([(row.places, row.words) for row in new])
        places = joined.places
        before = len(self.places)
        firsts = before + np.cumsum([0, *joined.sizes], dtype=np.int64)[:-1]
        known = len(self.runs)
        for at, row in enumerate(new):
            started = datetime.fromisoformat(row.started_at).timestamp()
            run = BookRun(row.number, row.trajectory_id, row.agent, started, int(firsts[at]))
            self._index_of[row.number] = known + at
            self.runs.append(run)
        run_of = np.repeat(np.arange(known, known + len(new)), joined.sizes)
        self.places = np.concatenate([self.places, places])
        self.lengths = np.concatenate([self.lengths, places["length"].astype(np.float32)])
        self.run_of = np.concatenate([self.run_of, run_of])
        self.firsts = np.concatenate([self.firsts, firsts])
        self.started = np.array([run.started for run in self.runs])
        self.alive = np.concatenate([self.alive, np.ones(len(new), dtype=np.bool_)])
        self._total_length += int(places["length"].sum())
        self._living += len(places)
        self._post(_keys(joined, before))

    def take_vectors(self, rows: Iterable[tuple[int, bytes]]) -> None:
        """What passages mean; of runs that are in the book."""
        import numpy as np

        known = [
            (self._index_of[number], data) for number, data in rows if number in self._index_of
        ]
        if not known:
            return
        self._forget_vectors([index for index, _ in known])
        vectors, places = vector_rows([data for _, data in known], self._dimensions)
        passages = [
            self.runs[index].first + place
            for (index, _), of_run in zip(known, places, strict=True)
            for place in of_run
        ]
        self.vectors = np.concatenate([self.vectors, vectors])
        added = np.array(passages, dtype=np.int64)
        self.vector_passages = np.concatenate([self.vector_passages, added])

    def drop(self, numbers: Sequence[int]) -> None:
        """Runs that were forgotten, or have a newer reading."""
        for number in numbers:
            index = self._index_of.pop(number, None)
            if index is None:
                continue
            gone = self.places[self.run_of == index]
            self.alive[index] = False
            self._total_length -= int(gone["length"].sum())
            self._living -= len(gone)
            self._forget_vectors([index])

    def postings(self, term: str) -> tuple[Numbers, Floats]:
        """The passages that have a term, of runs that are there, and how often each."""
        import numpy as np

        low = np.uint64(term_hash(term) << _TERM_SHIFT)
        high = np.uint64(((term_hash(term) + 1) << _TERM_SHIFT) - 1)
        found = []
        for keys in (self._long, self._short):
            first = np.searchsorted(keys, low, side="left")
            found.append(keys[first : np.searchsorted(keys, high, side="right")])
        both = np.concatenate(found)
        passages = ((both >> np.uint64(_COUNT_BITS)) & np.uint64((1 << _PASSAGE_BITS) - 1)).astype(
            np.int64
        )
        counts = (both & np.uint64((1 << _COUNT_BITS) - 1)).astype(np.float32)
        if self._living < len(self.places):
            there = self.alive[self.run_of[passages]]
            passages, counts = passages[there], counts[there]
        return passages, counts

    def _forget_vectors(self, indexes: Sequence[int]) -> None:
        import numpy as np

        kept = ~np.isin(self.run_of[self.vector_passages], indexes)
        if not kept.all():
            self.vectors = self.vectors[kept]
            self.vector_passages = self.vector_passages[kept]

    def _post(self, keys: Keys) -> None:
        import numpy as np

        short = np.concatenate([self._short, keys])
        if len(short) > max(_JOINED_FROM, len(self._long) // _JOINED_SHARE):
            self._long, short = np.concatenate([self._long, short]), short[:0]
            self._long.sort()
        short.sort()
        self._short = short


def _keys(joined: Joined, before: int) -> Keys:
    """The postings of new passages, `before` which there are so many; in place, for they are
    millions when a process begins."""
    import numpy as np

    passages = np.arange(before, before + len(joined.places), dtype=np.uint64)
    passages <<= np.uint64(_COUNT_BITS)
    keys = joined.hashes.astype(np.uint64)
    keys <<= np.uint64(_TERM_SHIFT)
    keys |= np.repeat(passages, joined.places["terms"])
    keys |= joined.counts
    return keys

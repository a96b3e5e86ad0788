"""An index of texts by their terms, kept up to date one text at a time.

Adding or removing a text touches its own terms only, so a library of any size follows its changes
as they come. Texts live in numbered slots; whoever keeps something else per text (a vector) can
use the same numbers.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from heapq import nlargest
from typing import TYPE_CHECKING

from hermes.rules.similarity.bm25 import highest_term_score, length_factor, rarity, term_score
from hermes.rules.similarity.tokens import tokens

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


_DECISIVE = 6
"""A long task names its point in a few rare words; the rest of it must not make a text that has
those look irrelevant. Fitted together with the weight in fusion.py."""


@dataclass(frozen=True, slots=True)
class Scores:
    """A query's score for every slot, and that of a text full of its most decisive terms."""

    by_slot: NDArray[np.float32]
    ceiling: float


class _Postings:
    """The slots that have one term, in order, each with how often.

    Two flat arrays: numpy reads them without a copy, and shifting one to insert or delete in the
    middle is a memmove of at most a few hundred kilobytes.
    """

    __slots__ = ("occurrences", "slots")

    def __init__(self) -> None:
        self.slots = array("I")
        self.occurrences = array("f")

    def put(self, slot: int, occurrences: float) -> None:
        if not self.slots or slot > self.slots[-1]:
            self.slots.append(slot)
            self.occurrences.append(occurrences)
            return
        at = bisect_left(self.slots, slot)
        self.slots.insert(at, slot)
        self.occurrences.insert(at, occurrences)

    def drop(self, slot: int) -> None:
        at = bisect_left(self.slots, slot)
        del self.slots[at], self.occurrences[at]


class LexicalIndex:
    """Not safe to share between threads: its owner holds a lock."""

    def __init__(self) -> None:
        self._postings: dict[str, _Postings] = {}
        self._slots: dict[str, int] = {}
        self._keys: list[str | None] = []
        self._terms: list[tuple[str, ...]] = []
        self._lengths = array("f")
        self._total_length = 0.0
        self._free: list[int] = []

    def __len__(self) -> int:
        return len(self._slots)

    def __contains__(self, key: str) -> bool:
        return key in self._slots

    @property
    def slots(self) -> int:
        """How many slots there are, the empty ones included: the length of every score array."""
        return len(self._keys)

    def slot_of(self, key: str) -> int:
        return self._slots[key]

    def key_at(self, slot: int) -> str | None:
        return self._keys[slot]

    def terms_of(self, key: str) -> tuple[str, ...]:
        return self._terms[self._slots[key]]

    def add(self, key: str, fields: Iterable[tuple[str, float]]) -> int:
        """Index a text, given as its (text, weight) fields, in place of what the key had before.

        A weight is how many plain occurrences one occurrence in that field counts as.
        """
        counts: dict[str, float] = {}
        for text, weight in fields:
            for term in tokens(text):
                counts[term] = counts.get(term, 0.0) + weight
        if key in self._slots:
            self.remove(key)
        slot = self._take_slot(key)
        for term, occurrences in counts.items():
            postings = self._postings.get(term)
            if postings is None:
                postings = self._postings[term] = _Postings()
            postings.put(slot, occurrences)
        self._terms[slot] = tuple(counts)
        self._lengths[slot] = sum(counts.values())
        self._total_length += self._lengths[slot]
        return slot

    def remove(self, key: str) -> None:
        slot = self._slots.pop(key)
        for term in self._terms[slot]:
            postings = self._postings[term]
            postings.drop(slot)
            if not postings.slots:
                del self._postings[term]
        self._total_length -= self._lengths[slot]
        self._lengths[slot] = 0.0
        self._keys[slot], self._terms[slot] = None, ()
        self._free.append(slot)

    def scores(self, query: str) -> Scores:
        """The score of every slot. A word no text has lifts the ceiling: it was asked for too."""
        import numpy as np

        by_slot = np.zeros(len(self._keys), dtype=np.float32)
        if not self._slots:
            return Scores(by_slot, ceiling=0.0)
        highest: list[float] = []
        mean_length = max(self._total_length / len(self._slots), 1.0)
        factors = length_factor(np.frombuffer(self._lengths, dtype=np.float32), mean_length)
        for term in dict.fromkeys(tokens(query)):
            postings = self._postings.get(term)
            weight = rarity(len(self._slots), len(postings.slots) if postings else 0)
            highest.append(highest_term_score(weight))
            if postings is None:
                continue
            having = np.frombuffer(postings.slots, dtype=np.uint32)
            occurrences = np.frombuffer(postings.occurrences, dtype=np.float32)
            by_slot[having] += term_score(weight, occurrences, factors[having])
        return Scores(by_slot, ceiling=sum(nlargest(_DECISIVE, highest)))

    def search(self, query: str, limit: int) -> list[tuple[str, float]]:
        """The best keys with their scores, best first; equal scores in the order of their keys."""
        import numpy as np

        by_slot = self.scores(query).by_slot
        matching = np.flatnonzero(by_slot)
        if len(matching) > limit:
            kth = np.partition(by_slot[matching], -limit)[-limit] if limit else np.inf
            matching = matching[by_slot[matching] >= kth]
        found = [(key, float(by_slot[slot])) for slot in matching if (key := self._keys[slot])]
        return sorted(found, key=lambda pair: (-pair[1], pair[0]))[:limit]

    def _take_slot(self, key: str) -> int:
        if self._free:
            slot = self._free.pop()
            self._keys[slot] = key
        else:
            slot = len(self._keys)
            self._keys.append(key)
            self._terms.append(())
            self._lengths.append(0.0)
        self._slots[key] = slot
        return slot

"""A shelf: what a warm process keeps of one scope's memories, all but their texts.

Items live in numbered slots, in flat arrays that numpy reads without a copy. Postings are read from
the store when a query first asks for a term, and are kept. What is forgotten stays as an empty slot
until the process ends.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

from hermes.ports.memory import Entry, MemoryWords
from hermes.rules.similarity.bm25 import length_factor, term_score

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Slots = NDArray[np.int64]
    Postings = tuple[NDArray[np.int32], Floats]
    Number = TypeVar("Number", bound=np.generic)
else:
    Number = TypeVar("Number")

KINDS = ("episodic", "semantic", "declarative")
SUPERSEDED, WAITING, GONE = 1, 2, 4
_MOST_POSTINGS = 6_000_000  # kept at once: about 50 MB
_NOWHERE = -1


class Shelf:
    """Not safe to share between threads: its owner holds a lock."""

    def __init__(self, scope: str) -> None:
        self.scope = scope
        self.generation = -1
        self.numbers = array("q")
        self.kinds = array("b")
        self.flags = array("B")
        self.created = array("d")
        self.used = array("d")  # when it was made or last recalled
        self.expires = array("d")
        self.strengths = array("f")
        self.before = array("q")  # the slot before it in its session
        self.after = array("q")
        self._lengths = array("f")
        self._total_length = 0.0
        self._gone = 0
        self._slots: dict[int, int] = {}
        self._last_of_session: dict[str, int] = {}
        self._postings: dict[str, Postings] = {}
        self._kept = 0

    def __len__(self) -> int:
        """How many memories there are to find."""
        return len(self.numbers) - self._gone

    @property
    def slots(self) -> int:
        """How many slots there are, the empty ones included: the length of every score array."""
        return len(self.numbers)

    @property
    def total_length(self) -> float:
        return self._total_length

    def slot_of(self, number: int) -> int | None:
        return self._slots.get(number)

    def follow(self, words: MemoryWords, generation: int) -> None:
        """Take up what was written since the last look, by whichever process."""
        first = self.generation < 0
        for entry in words.entries(self.scope, None if first else self.generation):
            self._take(entry)
        if not first:
            for number in words.gone(self.scope, self.generation):
                self._drop(number)
        self.generation = generation

    def load_terms(self, words: MemoryWords, terms: Iterable[str]) -> None:
        """Have the postings of these terms at hand."""
        import numpy as np

        lacking = [term for term in terms if term not in self._postings]
        if not lacking:
            return
        if self._kept > _MOST_POSTINGS:
            self._postings, self._kept = {}, 0
        found = words.postings(self.scope, lacking)
        numbers = np.array(self.numbers, dtype=np.int64)
        order = np.argsort(numbers, kind="stable")
        sorted_numbers = np.append(numbers[order], np.iinfo(np.int64).max)
        for term in lacking:
            having, occurrences = found.get(term, ((), ()))
            wanted = np.array(having, dtype=np.int64)
            places = np.searchsorted(sorted_numbers[:-1], wanted)
            known = sorted_numbers[places] == wanted  # another process may be ahead of us
            slots = order[places[known]].astype(np.int32)
            self._postings[term] = (slots, np.array(occurrences, dtype=np.float32)[known])
            self._kept += len(slots)

    def having(self, terms: Iterable[str]) -> dict[str, int]:
        """How many memories have each term."""
        import numpy as np

        gone = np.frombuffer(self.flags, dtype=np.uint8) & GONE if self._gone else None
        counts = {}
        for term in terms:
            slots = self._postings[term][0]
            forgotten = int(np.count_nonzero(gone[slots])) if gone is not None else 0
            counts[term] = len(slots) - forgotten
        return counts

    def lexical(self, rarities: Mapping[str, float], mean_length: float) -> Floats:
        """The BM25 score of every slot for the terms whose rarities are given."""
        import numpy as np

        scores = np.zeros(self.slots, dtype=np.float32)
        if not self.slots:
            return scores
        lengths = np.frombuffer(self._lengths, dtype=np.float32)
        for term, rarity in rarities.items():
            slots, occurrences = self._postings[term]
            if len(slots):
                factors = length_factor(lengths[slots], mean_length)
                scores[slots] += term_score(rarity, occurrences, factors)
        return scores

    def holds(self, terms: Iterable[str]) -> NDArray[np.bool_]:
        """Which slots have at least one of the terms."""
        import numpy as np

        holding = np.zeros(self.slots, dtype=np.bool_)
        for term in terms:
            holding[self._postings[term][0]] = True
        return holding

    def _take(self, entry: Entry) -> None:
        slot = self._slots.get(entry.number)
        if slot is None:
            slot = self._append(entry)
        self.flags[slot] = SUPERSEDED * entry.superseded | WAITING * entry.waiting
        self.created[slot] = _seconds(entry.created_at)
        recalled = _seconds(entry.last_recalled_at) if entry.last_recalled_at else -math.inf
        self.used[slot] = max(self.created[slot], recalled)
        self.expires[slot] = _seconds(entry.expires_at) if entry.expires_at else math.inf
        self.strengths[slot] = entry.strength

    def _append(self, entry: Entry) -> int:
        """A new slot. The terms of a memory never change, so an old one keeps its postings."""
        slot, kind = len(self.numbers), KINDS.index(entry.kind)
        self.numbers.append(entry.number)
        self.kinds.append(kind)
        self.flags.append(0)
        for times in (self.created, self.used, self.expires):
            times.append(0.0)
        self.strengths.append(1.0)
        self._lengths.append(entry.length)
        self._total_length += entry.length
        self._slots[entry.number] = slot
        self.before.append(_NOWHERE)
        self.after.append(_NOWHERE)
        if entry.session_id is not None and entry.kind == "episodic":
            self._join(entry.session_id, slot)
        for term, count in (entry.terms or {}).items():
            self._add_posting(term, slot, count)
        return slot

    def _join(self, session_id: str, slot: int) -> None:
        last = self._last_of_session.get(session_id)
        if last is not None:
            self.before[slot], self.after[last] = last, slot
        self._last_of_session[session_id] = slot

    def _add_posting(self, term: str, slot: int, count: int) -> None:
        import numpy as np

        kept = self._postings.get(term)
        if kept is not None:
            slots = np.append(kept[0], np.int32(slot))
            self._postings[term] = (slots, np.append(kept[1], np.float32(count)))

    def _drop(self, number: int) -> None:
        slot = self._slots.pop(number, None)
        if slot is None:
            return
        self.flags[slot] = GONE
        self._gone += 1
        self._total_length -= self._lengths[slot]
        before, after = self.before[slot], self.after[slot]
        if before != _NOWHERE:
            self.after[before] = after
        if after != _NOWHERE:
            self.before[after] = before


def flat(values: array[Any], dtype: type[Number]) -> NDArray[Number]:
    """An array of a shelf as numpy sees it, without a copy. To be dropped before the lock is: a
    shelf cannot grow while somebody looks at its arrays."""
    import numpy as np

    return np.frombuffer(values, dtype=dtype) if values else np.zeros(0, dtype=dtype)


def beside(links: Slots, slots: Slots) -> Slots:
    """The neighbours of these slots; a slot without one, and nowhere itself, have none."""
    import numpy as np

    found: Slots = np.where(slots == _NOWHERE, _NOWHERE, links[slots])
    return found


def _seconds(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


def best_slots(scores: Floats, allowed: NDArray[np.bool_], limit: int) -> Sequence[int]:
    """The slots with the highest scores above 0, in no order."""
    import numpy as np

    masked = np.where(allowed, scores, 0.0)
    matching = np.flatnonzero(masked)
    if len(matching) > limit:
        matching = matching[np.argpartition(-masked[matching], limit)[:limit]]
    found: Sequence[int] = matching.tolist()
    return found

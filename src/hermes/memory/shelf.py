"""A shelf: what a warm process keeps of one scope's memories, all but their texts.

Items live in numbered slots, in flat arrays that numpy reads without a copy. Postings are read from
the store when a query first asks for a term, and are kept. What is forgotten stays as an empty slot
until the process ends.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
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
NOWHERE = -1


class Shelf:
    """Not safe to share between threads: its owner holds a lock."""

    def __init__(self, scope: str, most_postings: int) -> None:
        self.scope = scope
        self._most_postings = most_postings
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
        self.lengths = array("f")  # in terms
        self._total_length = 0.0
        self._gone = 0
        self._joined = False
        self._limited = False
        self._slots: dict[int, int] = {}
        self._last_of_session: dict[str, int] = {}
        self._postings: dict[str, Postings] = {}
        self._kept = 0
        self._order: tuple[NDArray[np.int32], Slots] | None = None

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

    @property
    def has_sessions(self) -> bool:
        """Whether any memory stands beside another."""
        return self._joined

    @property
    def has_limits(self) -> bool:
        """Whether some memory waits, ends at a time or was forgotten, or once did."""
        return self._limited

    def slots_of(self, numbers: AbstractSet[int]) -> list[int]:
        """The slots of those of these memories that are here."""
        return [self._slots[number] for number in self._slots.keys() & numbers]

    def follow(self, words: MemoryWords, generation: int) -> None:
        """Take up what was written since the last look, by whichever process."""
        if self.generation < 0:
            self._fill(list(words.entries(self.scope)))
        else:
            for entry in words.entries(self.scope, self.generation):
                self._take(entry)
            for number in words.gone(self.scope, self.generation):
                self._drop(number)
        self.generation = generation

    def lacking(self, terms: Iterable[str]) -> list[str]:
        """The terms whose postings have to be read. When too many are kept, all go."""
        if self._kept > self._most_postings:
            self._postings, self._kept = {}, 0
        return [term for term in terms if term not in self._postings]

    def keep(self, term: str, having: Sequence[int], occurrences: Sequence[int]) -> None:
        """The postings of a term as the store has them: numbers, and how often in each."""
        import numpy as np

        order, rising = self._by_number()
        wanted = np.array(having, dtype=np.int64)
        places = np.searchsorted(rising[:-1], wanted)
        known = rising[places] == wanted  # another process may be ahead of us
        slots = order[places[known]]
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
        lengths = np.frombuffer(self.lengths, dtype=np.float32)
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

    def _by_number(self) -> tuple[NDArray[np.int32], Slots]:
        """Slots by rising number, and those numbers with one behind them that nobody has."""
        import numpy as np

        if self._order is None or len(self._order[0]) != self.slots:
            numbers = np.array(self.numbers, dtype=np.int64)
            order = np.argsort(numbers, kind="stable").astype(np.int32)
            self._order = order, np.append(numbers[order], np.iinfo(np.int64).max)
        return self._order

    def _fill(self, entries: Sequence[Entry]) -> None:
        """An empty shelf with all there is, column by column: one by one takes three times as
        long, and there may be a hundred thousand."""
        self.numbers.extend(entry.number for entry in entries)
        self.kinds.extend(KINDS.index(entry.kind) for entry in entries)
        self.flags.extend(map(_flags, entries))
        self.created.extend(_seconds(entry.created_at) for entry in entries)
        self.used.extend(map(_used, entries, self.created))
        self.expires.extend(map(_expires, entries))
        self.strengths.extend(entry.strength for entry in entries)
        self.lengths.extend(entry.length for entry in entries)
        self._total_length = float(sum(entry.length for entry in entries))
        self._limited = any(entry.waiting or entry.expires_at is not None for entry in entries)
        self._slots = dict(zip(self.numbers, range(len(entries)), strict=True))
        for links in (self.before, self.after):
            links.extend([NOWHERE] * len(entries))
        for slot, entry in enumerate(entries):
            if entry.session_id is not None and entry.kind == "episodic":
                self._join(entry.session_id, slot)

    def _take(self, entry: Entry) -> None:
        slot = self._slots.get(entry.number)
        if slot is None:
            slot = self._append(entry)
        self.flags[slot] = _flags(entry)
        self._limited |= entry.waiting or entry.expires_at is not None
        self.created[slot] = _seconds(entry.created_at)
        self.used[slot] = _used(entry, self.created[slot])
        self.expires[slot] = _expires(entry)
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
        self.lengths.append(entry.length)
        self._total_length += entry.length
        self._slots[entry.number] = slot
        self.before.append(NOWHERE)
        self.after.append(NOWHERE)
        if entry.session_id is not None and entry.kind == "episodic":
            self._join(entry.session_id, slot)
        for term, count in (entry.terms or {}).items():
            self._add_posting(term, slot, count)
        return slot

    def _join(self, session_id: str, slot: int) -> None:
        last = self._last_of_session.get(session_id)
        if last is not None:
            self.before[slot], self.after[last] = last, slot
            self._joined = True
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
        self._limited = True
        self._gone += 1
        self._total_length -= self.lengths[slot]
        before, after = self.before[slot], self.after[slot]
        if before != NOWHERE:
            self.after[before] = after
        if after != NOWHERE:
            self.before[after] = before


def flat(values: array[Any], dtype: type[Number]) -> NDArray[Number]:
    """An array of a shelf as numpy sees it, without a copy. To be dropped before the lock is: a
    shelf cannot grow while somebody looks at its arrays."""
    import numpy as np

    return np.frombuffer(values, dtype=dtype) if values else np.zeros(0, dtype=dtype)


def beside(links: Slots, slots: Slots) -> Slots:
    """The neighbours of these slots; a slot without one, and nowhere itself, have none."""
    import numpy as np

    found: Slots = np.where(slots == NOWHERE, NOWHERE, links[slots])
    return found


def _flags(entry: Entry) -> int:
    return SUPERSEDED * entry.superseded | WAITING * entry.waiting


def _used(entry: Entry, created: float) -> float:
    recalled = entry.last_recalled_at
    return max(created, _seconds(recalled)) if recalled else created


def _expires(entry: Entry) -> float:
    return _seconds(entry.expires_at) if entry.expires_at else math.inf


def _seconds(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()

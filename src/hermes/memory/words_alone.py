"""WordsAlone: what may say the same as a text, found in a process that has just started.

Recall keeps a shelf of all memories in a warm process. To remember one thing from the command line
that would read a hundred thousand rows; here only the postings of the text's rarest words are read.
What says the same or the opposite shares those.
"""

from __future__ import annotations

import heapq
import math
from collections import defaultdict
from collections.abc import Sequence

from hermes.memory.note import Offered
from hermes.ports import Clock, Memories, MemoryListing, MemoryWords
from hermes.records.memory import Memory, MemoryKind
from hermes.rules.recalling.terms import query_terms

_MOST_POSTINGS = 5_000
_LOOKED_AT = 4  # times as many as wanted: some will be of another kind


class WordsAlone:
    """Implements what Remember looks for; it has no cosine to give."""

    def __init__(
        self, memories: Memories, words: MemoryWords, listing: MemoryListing, clock: Clock
    ) -> None:
        self._memories = memories
        self._words = words
        self._listing = listing
        self._clock = clock

    def alike(
        self, asked: Sequence[Offered], limit: int = 8
    ) -> Sequence[Sequence[tuple[Memory, float | None]]]:
        return [self._alike(one.text, one.scope, one.kind, limit) for one in asked]

    def _alike(
        self, text: str, scope: str, kind: MemoryKind, limit: int
    ) -> Sequence[tuple[Memory, float | None]]:
        scores: defaultdict[int, float] = defaultdict(float)
        rarities = self._rarest(scope, text)
        for term, (numbers, _) in self._words.postings(scope, list(rarities)).items():
            for number in numbers:
                scores[number] += rarities[term]
        best = heapq.nlargest(_LOOKED_AT * limit, scores, key=scores.__getitem__)
        found = self._memories.numbered(best)
        right = [found[number] for number in best if number in found]
        return [(memory, None) for memory in right if memory.kind is kind][:limit]

    def _rarest(self, scope: str, text: str) -> dict[str, float]:
        """The terms that few memories have, and how much each counts."""
        asked = query_terms(text, self._clock.now().date()).words
        counts = self._listing.documents(scope, asked)
        read, chosen = 0, dict[str, float]()
        for term, count in sorted(counts.items(), key=lambda pair: pair[1]):
            if chosen and read + count > _MOST_POSTINGS:
                break
            chosen[term] = math.log1p(_MOST_POSTINGS / max(count, 1))
            read += count
        return chosen

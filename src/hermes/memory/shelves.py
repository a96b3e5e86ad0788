"""All shelves of a process, in step with the store."""

from __future__ import annotations

import threading
from collections.abc import Collection, Sequence

from hermes.memory.in_step import InStep
from hermes.memory.shelf import Shelf
from hermes.ports.memory import MemoryWords

MOST_POSTINGS = 6_000_000
"""Kept of one scope at once: about 50 MB."""
_COMMON, _COMMON_POSTINGS = 1_500, 1_000_000
"""Read before anybody asks: the terms with the longest postings, some tenths of a second."""


class Shelves:
    """`lock` guards every shelf; hold it from `following` to the last look at their arrays.

    Not to be asked inside a transaction that may still be undone: what it read would be too.
    """

    def __init__(self, words: MemoryWords, most_postings: int = MOST_POSTINGS) -> None:
        self.words = words
        self.lock = threading.RLock()
        self._shelves = InStep(
            lambda scope: Shelf(scope, most_postings),
            lambda shelf, generation: shelf.follow(words, generation),
        )

    def following(self, scopes: Sequence[str]) -> list[Shelf]:
        """The shelves of these scopes, each once, as the store has them now."""
        return self._shelves.of(scopes, self.words.generation())

    def load_terms(self, shelves: Sequence[Shelf], terms: Collection[str]) -> None:
        """Have the postings of these terms at hand on each of the shelves."""
        lacking = {shelf.scope: some for shelf in shelves if (some := shelf.lacking(terms))}
        found = self.words.postings_in(lacking) if lacking else {}
        for shelf in shelves:
            for term in lacking.get(shelf.scope, ()):
                shelf.keep(term, *found.get((shelf.scope, term), ((), ())))

    def load_commonest(self, scopes: Sequence[str]) -> None:
        """Have at hand what takes longest to read and is asked for most."""
        with self.lock:
            room = _COMMON_POSTINGS
            for shelf in self.following(scopes):
                terms = []
                for term, documents in self.words.commonest(shelf.scope, _COMMON):
                    room -= documents
                    if room < 0:
                        break
                    terms.append(term)
                self.load_terms([shelf], terms)

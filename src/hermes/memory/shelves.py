"""All shelves of a process, in step with the store.

A shelf is opened when a search first names its scope. A search reads the generation, one number,
and what was written after it; another scope's shelf is neither opened nor counted.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Sequence

from hermes.memory.shelf import Shelf
from hermes.ports.memory import MemoryWords

MOST_POSTINGS = 6_000_000
"""Kept of one scope at once: about 50 MB."""


class Shelves:
    """`lock` guards every shelf; hold it from `following` to the last look at their arrays.

    Not to be asked inside a transaction that may still be undone: what it read would be too.
    """

    def __init__(self, words: MemoryWords, most_postings: int = MOST_POSTINGS) -> None:
        self.words = words
        self._most_postings = most_postings
        self.lock = threading.RLock()
        self._shelves: dict[str, Shelf] = {}

    def following(self, scopes: Sequence[str]) -> list[Shelf]:
        """The shelves of these scopes, each once, as the store has them now."""
        generation = self.words.generation()
        wanted = dict.fromkeys(scopes)
        for scope in wanted:
            shelf = self._shelves.get(scope)
            if shelf is None or generation < shelf.generation:  # an older database took its place
                shelf = self._shelves[scope] = Shelf(scope, self._most_postings)
            if shelf.generation != generation:
                shelf.follow(self.words, generation)
        return [self._shelves[scope] for scope in wanted]

    def load_terms(self, shelves: Sequence[Shelf], terms: Collection[str]) -> None:
        """Have the postings of these terms at hand on each of the shelves."""
        lacking = {shelf.scope: some for shelf in shelves if (some := shelf.lacking(terms))}
        found = self.words.postings_in(lacking) if lacking else {}
        for shelf in shelves:
            for term in lacking.get(shelf.scope, ()):
                shelf.keep(term, *found.get((shelf.scope, term), ((), ())))

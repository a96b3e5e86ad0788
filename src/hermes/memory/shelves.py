"""All shelves of a process, in step with the store.

A shelf is opened when a search first names its scope. A search reads the generation, one number,
and what was written after it; another scope's shelf is neither opened nor counted.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

from hermes.memory.shelf import Shelf
from hermes.ports.memory import MemoryWords


class Shelves:
    """`lock` guards every shelf; hold it from `following` to the last look at their arrays.

    Not to be asked inside a transaction that may still be undone: what it read would be too.
    """

    def __init__(self, words: MemoryWords) -> None:
        self.words = words
        self.lock = threading.RLock()
        self._shelves: dict[str, Shelf] = {}

    def following(self, scopes: Sequence[str]) -> list[Shelf]:
        """The shelves of these scopes, each once, as the store has them now."""
        generation = self.words.generation()
        wanted = dict.fromkeys(scopes)
        for scope in wanted:
            shelf = self._shelves.get(scope)
            if shelf is None or generation < shelf.generation:  # an older database took its place
                shelf = self._shelves[scope] = Shelf(scope)
            if shelf.generation != generation:
                shelf.follow(self.words, generation)
        return [self._shelves[scope] for scope in wanted]

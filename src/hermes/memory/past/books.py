"""All books of a process, in step with the store."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence

from hermes.memory.in_step import InStep
from hermes.memory.past.book import Book
from hermes.memory.past.packing import are_vectors, is_whole
from hermes.ports.past import Passages


class Books:
    """`lock` guards every book; hold it from `following` to the last look at their arrays.

    A row that is cut off or altered is no loss: its run is due again, and `renewed` counts it.
    """

    def __init__(self, passages: Passages, label: str | None, dimensions: int) -> None:
        self._passages = passages
        self._label = label
        self._dimensions = dimensions
        self.lock = threading.RLock()
        self.renewed = 0
        self._books = InStep(lambda scope: Book(scope, dimensions), self._follow)

    def following(self, scopes: Sequence[str]) -> list[Book]:
        """The books of these scopes, each once, as the store has them now."""
        return self._books.of(scopes, self._passages.generation())

    def _follow(self, book: Book, generation: int) -> None:
        """What is written while this reads is read again the next time, and known by then."""
        since = book.generation
        rows = list(self._passages.since(book.scope, since))
        book.take(row for row in rows if is_whole(row.places, row.words))
        self._renew(row.number for row in rows if not is_whole(row.places, row.words))
        if since >= 0:
            book.drop(self._passages.gone(book.scope, since))
        if self._label is not None:
            vectors = list(self._passages.vectors_since(book.scope, self._label, since))
            book.take_vectors(row for row in vectors if are_vectors(row[1], self._dimensions))
            self._renew(row[0] for row in vectors if not are_vectors(row[1], self._dimensions))
        book.generation = generation

    def _renew(self, numbers: Iterable[int]) -> None:
        for number in numbers:
            self.renewed += self._passages.renew(number)

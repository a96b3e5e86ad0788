"""Upkeep: give every memory what recall finds it by, in the background.

A memory that came without terms (an older version kept it) or whose vector is of another embedder
gets its own, a batch at a time, each batch a transaction: whoever is killed loses one batch, and
the next run goes on where the rows say. Recall works meanwhile, by words where there is no vector.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from hermes.memory.embedding import label_of
from hermes.ports import Embedder, MemoryVectors, MemoryWords, Transactions
from hermes.rules.recalling.terms import item_terms, item_text
from hermes.rules.remembering.cleaning import fingerprint

_BATCH = 32  # about a third of a second of embedding


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorIndexes:
    """How the index over the vectors is made ready, and kept up."""

    prepare: Callable[[], None]
    build: Callable[[str], bool]
    retire_others: Callable[[], None]


class Upkeep:
    def __init__(
        self,
        words: MemoryWords,
        vectors: MemoryVectors,
        transactions: Transactions,
        embedder: Embedder | None,
        indexes: VectorIndexes,
    ) -> None:
        self._words = words
        self._vectors = vectors
        self._transactions = transactions
        self._embedder = embedder
        self._indexes = indexes
        self._caught_up_at = -1

    def catch_up(self, seconds: float) -> int:
        """Index and embed what is new, and leave the index over the vectors as it is: making one
        takes minutes. Where nothing was written since all was done, this costs one number."""
        generation = self._words.generation()
        if generation == self._caught_up_at:
            return 0
        ends = time.monotonic() + seconds
        done = self._run(seconds=seconds)
        if done == 0 and time.monotonic() < ends:
            self._caught_up_at = generation
        return done

    def run(self, *, limit: int | None = None, seconds: float | None = None) -> int:
        """How many memories were indexed or embedded; stops between two batches."""
        return self._run(limit=limit, seconds=seconds, build=True)

    def _run(
        self, *, limit: int | None = None, seconds: float | None = None, build: bool = False
    ) -> int:
        ends = None if seconds is None else time.monotonic() + seconds
        done = 0

        def goes_on() -> bool:
            in_time = ends is None or time.monotonic() < ends
            return in_time and (limit is None or done < limit)

        while goes_on() and (count := self._index_some()):
            done += count
        if self._embedder is None:
            return done
        self._indexes.prepare()
        while goes_on() and (count := self._embed_some(self._embedder)):
            done += count
        if build and goes_on():
            self._indexes.retire_others()
            for scope in self._vectors.scopes(label_of(self._embedder)):
                self._indexes.build(scope)
        return done

    def _index_some(self) -> int:
        batch = self._words.unindexed(_BATCH)
        with self._transactions.transaction():
            for memory in batch:
                self._words.put(memory.id, item_terms(memory), fingerprint(memory.text))
        return len(batch)

    def _embed_some(self, embedder: Embedder) -> int:
        batch = self._vectors.unembedded(label_of(embedder), _BATCH)
        if not batch:
            return 0
        made, label = embedder.embed([item_text(memory) for memory in batch]), label_of(embedder)
        kept = 0
        with self._transactions.transaction():
            for memory, vector in zip(batch, made, strict=True):
                kept += self._vectors.put(memory.id, label, vector)
        return kept

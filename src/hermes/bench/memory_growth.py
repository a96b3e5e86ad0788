"""What a search and an addition cost as memory grows, on SQLite and on PostgreSQL.

Texts are those of the labelled set's sheets. Embedding a hundred thousand of them would take the
machine ten minutes and tell nothing about searching, so all but what is timed get vectors blurred
from a few hundred real ones. Queries, and the notes whose adding is timed, are embedded for real.
"""

from __future__ import annotations

import statistics
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from hermes.bench.recall_set.labelled import NOW, Question
from hermes.bench.recall_set.work_memory import stale_clutter, work_memory
from hermes.bench.remembered_set import DEEPEST, RememberedSet, remembered
from hermes.bench.retrieval_memory import SHIPPED

if TYPE_CHECKING:
    from hermes.ports import Embedder
    from hermes.records.memory import Memory

Say = Callable[[str], None]
SIZES = (1_000, 10_000, 100_000)
_CENTRES = 256
_BLUR = 0.7
_SEARCHES = 200
_ADDITIONS = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class GrowthRow:
    """A warm process; a search includes embedding the query, an addition embedding the note."""

    database: str
    memories: int
    p50_ms: float
    p95_ms: float
    adds_a_second: float


class BlurredTexts:
    """Real vectors for texts it was told to take seriously, likely ones for the others."""

    def __init__(self, embedder: Embedder, centres: Sequence[str]) -> None:
        self._embedder = embedder
        vectors = embedder.embed(centres)
        self._centres = np.stack([np.frombuffer(one, dtype=np.float32) for one in vectors])
        self.serious = False

    @property
    def name(self) -> str:
        return self._embedder.name

    @property
    def dimensions(self) -> int:
        return self._embedder.dimensions

    def embed(self, texts: Sequence[str]) -> Sequence[bytes]:
        return self._embedder.embed(texts) if self.serious else [*map(self._blurred, texts)]

    def _blurred(self, text: str) -> bytes:
        chance = np.random.default_rng(zlib.crc32(text.encode()))
        centre = self._centres[chance.integers(len(self._centres))]
        noise = chance.standard_normal(self.dimensions, dtype=np.float32)
        vector = centre + noise * (_BLUR / np.sqrt(self.dimensions))
        unit: np.ndarray[tuple[int], np.dtype[np.float32]] = vector / np.linalg.norm(vector)
        return unit.astype(np.float32).tobytes()


def measure_growth(
    embedder: Embedder, say: Say, sizes: Sequence[int] = SIZES, database: str | None = None
) -> list[GrowthRow]:
    """From the smallest size to the largest, in one store."""
    labelled = work_memory()
    blurred = BlurredTexts(embedder, [one.text for one in labelled.memories[::10][:_CENTRES]])
    source = stale_clutter(max(sizes) + _ADDITIONS * len(sizes))
    asked = [one for one in labelled.questions if one.expects][:_SEARCHES]
    rows: list[GrowthRow] = []
    known = 0
    with remembered((), blurred, database) as store:
        for size in sizes:
            say(f"{size:,} memories in {'SQLite' if database is None else 'PostgreSQL'}")
            store.remember(islice(source, size - known))
            with _serious(blurred):
                taken = _searches_ms(store, asked)
                rate = _adds_a_second(store, list(islice(source, _ADDITIONS)))
            known = size + _ADDITIONS
            rows.append(
                GrowthRow(
                    database="SQLite" if database is None else "PostgreSQL",
                    memories=size,
                    p50_ms=statistics.median(taken),
                    p95_ms=float(np.percentile(taken, 95)),
                    adds_a_second=rate,
                )
            )
    return rows


@contextmanager
def _serious(blurred: BlurredTexts) -> Iterator[None]:
    blurred.serious = True
    try:
        yield
    finally:
        blurred.serious = False


def _searches_ms(store: RememberedSet, asked: Sequence[Question]) -> list[float]:
    """The first half warms the process; no query is asked twice, so each is embedded."""
    taken = []
    half = len(asked) // 2
    with store.room(SHIPPED) as room:
        for number, one in enumerate(asked):
            start = time.perf_counter()
            room.recall.search(one.text, scopes=one.scopes, k=DEEPEST, now=NOW)
            if number >= half:
                taken.append((time.perf_counter() - start) * 1000)
    return taken


def _adds_a_second(store: RememberedSet, memories: Sequence[Memory]) -> float:
    """One by one, as an agent does; each is compared with what is known already."""
    with store.room(SHIPPED) as room:
        start = time.perf_counter()
        for one in memories:
            room.remember.add(
                one.text,
                one.kind,
                scope=one.scope,
                source=one.source,
                trust=one.trust,
                at=one.created_at,
            )
        return len(memories) / (time.perf_counter() - start)

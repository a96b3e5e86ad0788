"""What searching and adding cost as memory grows, on SQLite and on PostgreSQL.

Texts are those of the labelled set's sheets. Embedding a hundred thousand of them would take the
machine ten minutes and tell nothing about searching, so all but what is timed get vectors blurred
from a few hundred real ones. Queries, and the notes whose adding is timed, are embedded for real.
PostgreSQL gets a copy of the SQLite store at each size, by the same function as `hermes db copy`.
"""

from __future__ import annotations

import statistics
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import TYPE_CHECKING

import numpy as np

from hermes.app.memory import note_of
from hermes.bench.measuring import command_cpu_s, resident_mb, served_cpu_ns
from hermes.bench.recall_set.labelled import NOW, Question
from hermes.bench.recall_set.work_memory import SCOPES, stale_clutter, work_memory
from hermes.bench.remembered_set import DEEPEST, RememberedSet, copied, remembered
from hermes.bench.retrieval_memory import SHIPPED

if TYPE_CHECKING:
    from hermes.app.memory import MemoryRoom
    from hermes.ports import Embedder
    from hermes.records.memory import Memory

Say = Callable[[str], None]
NewDatabase = Callable[[], str]
SIZES = (1_000, 10_000, 100_000)
_CENTRES = 256
_BLUR = 0.7
_SEARCHES = 160
_ADDITIONS = 128
_COMMAND = ("memory", "search", "which port does staging use", "--scope", "project:atlas")
_NAMES = {"sqlite": "SQLite", "postgres": "PostgreSQL"}
_TURN_HITS = 8
_TURN_TOKENS = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class GrowthRow:
    """One size in one database. A search includes embedding the query, an addition the note.

    `p50_ms` and `p95_ms` are what one waits for a search in a warm process, `cpu_ms` the median of
    the processor time it takes, of this process and of the database's that serves it: on a busy
    machine only the latter says something. `embed_ms` is the part of embedding. `turn_ms` is what a
    chat turn waits for recall: with what was said before, within a token budget. `first_s` is the
    first search after opening, which reads the shelves and vectors of all scopes, and `room_mb`
    what they then take; `command_s` is `hermes memory search` in one project, a whole process
    (without the server's part).
    Additions are counted in real time, which waits for the disk, many together or each alone;
    `computed_a_second` are the latter for a second of processor time.
    """

    database: str
    memories: int
    p50_ms: float
    p95_ms: float
    cpu_ms: float
    embed_ms: float
    turn_ms: float
    first_s: float
    room_mb: float
    command_s: float
    batched_a_second: float
    singles_a_second: float
    computed_a_second: float


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
    embedder: Embedder,
    say: Say,
    sizes: Sequence[int] = SIZES,
    new_database: NewDatabase | None = None,
    command_s: Callable[[RememberedSet], float] | None = None,
) -> list[GrowthRow]:
    """From the smallest size to the largest; on PostgreSQL too where it can be given databases.

    `command_s` times a whole command on a store; a real one unless given.
    """
    timed = command_s or _command_s
    labelled = work_memory()
    blurred = BlurredTexts(embedder, [one.text for one in labelled.memories[::10][:_CENTRES]])
    source = stale_clutter(max(sizes) + 8 * _ADDITIONS * len(sizes))
    asked = [one for one in labelled.questions if one.expects][:_SEARCHES]
    rows: list[GrowthRow] = []
    known = 0
    with remembered((), blurred) as store:
        for size in sizes:
            say(f"{size:,} memories in SQLite")
            store.remember(islice(source, size - known))
            known = size
            if new_database is not None:
                say(f"{size:,} memories copied to PostgreSQL and indexed there")
                with copied(store, new_database()) as copy:
                    more = list(islice(source, 4 * _ADDITIONS))
                    rows.append(_measured(copy, size, asked, more, timed))
            more = list(islice(source, 4 * _ADDITIONS))
            rows.append(_measured(store, size, asked, more, timed))
            known += len(more)
    return sorted(rows, key=lambda row: row.database, reverse=True)


def _measured(
    store: RememberedSet,
    size: int,
    asked: Sequence[Question],
    more: Sequence[Memory],
    command_s: Callable[[RememberedSet], float],
) -> GrowthRow:
    blurred = store.embedder
    if not isinstance(blurred, BlurredTexts):
        raise TypeError("growth is measured with blurred texts")
    before = resident_mb()
    with _serious(blurred), store.room(SHIPPED) as room:
        clock = served_cpu_ns(store.home.database)
        start = clock()
        room.recall.search("warm up", scopes=SCOPES, k=DEEPEST, now=NOW)
        first = (clock() - start) / 1e9
        taken = _searches_ms(room, asked, clock)
        waited = [wait for wait, _ in taken]
        turns = _turns_ms(room, asked)
        grown = resident_mb() - before
        command = command_s(store)  # before anything is added
        quarter = len(more) // 4
        first_ones, together, alone, computed = (
            more[at : at + quarter] for at in range(0, 4 * quarter, quarter)
        )
        _adds_a_second(room, first_ones, 1, clock)  # the rules are loaded when first needed
        return GrowthRow(
            database=_NAMES[store.home.database.dialect.name],
            memories=size,
            p50_ms=statistics.median(waited),
            p95_ms=float(np.percentile(waited, 95)),
            cpu_ms=statistics.median(cpu for _, cpu in taken),
            embed_ms=_embeddings_ms(blurred, asked),
            turn_ms=statistics.median(turns),
            first_s=first,
            room_mb=grown,
            command_s=command,
            batched_a_second=_adds_a_second(room, together, len(together), time.perf_counter_ns),
            singles_a_second=_adds_a_second(room, alone, 1, time.perf_counter_ns),
            computed_a_second=_adds_a_second(room, computed, 1, clock),
        )


def _command_s(store: RememberedSet) -> float:
    return command_cpu_s(_COMMAND, store.environ, runs=3)


@contextmanager
def _serious(blurred: BlurredTexts) -> Iterator[None]:
    blurred.serious = True
    try:
        yield
    finally:
        blurred.serious = False


def _searches_ms(
    room: MemoryRoom, asked: Sequence[Question], clock: Callable[[], int]
) -> list[tuple[float, float]]:
    """Of each search the time one waits and the processor time.

    The first half warms the process; no query is asked twice, so each is embedded.
    """
    taken = []
    for one in asked:
        start, cpu = time.perf_counter_ns(), clock()
        room.recall.search(one.text, scopes=one.scopes, k=DEEPEST, now=NOW)
        end = time.perf_counter_ns()
        taken.append(((end - start) / 1e6, (clock() - cpu) / 1e6))
    return taken[len(taken) // 2 :]


def _turns_ms(room: MemoryRoom, asked: Sequence[Question]) -> list[float]:
    """As an agent asks: what was said before is given too."""
    taken = []
    for before, one in pairwise(asked[: len(asked) // 2]):
        start = time.perf_counter_ns()
        room.recall.search(
            f"{one.text}, please",
            scopes=one.scopes,
            k=_TURN_HITS,
            token_budget=_TURN_TOKENS,
            now=NOW,
            session_context=before.text,
        )
        taken.append((time.perf_counter_ns() - start) / 1e6)
    return taken


def _embeddings_ms(embedder: Embedder, asked: Sequence[Question]) -> float:
    taken = []
    for one in asked[len(asked) // 2 :]:
        start = time.process_time_ns()
        embedder.embed([one.text])
        taken.append((time.process_time_ns() - start) / 1e6)
    return statistics.median(taken)


def _adds_a_second(
    room: MemoryRoom, memories: Sequence[Memory], at_once: int, clock: Callable[[], int]
) -> float:
    """As an agent does: each is embedded and compared with what is known already."""
    notes = [note_of(one) for one in memories]
    start = clock()
    for first in range(0, len(notes), at_once):
        room.remember.add_many(notes[first : first + at_once])
    return len(notes) * 1e9 / (clock() - start)

"""Does old clutter bury what is known? The same questions before and after it was added.

Nineteen of twenty memories are then one and a half to five years old: of services that are gone,
and outdated ones of services that are still there. Shown with fading off and on.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING

from hermes.bench.recall_set.labelled import NOW, Half, Question
from hermes.bench.recall_set.work_memory import stale_clutter, work_memory
from hermes.bench.remembered_set import DEEPEST, KnownTexts, RememberedSet, remembered
from hermes.bench.retrieval_memory import SHIPPED, rows_of
from hermes.rules.recalling.weights import RecallPolicy

if TYPE_CHECKING:
    from hermes.ports import Embedder

CLEAN = 500
CLUTTER_TO_ONE = 19
TOLERATED = 0.1
_IN_TURN = 10  # questions to one store before the next has its turn
_POLICIES = (replace(SHIPPED, fades=False), SHIPPED)


@dataclass(frozen=True, slots=True, kw_only=True)
class DilutionRow:
    """`cpu_ms` and `p50_ms` are of one search in a warm process, embedding the query included."""

    memories: int
    stale: int
    fades: bool
    at_10: float
    cpu_ms: float
    p50_ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DilutionChange:
    """What the clutter did, as parts of what was: -0.02 is two hundredths less. It is judged by
    what is found and by how long one waits; what is computed is told beside it."""

    fades: bool
    recall: float
    latency: float
    computed: float

    @property
    def met(self) -> bool:
        return self.recall >= -TOLERATED and self.latency <= TOLERATED


@dataclass(frozen=True, slots=True, kw_only=True)
class DilutionReport:
    """Rows are: clean without and with fading, then cluttered without and with it."""

    rows: tuple[DilutionRow, ...]

    @property
    def changes(self) -> list[DilutionChange]:
        half = len(self.rows) // 2
        return [
            DilutionChange(
                fades=before.fades,
                recall=after.at_10 / before.at_10 - 1,
                latency=after.p50_ms / before.p50_ms - 1,
                computed=after.cpu_ms / before.cpu_ms - 1,
            )
            for before, after in zip(self.rows[:half], self.rows[half:], strict=True)
        ]

    @property
    def met(self) -> bool:
        return all(change.met for change in self.changes)


def measure_dilution(
    embedder: Embedder, clean: int = CLEAN, clutter_to_one: int = CLUTTER_TO_ONE
) -> DilutionReport:
    labelled = work_memory()
    asked = [one for one in labelled.questions if one.half is Half.MEASURED and one.expects]
    right = frozenset().union(*(one.expects for one in asked))
    answers = [memory for memory in labelled.memories if memory.id in right]
    others = [memory for memory in labelled.memories if memory.id not in right]
    kept = answers + others[: max(clean - len(answers), 0)]
    clutter = list(stale_clutter(len(kept) * clutter_to_one))
    known = KnownTexts(embedder)
    with remembered(kept, known) as alone, remembered(kept + clutter, known) as cluttered:
        pair = (replace(alone, embedder=embedder), replace(cluttered, embedder=embedder))
        timed = [_timed(pair, asked, policy) for policy in _POLICIES]
        rows = [
            DilutionRow(
                memories=len(kept) + stale,
                stale=stale,
                fades=policy.fades,
                at_10=rows_of(store.answers(asked, policy), Half.MEASURED, "hybrid")[-1].at_10,
                cpu_ms=statistics.median(cpu for _, cpu in taken[at]),
                p50_ms=statistics.median(wall for wall, _ in taken[at]),
            )
            for at, (store, stale) in enumerate(((alone, 0), (cluttered, len(clutter))))
            for policy, taken in zip(_POLICIES, timed, strict=True)
        ]
    return DilutionReport(rows=tuple(rows))


def _timed(
    stores: Sequence[RememberedSet], asked: Sequence[Question], policy: RecallPolicy
) -> list[list[tuple[float, float]]]:
    """For each store (wall, CPU) milliseconds of each search, the second time that it is asked.

    Some questions to one store, the same to the next, so that whatever else the machine does meets
    all alike, and no store finds the vector that an embedder keeps of the last text. With a sign
    more the second time: a new text of the same words, whose vector no recall remembers.
    """
    taken: list[list[tuple[float, float]]] = [[] for _ in stores]
    with ExitStack() as open_rooms:
        rooms = [open_rooms.enter_context(store.room(policy)) for store in stores]
        for again, start in product(("", " ?"), range(0, len(asked), _IN_TURN)):
            for room, times in zip(rooms, taken, strict=True):
                for one in asked[start : start + _IN_TURN]:
                    began, used = time.perf_counter(), time.process_time()
                    room.recall.search(one.text + again, scopes=one.scopes, k=DEEPEST, now=NOW)
                    spent = time.process_time() - used
                    times.append(((time.perf_counter() - began) * 1000, spent * 1000))
    return [times[len(asked) :] for times in taken]

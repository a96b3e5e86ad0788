"""Does old clutter bury what is known? The same questions before and after it was added.

Nineteen of twenty memories are then one and a half to five years old: of services that are gone,
and outdated ones of services that are still there. Shown with fading off and on.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
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


@dataclass(frozen=True, slots=True, kw_only=True)
class DilutionRow:
    """`p50_ms` is one search in a warm process, the query's vector being known."""

    memories: int
    fades: bool
    at_10: float
    p50_ms: float


def measure_dilution(
    embedder: Embedder, clean: int = CLEAN, clutter_to_one: int = CLUTTER_TO_ONE
) -> list[DilutionRow]:
    """Clean without and with fading, then cluttered without and with it."""
    labelled = work_memory()
    asked = [one for one in labelled.questions if one.half is Half.MEASURED and one.expects]
    right = frozenset().union(*(one.expects for one in asked))
    answers = [memory for memory in labelled.memories if memory.id in right]
    others = [memory for memory in labelled.memories if memory.id not in right]
    kept = answers + others[: max(clean - len(answers), 0)]
    rows: list[DilutionRow] = []
    with remembered(kept, KnownTexts(embedder)) as store:
        rows += _rows(store, asked, len(kept))
        clutter = len(kept) * clutter_to_one
        store.remember(stale_clutter(clutter))
        rows += _rows(store, asked, len(kept) + clutter)
    return rows


def _rows(store: RememberedSet, asked: list[Question], memories: int) -> list[DilutionRow]:
    return [
        DilutionRow(
            memories=memories,
            fades=fades,
            at_10=rows_of(store.answers(asked, policy), Half.MEASURED, "hybrid")[-1].at_10,
            p50_ms=statistics.median(search_ms(store, asked, policy)),
        )
        for fades, policy in ((False, replace(SHIPPED, fades=False)), (True, SHIPPED))
    ]


def search_ms(store: RememberedSet, asked: Iterable[Question], policy: RecallPolicy) -> list[float]:
    """How long each search took in a process that has searched all of them before."""
    questions = list(asked)
    taken = []
    with store.room(policy) as room:
        for timed in (False, True):
            for one in questions:
                start = time.perf_counter()
                room.recall.search(one.text, scopes=one.scopes, k=DEEPEST, now=NOW)
                if timed:
                    taken.append((time.perf_counter() - start) * 1000)
    return taken

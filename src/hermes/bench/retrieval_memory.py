"""Does memory find what answers a question? Measured on a labelled set of our own.

The product's own recall is asked, over a real store. Words alone and meaning alone are the same
recall with the other signs switched off. Weights were fitted on the topics of one half
(scripts/fit_recall.py); the measured half is the one to believe.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hermes.bench.recall_set.conversations import conversations
from hermes.bench.recall_set.labelled import Asked, Half, LabelledSet, shared_words
from hermes.bench.recall_set.talks import talks
from hermes.bench.recall_set.tools import tools
from hermes.bench.recall_set.work_memory import work_memory
from hermes.bench.remembered_set import Answer, KnownTexts, remembered
from hermes.rules.recalling.weights import RecallPolicy, Weights

if TYPE_CHECKING:
    from hermes.ports import Embedder

SHIPPED = RecallPolicy(reinforces=False)
_NOTHING = Weights(
    neighbour=0,
    next_neighbour=0,
    speaker=0,
    time=0,
    nearby=0,
    telling=0,
    centring=0,
    superseded=0,
    fading_floor=1,
)
UNCUT = replace(SHIPPED, min_similarity=0.0)
"""Methods are compared by the order they make; what a cut costs is told apart."""
_BARE = replace(UNCUT, fades=False)
CUTS = (0.0, SHIPPED.min_similarity, 0.3, 0.35)
METHODS: Mapping[str, RecallPolicy] = {
    "words": replace(_BARE, weights=replace(_NOTHING, lexical=1.0)),
    "meaning": replace(_BARE, weights=replace(_NOTHING, lexical=0.0)),
    "hybrid": UNCUT,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallRow:
    """What part of the right memories is among the first 1, 5 and 10, and the mean of 1/place of
    the first right one."""

    half: Half
    method: str
    asked: str
    questions: int
    at_1: float
    at_5: float
    at_10: float
    mrr: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CutRow:
    """What a `min_similarity` costs and buys on the measured half: recall@10 over all classes, and
    the part of questions without an answer that got one all the same."""

    min_similarity: float
    at_10: float
    false_hits: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryRecallReport:
    """`shared_words` is the part of a question's words that its answers have too. `leaks` counts
    hits of scopes that were not asked."""

    memories: int
    questions: int
    rows: tuple[RecallRow, ...]
    cuts: tuple[CutRow, ...]
    shared_words: Mapping[str, float]
    leaks: int

    def row(self, half: Half, method: str, asked: str) -> RecallRow:
        wanted = (half, method, asked)
        return next(row for row in self.rows if (row.half, row.method, row.asked) == wanted)

    def not_won(self, half: Half = Half.MEASURED) -> list[str]:
        """Where hybrid's recall@10 is not above that of words and of meaning, in words."""
        told = []
        for mine in self.rows:
            if (mine.half, mine.method) != (half, "hybrid"):
                continue
            for other in ("words", "meaning"):
                theirs = self.row(half, other, mine.asked)
                if mine.at_10 <= theirs.at_10:
                    told.append(
                        f"{mine.asked}: hybrid {mine.at_10:.3f}, {other} {theirs.at_10:.3f}"
                    )
        return told


def recall_set() -> LabelledSet:
    return work_memory().joined(conversations(), talks(), tools())


def measure(embedder: Embedder, labelled: LabelledSet | None = None) -> MemoryRecallReport:
    """Every question by every method; takes about a minute, most of it embedding."""
    chosen = labelled or recall_set()
    answers: dict[str, list[Answer]] = {}
    with remembered(chosen.memories, KnownTexts(embedder)) as store:
        for method, policy in METHODS.items():
            answers[method] = store.answers(chosen.questions, policy)
        measured = [one for one in chosen.questions if one.half is Half.MEASURED]
        cuts = [
            _cut(store.answers(measured, replace(SHIPPED, min_similarity=at)), at) for at in CUTS
        ]
    rows = [
        row
        for half in (Half.MEASURED, Half.FITTED)
        for method in METHODS
        for row in rows_of(answers[method], half, method)
    ]
    return MemoryRecallReport(
        memories=len(chosen.memories),
        questions=len(chosen.questions),
        rows=tuple(rows),
        cuts=tuple(cuts),
        shared_words=_overlaps(chosen),
        leaks=sum(answer.leaked for given in answers.values() for answer in given),
    )


def rows_of(answers: Iterable[Answer], half: Half, method: str) -> list[RecallRow]:
    """One row for each class of questions, then the mean of the classes."""
    mine = [one for one in answers if one.question.half is half and one.question.expects]
    classes = [asked for asked in Asked if any(one.question.asked is asked for one in mine)]
    rows = [
        row_of([one for one in mine if one.question.asked is asked], half, method, asked.value)
        for asked in classes
    ]
    if rows:
        rows.append(_mean(rows))
    return rows


def row_of(answers: Sequence[Answer], half: Half, method: str, asked: str) -> RecallRow:
    """Every question counts the same, however many memories it expects."""

    def at(limit: int) -> float:
        parts = [
            sum(place < limit for place in one.places) / len(one.question.expects)
            for one in answers
        ]
        return sum(parts) / len(parts)

    return RecallRow(
        half=half,
        method=method,
        asked=asked,
        questions=len(answers),
        at_1=at(1),
        at_5=at(5),
        at_10=at(10),
        mrr=sum(1 / (1 + min(one.places)) for one in answers if one.places) / len(answers),
    )


def _mean(rows: Sequence[RecallRow]) -> RecallRow:
    """Each class counts the same, however many questions it has."""

    def mean(name: str) -> float:
        values: list[float] = [getattr(row, name) for row in rows]
        return sum(values) / len(values)

    return RecallRow(
        half=rows[0].half,
        method=rows[0].method,
        asked="mean of classes",
        questions=sum(row.questions for row in rows),
        at_1=mean("at_1"),
        at_5=mean("at_5"),
        at_10=mean("at_10"),
        mrr=mean("mrr"),
    )


def _cut(answers: Sequence[Answer], min_similarity: float) -> CutRow:
    rows = rows_of(answers, Half.MEASURED, "hybrid")
    senseless = [one for one in answers if one.question.asked is Asked.NEGATIVE]
    return CutRow(
        min_similarity=min_similarity,
        at_10=rows[-1].at_10 if rows else 0.0,
        false_hits=sum(bool(one.hits) for one in senseless) / max(len(senseless), 1),
    )


def _overlaps(labelled: LabelledSet) -> dict[str, float]:
    by_id = {memory.id: memory for memory in labelled.memories}
    shared: dict[str, list[float]] = {}
    for one in labelled.questions:
        if one.expects:
            part = shared_words(one, [by_id[expected] for expected in one.expects])
            shared.setdefault(one.asked, []).append(part)
    return {asked: sum(parts) / len(parts) for asked, parts in shared.items()}

"""Recall on public sets that nothing was fitted on: the same three methods as on our own set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hermes.bench.recall_set.labelled import Half, LabelledSet
from hermes.bench.remembered_set import KnownTexts, remembered
from hermes.bench.retrieval_memory import METHODS, RecallRow, row_of

if TYPE_CHECKING:
    from hermes.ports import Embedder


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicReport:
    """One row for each method, over every question alike, and one for each kind of question where
    there are several. `aim` is the recall that hybrid should reach at `aim_at` hits."""

    name: str
    memories: int
    questions: int
    rows: tuple[RecallRow, ...]
    aim: float
    aim_at: int

    @property
    def reached(self) -> float:
        hybrid = next(row for row in self.rows if row.method == "hybrid")
        return hybrid.at_5 if self.aim_at == 5 else hybrid.at_10

    @property
    def met(self) -> bool:
        return self.reached >= self.aim


TOOLS_AIM = (0.80, 5)
TALKS_AIM = (0.72, 10)


def measure_public(
    embedder: Embedder, name: str, labelled: LabelledSet, aim: tuple[float, int]
) -> PublicReport:
    asked = labelled.questions
    kinds = list(dict.fromkeys(one.asked for one in asked))
    rows = []
    with remembered(labelled.memories, KnownTexts(embedder)) as store:
        for method, policy in METHODS.items():
            answers = store.answers(asked, policy)
            rows.append(row_of(answers, Half.MEASURED, method, "every question"))
            for kind in kinds if len(kinds) > 1 else ():
                of_kind = [one for one in answers if one.question.asked is kind]
                rows.append(row_of(of_kind, Half.MEASURED, method, kind.value))
    return PublicReport(
        name=name,
        memories=len(labelled.memories),
        questions=len(asked),
        rows=tuple(rows),
        aim=aim[0],
        aim_at=aim[1],
    )

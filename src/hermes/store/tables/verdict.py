"""Verdicts: how candidates were judged."""

from __future__ import annotations

from collections.abc import Sequence

from hermes.records.verdict import Verdict
from hermes.store.tables.table import Table


class VerdictTable(Table[Verdict]):
    word = "verdict"
    table = "verdicts"
    record = Verdict

    def add(self, verdict: Verdict) -> None:
        self._insert(verdict)

    def of_candidate(self, candidate_id: str) -> Sequence[Verdict]:
        return self._many("verdicts_of_candidate", candidate_id=candidate_id)

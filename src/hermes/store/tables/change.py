"""Changes: acts on a skill as a whole."""

from __future__ import annotations

from collections.abc import Sequence

from hermes.records.change import Change
from hermes.store.tables.table import Table


class ChangeTable(Table[Change]):
    word = "change"
    table = "changes"
    record = Change

    def add(self, change: Change) -> None:
        self._insert(change)

    def of_skill(self, skill_id: str) -> Sequence[Change]:
        return self._many("changes_of_skill", skill_id=skill_id)

"""Grants: the hosts that skills may reach, and may no longer."""

from __future__ import annotations

from collections.abc import Sequence

from hermes.records.grant import Grant
from hermes.store.tables.table import Table


class GrantTable(Table[Grant]):
    word = "grant"
    table = "grants"
    record = Grant

    def add(self, grant: Grant) -> None:
        self._insert(grant)

    def replace(self, grant: Grant) -> None:
        self._replace(grant)

    def of_skill(self, skill_id: str) -> Sequence[Grant]:
        return self._many("grants_of_skill", skill_id=skill_id)

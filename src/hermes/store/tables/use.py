"""Uses: which release a task was given, and how it went."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hermes.records.use import Use
from hermes.store.tables.table import Table


class UseTable(Table[Use]):
    word = "use"
    table = "uses"
    record = Use

    def add(self, use: Use) -> None:
        self._insert(use)

    def replace(self, use: Use) -> None:
        self._replace(use)

    def get(self, use_id: str) -> Use | None:
        return self._one("get_use", id=use_id)

    def of_release(self, release_id: str) -> Sequence[Use]:
        return self._many("uses_of_release", release_id=release_id)

    def of_task(self, task_id: str) -> Sequence[Use]:
        return self._many("uses_of_task", task_id=task_id)

    def rates(self, skill_ids: Sequence[str]) -> Mapping[str, tuple[int, int]]:
        """Skill id → how many of its settled uses went well, and how many there are."""
        wanted = frozenset(skill_ids)
        rows = self._db.all("use_rates") if wanted else ()
        return {row[0]: (int(row[1]), int(row[2])) for row in rows if row[0] in wanted}

    def success_shares(self) -> Mapping[str, float]:
        """Skill id → its share of the tasks that went well: how many of them were given it."""
        return {skill_id: float(share) for skill_id, share in self._db.all("success_shares")}

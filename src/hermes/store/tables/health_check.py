"""Health checks: what a version's own tests said, and when."""

from __future__ import annotations

from collections.abc import Sequence

from hermes.records.health import HealthCheck
from hermes.store.tables.table import Table


class HealthCheckTable(Table[HealthCheck]):
    word = "health_check"
    table = "health_checks"
    record = HealthCheck

    def add(self, check: HealthCheck) -> None:
        self._insert(check)

    def of_skill(self, skill_id: str) -> Sequence[HealthCheck]:
        return self._many("health_checks_of_skill", skill_id=skill_id)

    def last_of_each(self) -> Sequence[HealthCheck]:
        """The newest check of every skill that has any."""
        return self._many("last_health_check_of_each")

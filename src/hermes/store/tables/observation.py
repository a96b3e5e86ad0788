"""Observations: our reading of each trajectory, one at most."""

from __future__ import annotations

from collections.abc import Sequence

from hermes.records.observation import Observation
from hermes.store.tables.table import PAGE, Table


class ObservationTable(Table[Observation]):
    word = "observation"
    table = "observations"
    record = Observation

    def put(self, observation: Observation) -> None:
        self._db.run("put_observation", **self._rows.values(observation))

    def of_trajectory(self, trajectory_id: str) -> Observation | None:
        return self._one("observation_of_trajectory", trajectory_id=trajectory_id)

    def failures(self, limit: int = PAGE) -> Sequence[Observation]:
        return self._many("failed_observations", limit=limit)

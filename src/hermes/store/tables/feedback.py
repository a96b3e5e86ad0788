"""Feedback: what people said of trajectories."""

from __future__ import annotations

from collections.abc import Sequence

from hermes.records.feedback import Feedback
from hermes.store.tables.table import Table


class FeedbackTable(Table[Feedback]):
    word = "feedback"
    table = "feedback"
    record = Feedback

    def add(self, feedback: Feedback) -> None:
        self._insert(feedback)

    def of_trajectory(self, trajectory_id: str) -> Sequence[Feedback]:
        return self._many("feedback_of_trajectory", trajectory_id=trajectory_id)

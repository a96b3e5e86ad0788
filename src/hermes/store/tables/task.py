"""Tasks: what was asked."""

from __future__ import annotations

from collections.abc import Sequence

from hermes.records.task import Task
from hermes.store.tables.table import Table


class TaskTable(Table[Task]):
    word = "task"
    table = "tasks"
    record = Task

    def add(self, task: Task) -> None:
        self._insert(task)

    def put(self, task: Task) -> None:
        self._db.run("put_task", **self._rows.values(task))

    def get(self, task_id: str) -> Task | None:
        return self._one("get_task", id=task_id)

    def of_session(self, session_id: str) -> Sequence[Task]:
        return self._many("tasks_of_session", session_id=session_id)

"""What an agent at work leaves besides its runs: whose they are, and when to look back."""

from __future__ import annotations

from collections.abc import Mapping

from hermes.records.waiting import ReviewKind
from hermes.store.database import Database


class OpenRunTable:
    def __init__(self, database: Database) -> None:
        self._db = database

    def put(self, trajectory_id: str, owner: str) -> None:
        self._db.run("put_open_run", trajectory_id=trajectory_id, owner=owner)

    def delete(self, trajectory_id: str) -> None:
        self._db.run("delete_open_run_of", id=trajectory_id)

    def all(self) -> Mapping[str, str]:
        """Trajectory id → the process that runs it."""
        return dict(self._db.all("open_runs"))


class ReviewCountTable:
    def __init__(self, database: Database) -> None:
        self._db = database

    def of(self, session_id: str) -> Mapping[ReviewKind, int]:
        rows = self._db.all("review_counts", session_id=session_id)
        return {ReviewKind(kind): int(count) for kind, count in rows}

    def put(self, session_id: str, counts: Mapping[ReviewKind, int]) -> None:
        for kind, count in counts.items():
            self._db.run("put_review_count", session_id=session_id, kind=str(kind), count=count)

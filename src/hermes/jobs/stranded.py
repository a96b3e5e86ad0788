"""Jobs that ended without an outcome, because the disk or the server did not take it.

The engine leaves such a one marked as under way, for ever: nobody would do it again while its
worker lives, and the worker would never be idle.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from hermes.jobs.engine import Engine


class Stranded:
    """Looked at now and then; what has been there for `after` is put back."""

    def __init__(self, engine: Engine, after: timedelta, now: Callable[[], datetime]) -> None:
        self._engine = engine
        self._after = after
        self._now = now
        self._since: dict[str, datetime] = {}

    def put_back(self) -> int:
        """How many there were."""
        at = self._now()
        self._since = {job: self._since.get(job, at) for job in self._engine.stranded()}
        due = [job for job, since in self._since.items() if at - since >= self._after]
        if due:
            self._engine.put_back(due)
        return len(due)

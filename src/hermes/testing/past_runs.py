"""Past work for tests: runs in a store, and a search over them."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path

from hermes import settings
from hermes.app.home import Home
from hermes.app.past_work import open_past_work
from hermes.memory.past.search import PastWork
from hermes.ports import Embedder
from hermes.records.past import PastFound
from hermes.records.trajectory import Trajectory, TrajectoryState
from hermes.store.database import Database
from hermes.testing import samples
from hermes.testing.scripted_steps import ScriptedSteps
from hermes.testing.store import store_ports


class PastRuns:
    """A store with runs, and short ways to add and to find one. By words alone unless an embedder
    is given."""

    def __init__(self, database: Database, folder: Path, embedder: Embedder | None = None) -> None:
        self.ports = store_ports(database)
        self.home = Home(settings.load({}, home=str(folder)), database)
        self._embedder = embedder
        self.past = self.process()

    def process(self) -> PastWork:
        """What another process would search with."""
        given = self._embedder
        return open_past_work(self.home, semantic=given is not None, embedder=given)

    def add(
        self,
        task: str,
        steps: ScriptedSteps | None = None,
        *,
        scope: str = "personal",
        agent: str | None = None,
        started_at: datetime = samples.NOW,
    ) -> Trajectory:
        """A run that has ended; of a session of that agent where one is given."""
        session = samples.session(source=agent, scope=scope) if agent else None
        if session is not None:
            self.ports.sessions.add(session)
        session_id = session.id if session else None
        asked = samples.task(text=task, scope=scope, session_id=session_id)
        self.ports.tasks.add(asked)
        run = replace(
            samples.trajectory(asked.id, session_id=session_id, started_at=started_at),
            state=TrajectoryState.FINISHED,
            ended_at=samples.LATER,
        )
        self.ports.trajectories.keep(run, steps.steps if steps else [])
        return run

    def search(self, query: str, scope: str = "personal", k: int = 8) -> PastFound:
        return self.past.search(query, k, scopes=[scope])

    def found(self, query: str, scope: str = "personal", k: int = 8) -> list[str]:
        """The requests of the runs that answer, best first."""
        return [run.task for run in self.search(query, scope, k).runs]

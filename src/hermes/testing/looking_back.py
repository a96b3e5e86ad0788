"""A run that is worth a look back, and the look itself by a model that follows a script."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hermes.app import Home
from hermes.app.agent import Request
from hermes.app.reviewing import review_run
from hermes.records.session import REVIEW_SOURCE, Session
from hermes.records.trajectory import Step, Trajectory
from hermes.records.turn import Turn
from hermes.records.waiting import ReviewKind
from hermes.store.tables.trajectory import TrajectoryTable
from hermes.testing.agents import Call, Said, ScriptedAgent, Watcher, session_of

REQUEST = "how many rows of data.csv have an amount above 100?"
ANSWER = "Two rows are above 100."
BOTH = tuple(ReviewKind)


def work_done(home: Home, project: Path, request: str = REQUEST) -> Turn:
    """One request, answered after a wrong path and the right one."""
    project.mkdir(parents=True, exist_ok=True)
    (project / "data.csv").write_text("id,amount\n1,50\n2,150\n3,200\n")
    agent = ScriptedAgent(
        Call("read_file", {"path": "dtaa.csv"}), Call("read_file", {"path": "data.csv"}), ANSWER
    )
    session = session_of(home, agent, project)
    turn = session.ask(Request(text=request, fresh=True), Watcher())
    session.close()
    return turn


def look_back(
    home: Home, turn: Turn, *answers: Said | Sequence[Said], kinds: Sequence[ReviewKind] = BOTH
) -> tuple[str, ScriptedAgent]:
    """What the review said of itself, and the model as it was asked."""
    agent = ScriptedAgent(*answers)
    said = review_run(home, turn.trajectory_id, kinds, built=agent.model)
    agent.check_used()
    return said, agent


def reviews_of(home: Home) -> list[tuple[Session, Trajectory, Sequence[Step]]]:
    """The runs of all reviews with their sessions, oldest first."""
    trajectories = TrajectoryTable(home.database)
    return [
        (session, run, trajectories.steps(run.id))
        for session in reversed(home.sessions.latest(REVIEW_SOURCE))
        for run in trajectories.of_session(session.id)
    ]

"""A session that is taken up again: where it stood, and what was said in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from hermes.errors import Ambiguous, NotFound, Refused
from hermes.records.session import OWN_SOURCE
from hermes.records.trajectory import TrajectoryState

if TYPE_CHECKING:
    from hermes.app.home import Home
    from hermes.ports import Trajectories
    from hermes.records.session import Session
    from hermes.records.task import Task
    from hermes.records.trajectory import Step, Trajectory
    from hermes.stages.execute.stage import Place

_NAMED = 8  # matches that an error names


def find_session(home: Home, text: str) -> Session:
    """The session with this id, or the only one of ours whose id begins so; empty: the last."""
    known = home.sessions.get(text) if text else None
    if known is not None:
        if known.source != OWN_SOURCE:
            raise Refused(
                f"session {known.id} was no conversation with this agent ({known.source})",
                hint="`hermes --resume` goes on with the last one that was",
            )
        return known
    prefix = f"session_{text.removeprefix('session_')}" if text else ""
    matches = home.sessions.latest(OWN_SOURCE, prefix, _NAMED)
    if not matches:
        what = f"there is no session '{text}'" if text else "there is no session to resume"
        raise NotFound(what, hint="`hermes trajectories list` shows what was done")
    if text and len(matches) > 1:
        named = ", ".join(one.id for one in matches)
        raise Ambiguous(f"'{text}' fits several sessions: {named}", hint="give more of the id")
    return matches[0]


def last_place(home: Home, session_id: str, environment: Mapping[str, str]) -> Place:
    """Where the session stood. One that is still at work in another process is not taken over."""
    from hermes.stages.execute.signs import had_signs
    from hermes.stages.execute.stage import Place

    session = find_session(home, session_id)
    pairs = _runs(home, session)
    if not pairs:
        return Place(session=session, environment=environment)
    task, trajectory = pairs[-1]
    if trajectory.state is TrajectoryState.OPEN:
        raise Refused(
            f"session {session.id} is at work in another process",
            hint="wait for it, or begin a new one",
        )
    steps = tuple(_trajectories(home).steps(trajectory.id))
    return Place(
        session=session,
        environment=environment,
        task=task,
        trajectory=trajectory,
        steps=steps,
        reviewed_for_sign=trajectory.state is TrajectoryState.FINISHED and had_signs(steps),
    )


def runs_of(home: Home, session_id: str) -> list[Sequence[Step]]:
    """The steps of every run of a session, in their order."""
    session = find_session(home, session_id)
    return [_trajectories(home).steps(run.id) for _, run in _runs(home, session)]


def _runs(home: Home, session: Session) -> list[tuple[Task, Trajectory]]:
    from hermes.store.tables.task import TaskTable

    tasks = {task.id: task for task in TaskTable(home.database).of_session(session.id)}
    found = _trajectories(home).of_session(session.id)
    return [(tasks[run.task_id], run) for run in found if run.task_id in tasks]


def _trajectories(home: Home) -> Trajectories:
    from hermes.store.tables.trajectory import TrajectoryTable

    return TrajectoryTable(home.database)

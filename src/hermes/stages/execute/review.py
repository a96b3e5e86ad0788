"""Review: a finished session → a few lessons, or none; after the answer, unseen, constrained.

Reads: the steps of the session, as a digest within its budget.
Writes: its own session, task and run, and what its agent proposes through skill and memory tools.
Never: has other tools than those it was given, starts another review, is learned from itself.
Safe to repeat: what it wrote once is a duplicate the second time, and says so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from hermes.ids import new_id
from hermes.ports import Sessions, Tasks, Trajectories, Transactions
from hermes.ports.execution import Agent, Brief, Listener, OpenRuns
from hermes.records.session import REVIEW_SOURCE, Session
from hermes.records.task import NOT_LEARNED_FROM, Task
from hermes.records.trajectory import Step, Trajectory, TrajectoryState
from hermes.records.turn import Answer, TurnEnd
from hermes.records.waiting import ReviewKind
from hermes.rules.digest import digest
from hermes.rules.summary import summarise
from hermes.stages.execute.prompt import prompt
from hermes.stages.execute.writing_down import NewLog

_LOOKS_FOR = {
    ReviewKind.SKILL: "lessons about how things are done (skills)",
    ReviewKind.MEMORY: "lasting facts and preferences (memory)",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewDesk:
    transactions: Transactions
    sessions: Sessions
    tasks: Tasks
    trajectories: Trajectories
    open_runs: OpenRuns
    log: NewLog
    owner: str
    now: Callable[[], datetime]
    digest_tokens: int


def review(
    session: Session,
    of_run: Trajectory,
    steps: Sequence[Step],
    kinds: Sequence[ReviewKind],
    desk: ReviewDesk,
    agent: Agent,
    listener: Listener,
) -> Answer:
    """Look back once. `session` is the review's own, whose parent is what it looks at.

    One that a dead worker left is taken up again: a further run in the same session, which sees
    the drafts of the first.
    """
    wanted = " and ".join(_LOOKS_FOR[kind] for kind in kinds)
    task, run = _begun(session, of_run, wanted, desk.now())
    with desk.transactions.transaction():
        if desk.sessions.get(session.id) is None:
            desk.sessions.add(session)
        desk.tasks.add(task)
        desk.trajectories.add(run)
        desk.open_runs.put(run.id, desk.owner)
    log = desk.log(run, ())
    log.message("user", task.text)
    told = digest(steps, desk.digest_tokens)
    asked = f"Look for {wanted}.\n\n<record>\n{_kept_inside(told)}\n</record>"
    answer = agent.work(Brief(prompt=asked, instructions=lambda: prompt("review")), log, listener)
    if answer.end is not TurnEnd.ANSWERED:
        log.message("runtime", answer.reason, end=str(answer.end))
    ended = desk.now()
    with desk.transactions.transaction():
        if answer.end is not TurnEnd.FAILED:  # what failed may be tried again
            desk.sessions.replace(replace(session, ended_at=ended))
        desk.trajectories.close(
            replace(
                run,
                state=TrajectoryState.FINISHED
                if answer.end is TurnEnd.ANSWERED
                else TrajectoryState.INTERRUPTED,
                ended_at=ended,
                summary=summarise(log.steps),
            )
        )
        desk.open_runs.delete(run.id)
    return answer


def _kept_inside(text: str) -> str:
    """A record cannot close the tag it is quoted in."""
    return text.replace("</record", "<\\/record")


def _begun(
    session: Session, of_run: Trajectory, wanted: str, at: datetime
) -> tuple[Task, Trajectory]:
    task = Task(
        id=new_id("task"),
        session_id=session.id,
        text=f"Look back at {of_run.id} for {wanted}",
        environment={"agent": REVIEW_SOURCE, "reviewed": of_run.id, **NOT_LEARNED_FROM},
        scope=session.scope,
        created_at=at,
    )
    run = Trajectory(
        id=new_id("trajectory"),
        task_id=task.id,
        session_id=session.id,
        state=TrajectoryState.OPEN,
        model=session.model,
        started_at=at,
    )
    return task, run

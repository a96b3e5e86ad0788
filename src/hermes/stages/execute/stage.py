"""Execute: a request → a turn, recorded step by step, and queued for learning at its end.

Reads: the session so far; the skills and memories that belong to the request.
Writes: the task, the trajectory and its steps as they happen; at the end, in one transaction, the
end itself, the outbox row and the counters of the review. Uses are written when a skill is given.
Never: waits for learning, records a step after the fact, takes an interrupted run for a finished
one, learns anything itself.
Safe to repeat: a request is a new turn each time; a turn that died is closed as interrupted by
`interrupted`, as often as that is called.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from hermes.ids import new_id
from hermes.ports import Sessions, Tasks, Trajectories, Transactions
from hermes.ports.execution import (
    Agent,
    Brief,
    Listener,
    OpenRuns,
    ReviewCounters,
    Verifier,
)
from hermes.records.artefact import Artefact
from hermes.records.codec import Json
from hermes.records.session import Session
from hermes.records.task import Task
from hermes.records.trajectory import Step, Trajectory, TrajectoryState
from hermes.records.turn import Answer, Offer, Turn, TurnEnd
from hermes.records.waiting import ReviewKind
from hermes.rules.follow_up import MessageKind, Running, read_message
from hermes.rules.given import given_files
from hermes.rules.recording import shortened, stored_name, stored_text
from hermes.rules.review_trigger import ReviewDecision, TurnFacts, decide
from hermes.rules.summary import summarise
from hermes.stages.execute.assignments import Assignments
from hermes.stages.execute.context import Context, Contexts
from hermes.stages.execute.signs import signs_of
from hermes.stages.execute.writing_down import Log, NewLog

_LONGEST_REQUEST = 64 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What a person wants. `fresh` begins a task of its own, whatever the words look like.

    `shown` is the text for the model where that is more than the person typed: a skill's own words
    come with a slash command. `given` is that skill, and `trial` says that it is only a draft.
    """

    text: str
    shown: str = ""
    inputs: tuple[Artefact, ...] = ()
    verifier: Verifier | None = None
    fresh: bool = False
    given: Offer | None = None
    trial: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """Everything this stage reads and writes, and the agent that does the work."""

    transactions: Transactions
    sessions: Sessions
    tasks: Tasks
    trajectories: Trajectories
    open_runs: OpenRuns
    counters: ReviewCounters
    contexts: Contexts
    assignments: Assignments
    agent: Agent
    log: NewLog
    instructions: Callable[[Context], str]
    intervals: Mapping[ReviewKind, int]
    reviewable: frozenset[ReviewKind]
    owner: str
    now: Callable[[], datetime]


@dataclass(slots=True)
class Place:
    """Where a session stands: the task it is at, if any, and what that was told."""

    session: Session
    environment: Mapping[str, str]
    task: Task | None = None
    trajectory: Trajectory | None = None
    steps: tuple[Step, ...] = ()
    context: Context | None = None
    reviewed_for_sign: bool = False


def execute(request: Request, place: Place, desk: Desk, listener: Listener) -> Turn:
    """One request, from the words of a person to the end of its run."""
    kind = _kind(request, place)
    log = _begin(request, kind, place, desk)
    assert place.task is not None
    assert place.trajectory is not None
    context = place.context
    assert context is not None
    brief = Brief(
        prompt=request.shown or request.text, instructions=lambda: desk.instructions(context)
    )
    answer = desk.agent.work(brief, log, listener)
    try:
        verified, check = _verified(request, answer, log)
    except KeyboardInterrupt:
        verified, check = None, ""
        answer = replace(answer, end=TurnEnd.INTERRUPTED, reason="interrupted during the check")
    if answer.end is not TurnEnd.ANSWERED:
        log.message("runtime", answer.reason, end=str(answer.end))
    decision = _review(place, kind, answer, log, desk)
    _end(place, answer, verified, decision, log, desk)
    return Turn(
        session_id=place.session.id,
        task_id=place.task.id,
        trajectory_id=place.trajectory.id,
        answer=answer,
        verified=verified,
        check=check,
        reviews=decision.due,
    )


def interrupted(
    trajectory_id: str, tables: tuple[Tasks, Trajectories, OpenRuns], at: datetime
) -> bool:
    """Close the run of a process that died; whether there was something to close."""
    tasks, trajectories, open_runs = tables
    known = trajectories.get(trajectory_id)
    if known is None or known.state is not TrajectoryState.OPEN:
        open_runs.delete(trajectory_id)
        return False
    summary = summarise(trajectories.steps(trajectory_id))
    ended = replace(known, state=TrajectoryState.INTERRUPTED, ended_at=at, summary=summary)
    _close(ended, tasks.get(known.task_id), trajectories)
    open_runs.delete(trajectory_id)
    return True


def _close(
    ended: Trajectory,
    task: Task | None,
    trajectories: Trajectories,
    due: Sequence[ReviewKind] = (),
) -> None:
    """Whoever learns waits for it in the outbox, unless nothing is learned from it."""
    if task is None or task.is_learned_from:
        trajectories.end(ended, due)
    else:
        trajectories.close(ended)


def _kind(request: Request, place: Place) -> MessageKind:
    if place.task is None or request.fresh:
        return MessageKind.REQUEST
    kind = read_message(request.text, Running(task=place.task.text, last_said=_last_said(place)))
    return MessageKind.OTHER if kind is MessageKind.NOISE else kind


def _last_said(place: Place) -> str:
    said = [step for step in place.steps if step.metadata.get("role") == "assistant"]
    return said[-1].content if said else ""


def _begin(request: Request, kind: MessageKind, place: Place, desk: Desk) -> Log:
    """A new task with its run, or the run of the last one taken up again."""
    goes_on = kind is not MessageKind.REQUEST and place.trajectory is not None
    if goes_on:
        assert place.trajectory is not None
        abandoned = _abandoned(place)
        place.trajectory = replace(
            place.trajectory, state=TrajectoryState.OPEN, ended_at=None, summary=None
        )
        if place.context is None and place.task is not None:  # taken up again by another process
            place.context = desk.contexts.for_task(place.task.text)
            desk.assignments.begin(place.task.id, place.trajectory.id, place.context.offers)
        log = desk.log(place.trajectory, place.steps)
        with desk.transactions.transaction():
            desk.trajectories.reopen(place.trajectory)
            desk.open_runs.put(place.trajectory.id, desk.owner)
            log.message("user", request.text, follow_up=str(kind), **abandoned)
        return log
    return _begin_anew(request, place, desk)


def _begin_anew(request: Request, place: Place, desk: Desk) -> Log:
    """The task and its run are on disk before anything is looked for; that takes no longer than
    the text takes to be embedded."""
    desk.contexts.expect(request.text)
    place.task, place.trajectory = task, trajectory = _new_task(request, place, desk)
    place.steps, place.reviewed_for_sign = (), False
    with desk.transactions.transaction():
        if desk.sessions.get(place.session.id) is None:
            desk.sessions.add(place.session)
        desk.tasks.add(task)
        desk.trajectories.add(trajectory)
        desk.open_runs.put(trajectory.id, desk.owner)
    place.context = desk.contexts.for_task(request.text)
    desk.assignments.begin(task.id, trajectory.id, place.context.offers)
    log = desk.log(trajectory, ())
    with desk.transactions.transaction():
        log.message("user", request.text, **place.context.told(), **_called(request, desk))
    return log


def _called(request: Request, desk: Desk) -> dict[str, Json]:
    """The skill that a person called by its name is in use from the start."""
    offer = request.given
    if offer is None:
        return {}
    desk.assignments.put(offer)
    desk.assignments.give(offer.skill_id, offer.name, offer.version_id)
    return {"called": offer.name, "trial": True} if request.trial else {"called": offer.name}


def _abandoned(place: Place) -> dict[str, Json]:
    """From which step on the last turn led nowhere, where it came to no answer."""
    if place.trajectory is None or place.trajectory.state is not TrajectoryState.INTERRUPTED:
        return {}
    asked = [step.step_id for step in place.steps if step.metadata.get("role") == "user"]
    return {"abandoned_from": asked[-1] + 1} if asked else {}


def _new_task(request: Request, place: Place, desk: Desk) -> tuple[Task, Trajectory]:
    at = desk.now()
    task = Task(
        id=new_id("task"),
        session_id=place.session.id,
        text=shortened(stored_text(request.text), _LONGEST_REQUEST)[0],
        inputs=tuple(replace(one, name=stored_name(one.name)) for one in request.inputs),
        environment=place.environment,
        scope=place.session.scope,
        created_at=at,
    )
    trajectory = Trajectory(
        id=new_id("trajectory"),
        task_id=task.id,
        session_id=place.session.id,
        state=TrajectoryState.OPEN,
        model=place.session.model,
        started_at=at,
    )
    return task, trajectory


def _verified(request: Request, answer: Answer, log: Log) -> tuple[bool | None, str]:
    """What decides success where the person said how to; asked only of a run that answered."""
    if request.verifier is None:
        return None, ""
    if answer.end is not TurnEnd.ANSWERED:
        return False, "not checked: the run came to no answer"
    passed, what, said = request.verifier.verify()
    log.message("runtime", said, verify={"command": what, "ok": passed})
    return passed, said


def _review(
    place: Place, kind: MessageKind, answer: Answer, log: Log, desk: Desk
) -> ReviewDecision:
    new_steps = log.steps[len(place.steps) :]
    assert place.task is not None
    facts = TurnFacts(
        answered=answer.end is TurnEnd.ANSWERED,
        iterations=answer.iterations,
        can=desk.reviewable,
        signs=signs_of(new_steps, kind),
        reviewed_for_sign=place.reviewed_for_sign,
        is_learned_from=place.task.is_learned_from,
    )
    return decide(desk.counters.of(place.session.id), facts, desk.intervals)


def _end(
    place: Place,
    answer: Answer,
    verified: bool | None,
    decision: ReviewDecision,
    log: Log,
    desk: Desk,
) -> None:
    """The end, the outbox row and the counters, together or not at all."""
    assert place.task is not None
    assert place.trajectory is not None
    at = desk.now()
    answered = answer.end is TurnEnd.ANSWERED
    summary = summarise(log.steps)
    ended = replace(
        place.trajectory,
        state=TrajectoryState.FINISHED if answered else TrajectoryState.INTERRUPTED,
        ended_at=at,
        summary=replace(summary, was_successful=verified),
    )
    task = replace(place.task, inputs=given_files(log.steps, place.task.inputs))
    place.session = replace(place.session, ended_at=at)
    with desk.transactions.transaction():
        desk.tasks.put(task)
        desk.counters.put(place.session.id, decision.counts)
        desk.sessions.replace(place.session)
        _close(ended, task, desk.trajectories, decision.due)
        desk.open_runs.delete(ended.id)
    place.task, place.trajectory, place.steps = task, ended, tuple(log.steps)
    place.reviewed_for_sign = place.reviewed_for_sign or decision.for_sign

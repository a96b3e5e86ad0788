"""Run: one ended trajectory as it is read, with the judgement of how it went."""

from __future__ import annotations

import re
from dataclasses import dataclass

from hermes.errors import NotFound, WrongCall
from hermes.ports import Tasks
from hermes.records.task import Task
from hermes.records.trajectory import Step, StepType, Trajectory, TrajectoryState
from hermes.rules.actions.moves import Move, moves_of
from hermes.rules.follow_up import Running, read_message
from hermes.rules.observing.outcome import Afterwards, Judgement, judge
from hermes.rules.redact.tenant import Redactor
from hermes.stages.observe.work import Work

_FIRST_PIECE = re.compile(r"[^.!?;,\n]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """An ended trajectory with everything that says how it went.

    `text` is the task as other readers may see it: without secrets and tenant data.
    """

    trajectory: Trajectory
    task: Task
    text: str
    redactor: Redactor
    steps: tuple[Step, ...]
    moves: tuple[Move, ...]
    judgement: Judgement


def read_run(trajectory_id: str, work: Work) -> Run:
    """Raises NotFound where there is no such trajectory, WrongCall while it still goes on."""
    trajectory = work.trajectories.get(trajectory_id)
    if trajectory is None:
        raise NotFound(f"there is no trajectory '{trajectory_id}'")
    if trajectory.state is TrajectoryState.OPEN:
        raise WrongCall(f"trajectory {trajectory_id} still goes on", hint="observe it at its end")
    task = work.tasks.get(trajectory.task_id)
    if task is None:
        raise NotFound(f"the task of {trajectory_id} is gone", hint="run `hermes db verify`")
    steps = tuple(work.trajectories.steps(trajectory_id))
    moves = moves_of(steps)
    redactor = Redactor(task.environment.get("cwd"))
    return Run(
        trajectory=trajectory,
        task=task,
        text=redactor.text(task.text),
        redactor=redactor,
        steps=steps,
        moves=moves,
        judgement=judge(
            trajectory,
            steps,
            moves,
            work.feedbacks.of_trajectory(trajectory_id),
            task.text,
            _afterwards(task, steps, work.tasks),
        ),
    )


def _afterwards(task: Task, steps: tuple[Step, ...], tasks: Tasks) -> Afterwards:
    """The request that the same user made next in the same session, and how it opens."""
    if task.session_id is None:
        return Afterwards()
    following = [one for one in tasks.of_session(task.session_id) if one.id > task.id]
    if not following:
        return Afterwards()
    text = following[0].text
    opening = _FIRST_PIECE.search(text)
    running = Running(task=task.text, last_said=_last_said(steps))
    kind = read_message(opening[0], running) if opening else ""
    return Afterwards(next_request=text, follow_up=str(kind))


def _last_said(steps: tuple[Step, ...]) -> str:
    for step in reversed(steps):
        if step.type is StepType.MESSAGE and step.metadata.get("role") == "assistant":
            return step.content
    return ""

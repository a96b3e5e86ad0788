"""Trajectories and their steps."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from hermes.errors import Conflict, NotFound, Refused, WrongCall
from hermes.records.trajectory import ExecutionSummary, Trajectory, TrajectoryState
from hermes.testing import samples
from hermes.testing.store import StorePorts


def begin(ports: StorePorts) -> Trajectory:
    """An open trajectory of a new task."""
    asked = samples.task()
    ports.tasks.add(asked)
    opened = samples.trajectory(asked.id)
    ports.trajectories.add(opened)
    return opened


def finished(trajectory: Trajectory, minutes: int = 1) -> Trajectory:
    """What `end` is given."""
    summary = ExecutionSummary(total_steps=2, tool_calls_count=1, error_count=0, total_time=1.5)
    return replace(
        trajectory,
        state=TrajectoryState.FINISHED,
        ended_at=samples.NOW + timedelta(minutes=minutes),
        summary=summary,
    )


def waiting(ports: StorePorts, limit: int = 100) -> list[str]:
    """What the outbox gives, the longest waiting first."""
    return [one.trajectory_id for one in ports.outbox.pending(limit)]


def a_trajectory_comes_back_as_it_was(ports: StorePorts) -> None:
    opened = begin(ports)
    assert ports.trajectories.get(opened.id) == opened
    assert ports.trajectories.get("trj_nothing") is None
    with pytest.raises(Conflict):
        ports.trajectories.add(opened)


def a_trajectory_begins_open(ports: StorePorts) -> None:
    with pytest.raises(WrongCall):
        ports.trajectories.add(finished(begin(ports)))


def steps_come_back_in_order(ports: StorePorts) -> None:
    opened = begin(ports)
    steps = [samples.step(number, content=f"Schritt {number} ✓") for number in (1, 2, 3)]
    for step in steps:
        ports.trajectories.append(opened.id, step)
    assert ports.trajectories.steps(opened.id) == steps
    assert ports.trajectories.steps(begin(ports).id) == []


def a_step_that_is_not_the_next_is_a_conflict(ports: StorePorts) -> None:
    opened = begin(ports)
    with pytest.raises(Conflict, match="1 is next"):
        ports.trajectories.append(opened.id, samples.step(2))
    ports.trajectories.append(opened.id, samples.step(1))
    for wrong in (1, 3, 0, -1):
        with pytest.raises(Conflict, match="2 is next"):
            ports.trajectories.append(opened.id, samples.step(wrong))


def nothing_is_appended_to_nothing(ports: StorePorts) -> None:
    with pytest.raises(NotFound):
        ports.trajectories.append("trj_nothing", samples.step(1))


def nothing_is_appended_after_the_end(ports: StorePorts) -> None:
    opened = begin(ports)
    ports.trajectories.append(opened.id, samples.step(1))
    ports.trajectories.end(finished(opened))
    with pytest.raises(Refused):
        ports.trajectories.append(opened.id, samples.step(2))
    assert len(ports.trajectories.steps(opened.id)) == 1


def a_trajectory_ends_once(ports: StorePorts) -> None:
    opened = begin(ports)
    with pytest.raises(WrongCall):
        ports.trajectories.end(opened)
    ports.trajectories.end(finished(opened))
    with pytest.raises(Refused):
        ports.trajectories.end(finished(opened))
    with pytest.raises(NotFound):
        ports.trajectories.end(replace(finished(opened), id="trj_nothing"))


def only_an_ended_run_goes_on(ports: StorePorts) -> None:
    opened = begin(ports)
    with pytest.raises(Refused):
        ports.trajectories.reopen(opened)
    with pytest.raises(WrongCall):
        ports.trajectories.reopen(finished(opened))


def an_open_trajectory_is_noticed(ports: StorePorts) -> None:
    assert not ports.trajectories.any_open()
    opened = begin(ports)
    assert ports.trajectories.any_open()
    ports.trajectories.end(finished(opened))
    assert not ports.trajectories.any_open()


def trajectories_come_by_pages(ports: StorePorts) -> None:
    added = [begin(ports) for _ in range(3)]
    assert ports.trajectories.page(limit=2) == added[:2]
    assert ports.trajectories.page(after=added[1].id) == added[2:]


def a_deleted_trajectory_leaves_nothing_behind(ports: StorePorts) -> None:
    opened, other = begin(ports), begin(ports)
    for trajectory in (opened, other):
        ports.trajectories.append(trajectory.id, samples.step(1))
        ports.observations.put(samples.observation(trajectory.id))
        ports.feedback.add(samples.feedback(trajectory.id))
        ports.trajectories.end(finished(trajectory))
    assert ports.trajectories.delete(opened.id)
    assert not ports.trajectories.delete(opened.id)
    assert ports.trajectories.get(opened.id) is None
    assert ports.trajectories.steps(opened.id) == []
    assert ports.observations.of_trajectory(opened.id) is None
    assert ports.feedback.of_trajectory(opened.id) == []
    assert waiting(ports) == [other.id]
    assert len(ports.trajectories.steps(other.id)) == 1


def a_finished_run_is_kept_as_a_whole(ports: StorePorts) -> None:
    asked = samples.task()
    ports.tasks.add(asked)
    run = finished(samples.trajectory(asked.id))
    steps = [samples.step(number, content=f"Schritt {number} ✓") for number in (1, 2, 3)]
    ports.trajectories.keep(run, steps)
    assert ports.trajectories.get(run.id) == run
    assert ports.trajectories.steps(run.id) == steps
    assert waiting(ports) == [run.id]
    with pytest.raises(Refused):
        ports.trajectories.append(run.id, samples.step(4))


def a_grown_run_takes_the_place_of_the_shorter(ports: StorePorts) -> None:
    asked = samples.task()
    ports.tasks.add(asked)
    run = finished(samples.trajectory(asked.id))
    ports.trajectories.keep(run, [samples.step(1)])
    ports.observations.put(samples.observation(run.id))
    feedback = samples.feedback(run.id)
    ports.feedback.add(feedback)
    ports.outbox.done(ports.outbox.pending()[0])
    for minutes in (5, 9):
        grown = finished(run, minutes=minutes)
        ports.trajectories.keep(grown, [samples.step(1), samples.step(2)])
        assert ports.trajectories.get(run.id) == grown
        assert len(ports.trajectories.steps(run.id)) == 2
        assert ports.observations.of_trajectory(run.id) is None
        assert ports.feedback.of_trajectory(run.id) == [feedback]
        assert waiting(ports) == [run.id]


def half_a_run_is_not_kept(ports: StorePorts) -> None:
    asked = samples.task()
    ports.tasks.add(asked)
    opened = samples.trajectory(asked.id)
    with pytest.raises(WrongCall):
        ports.trajectories.keep(opened, [])
    with pytest.raises(Conflict, match="2 is next"):
        ports.trajectories.keep(finished(opened), [samples.step(1), samples.step(3)])
    with pytest.raises(NotFound):
        ports.trajectories.keep(finished(samples.trajectory("tsk_nothing")), [samples.step(1)])
    assert ports.trajectories.page() == []
    assert waiting(ports) == []


CHECKS = (
    a_trajectory_comes_back_as_it_was,
    a_trajectory_begins_open,
    steps_come_back_in_order,
    a_step_that_is_not_the_next_is_a_conflict,
    nothing_is_appended_to_nothing,
    nothing_is_appended_after_the_end,
    a_trajectory_ends_once,
    only_an_ended_run_goes_on,
    an_open_trajectory_is_noticed,
    trajectories_come_by_pages,
    a_deleted_trajectory_leaves_nothing_behind,
    a_finished_run_is_kept_as_a_whole,
    a_grown_run_takes_the_place_of_the_shorter,
    half_a_run_is_not_kept,
)

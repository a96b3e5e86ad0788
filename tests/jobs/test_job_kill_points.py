"""Killed at any statement: an ended run waits to be learned from, and is learned from once."""

from __future__ import annotations

import pytest

from hermes.jobs.drainer import Drainer
from hermes.jobs.engine import Engine
from hermes.records.job import JobState
from hermes.records.trajectory import TrajectoryState
from hermes.records.waiting import ReviewKind
from hermes.store.open import open_database
from hermes.store.tables.outbox import OutboxTable
from hermes.testing.chaos import Tell, run_in_child
from hermes.testing.contracts.trajectories import begin, finished
from hermes.testing.faults import Countdown, killed, stepped_database
from hermes.testing.job_worker import plan
from hermes.testing.job_yard import Yard
from hermes.testing.points import Points
from hermes.testing.store import store_ports


def test_a_run_has_ended_and_waits_or_neither(address: str, points: Points) -> None:
    for point in points:
        database = open_database(address)
        run = begin(store_ports(database))
        database.close()
        countdown = Countdown(point, killed)

        def end(tell: Tell, point: int = point, countdown: Countdown = countdown) -> None:
            ports = store_ports(stepped_database(open_database(address), countdown))
            countdown.start(point)
            ports.trajectories.end(finished(run), (ReviewKind.SKILL,))  # noqa: B023
            tell("done", run.id, None, None)  # noqa: B023

        told, signal = run_in_child(end)
        database = open_database(address)
        ports = store_ports(database)
        known = ports.trajectories.get(run.id)
        waits = [one for one in ports.outbox.pending(1_000) if one.trajectory_id == run.id]
        database.close()
        assert known is not None
        ended = known.state is TrajectoryState.FINISHED
        assert [one.reviews for one in waits] == ([(ReviewKind.SKILL,)] if ended else [])
        assert ended or not told.acknowledged
        if signal == 0:
            assert ended
            return
    pytest.fail("there is always a further point")


def test_a_drainer_killed_anywhere_leaves_one_job_for_a_run(yard: Yard, points: Points) -> None:
    run = yard.end_a_run()
    yard.database.close()
    for point in points:
        countdown = Countdown(point, killed)

        def drain(tell: Tell, point: int = point, countdown: Countdown = countdown) -> None:
            database = stepped_database(open_database(yard.address), countdown)
            engine = Engine(yard.queue, f"drainer-{point}", plan())
            engine.open({}, polling_s=60)  # nothing is taken up meanwhile
            drainer = Drainer(OutboxTable(database), engine)
            countdown.start(point)
            drainer.drain()
            drainer.drain()
            tell("done", run, None, None)

        _, signal = run_in_child(drain)
        there = [job.state for job in yard.jobs() if job.subject == run]
        assert there in ([], [JobState.WAITING])
        assert yard.outbox.count() == 1
        if signal == 0:
            assert there == [JobState.WAITING]
            return
    pytest.fail("there is always a further point")

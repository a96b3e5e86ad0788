"""The outbox and the queue: a row goes when its jobs have come to their end, and not before."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import pytest

from hermes.jobs.drainer import Drainer
from hermes.jobs.engine import Engine
from hermes.records.job import Job, JobState
from hermes.records.waiting import ReviewKind
from hermes.testing.contracts.trajectories import begin, finished
from hermes.testing.job_worker import plan
from hermes.testing.job_yard import Yard
from hermes.testing.store import StorePorts


class Queue:
    """A queue in memory; `over` are the jobs that have ended."""

    def __init__(self) -> None:
        self.enqueued: list[tuple[str, str]] = []
        self.over: set[str] = set()

    def enqueue(self, name: str, subject: str, *, key: str) -> str:
        self.enqueued.append((name, subject))
        return f"{name}:{key}"

    def jobs(self, states: object = (), limit: int = 100) -> list[Job]:
        return []

    def ended(self, job_ids: Collection[str]) -> frozenset[str]:
        return frozenset(job_ids) & self.over


def test_a_run_stays_in_the_outbox_until_all_its_jobs_have_ended(ports: StorePorts) -> None:
    run = begin(ports)
    ports.trajectories.end(finished(run), (ReviewKind.MEMORY, ReviewKind.SKILL))
    queue = Queue()
    drainer = Drainer(ports.outbox, queue)
    key = ports.outbox.pending()[0].key

    assert drainer.drain() == 1
    assert drainer.drain() == 0
    assert queue.enqueued == [("learn", run.id), ("review", f"{run.id}:memory+skill")]
    queue.over.add(f"learn:{key}")
    drainer.drain()
    assert ports.outbox.count() == 1
    queue.over.add(f"review:{key}")
    drainer.drain()
    assert ports.outbox.count() == 0
    assert len(queue.enqueued) == 2


def test_a_run_that_ends_again_is_learned_from_again(ports: StorePorts) -> None:
    run = begin(ports)
    ports.trajectories.end(finished(run, minutes=1))
    queue = Queue()
    drainer = Drainer(ports.outbox, queue)
    drainer.drain()
    first = ports.outbox.pending()[0].key
    ports.trajectories.reopen(run)
    assert drainer.drain() == 0
    ports.trajectories.end(finished(run, minutes=2))
    queue.over.add(f"learn:{first}")
    assert drainer.drain() == 1
    assert queue.enqueued == [("learn", run.id)] * 2
    assert ports.outbox.count() == 1


def test_dying_before_the_row_goes_leaves_one_job(yard: Yard) -> None:
    """A drainer that died between enqueueing and its end is followed by another."""
    run = yard.end_a_run()
    for name in ("first", "second"):
        engine = Engine(yard.queue, name, plan())
        engine.open({}, polling_s=60)  # nothing is taken up meanwhile
        Drainer(yard.outbox, engine).drain()
        jobs = engine.jobs()
        engine.close()
        assert [(job.subject, job.state) for job in jobs] == [(run, JobState.WAITING)]
        assert yard.outbox.count() == 1


@pytest.mark.parametrize("empty_address", ["sqlite"], indirect=True)
def test_losing_the_queue_loses_no_learning(yard: Yard) -> None:
    run = yard.end_a_run()
    lost = Engine(yard.queue, "lost", plan())
    lost.open({}, polling_s=60)
    Drainer(yard.outbox, lost).drain()
    lost.close()
    Path(yard.folder / "jobs.db").unlink()

    yard.start("worker", until_idle=True).wait()
    assert yard.effects == [("begin", run, "worker"), ("end", run, "worker")]
    assert yard.outbox.count() == 0

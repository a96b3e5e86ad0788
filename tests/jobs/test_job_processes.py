"""Worker processes that die, sleep and wake up, or lose their database."""

from __future__ import annotations

import os
import signal
from collections import Counter

import pytest

from hermes.records.job import JobState
from hermes.testing.job_yard import Yard
from hermes.testing.postgres import TestServer

on_postgres = pytest.mark.parametrize(
    "empty_address", [pytest.param("postgres", marks=pytest.mark.postgres)], indirect=True
)


def _ended(yard: Yard, subject: str) -> list[str]:
    return [worker for what, about, worker in yard.effects if (what, about) == ("end", subject)]


def _begun(yard: Yard, subject: str) -> list[str]:
    return [worker for what, about, worker in yard.effects if (what, about) == ("begin", subject)]


def _said(yard: Yard) -> dict[str, str]:
    return {job.subject: job.said for job in yard.jobs(JobState.DONE)}


def test_a_worker_killed_in_mid_job_is_followed_by_the_next(yard: Yard) -> None:
    run, other = yard.end_a_run(minutes=1), yard.end_a_run(minutes=2)
    first = yard.start("first", slow={run: 60})
    yard.until(lambda: bool(_begun(yard, run)))
    first.kill()
    first.wait()
    second = yard.start("second")
    yard.until(lambda: len(_said(yard)) == 2)
    assert _ended(yard, run) == ["second"]
    assert _ended(yard, other) == ["second"]
    yard.until(lambda: yard.outbox.count() == 0)
    second.terminate()
    assert second.wait() == 0


def test_a_worker_stopped_in_mid_job_leaves_soon_and_its_job_is_done_by_the_next(
    yard: Yard,
) -> None:
    run = yard.end_a_run()
    first = yard.start("first", slow={run: 60})
    yard.until(lambda: bool(_begun(yard, run)))
    first.terminate()
    assert first.wait(30) == 0
    assert yard.workers.all() == []
    yard.start("second", until_idle=True).wait()
    assert _said(yard) == {run: "done by second"}


def test_what_is_begun_is_finished_within_the_grace(yard: Yard) -> None:
    run = yard.end_a_run()
    worker = yard.start("first", slow={run: 0.5})
    yard.until(lambda: bool(_begun(yard, run)))
    worker.terminate()
    assert worker.wait(30) == 0
    assert _said(yard) == {run: "done by first"}


@on_postgres
def test_three_workers_and_one_dies(yard: Yard) -> None:
    runs = [yard.end_a_run(minutes=n + 1) for n in range(6)]
    workers = {"a": yard.start("a", slow={runs[0]: 60})}
    yard.until(lambda: bool(_begun(yard, runs[0])))
    workers |= {name: yard.start(name) for name in "bc"}
    yard.until(lambda: len(yard.workers.all()) == 3)
    workers["a"].kill()
    workers["a"].wait()
    yard.until(lambda: len(_said(yard)) == 6)
    ends = Counter(about for what, about, _ in yard.effects if what == "end")
    assert ends == dict.fromkeys(runs, 1)
    yard.until(lambda: {one.id for one in yard.workers.all()} == {"b", "c"})
    yard.until(lambda: not yard.outbox.count())


@on_postgres
def test_a_worker_that_wakes_up_after_it_was_taken_over_does_no_harm(yard: Yard) -> None:
    """Guaranteed: the result is the second worker's, once. The sleeper's handler runs to its end,
    which is why every handler has to be safe to repeat; then it works on as a new worker."""
    run = yard.end_a_run()
    sleeper = yard.start("sleeper", slow={run: 2})
    yard.until(lambda: bool(_begun(yard, run)))
    os.kill(sleeper.pid, signal.SIGSTOP)
    second = yard.start("second")
    yard.until(lambda: _said(yard) == {run: "done by second"})
    os.kill(sleeper.pid, signal.SIGCONT)
    yard.until(lambda: "another took over" in yard.said("sleeper"))
    yard.until(lambda: _ended(yard, run) == ["second", "sleeper"])
    yard.until(lambda: {one.id for one in yard.workers.all()} == {"second", "sleeper"})
    assert _said(yard) == {run: "done by second"}
    assert [job.attempts for job in yard.jobs()] == [2]
    second.kill()
    second.wait()
    later = yard.end_a_run(minutes=2)
    yard.until(lambda: _said(yard).get(later) == "done by sleeper")


@on_postgres
def test_several_workers_learn_one_after_the_other_and_keep_a_clock_once(yard: Yard) -> None:
    runs = [yard.end_a_run(minutes=n + 1) for n in range(5)]

    def checks() -> list[str]:
        return [about for what, about, _ in yard.effects if what == "begin" and "health" in about]

    for name in "abc":
        slow = dict.fromkeys(runs, 0.1)
        yard.start(name, slow=slow, cron="*/2 * * * * *", dead_after_s=60)  # busy is not dead
    yard.until(lambda: set(runs) <= set(_said(yard)) and len(checks()) >= 2)
    learned = [what for what, about, _ in yard.effects if about in runs]
    assert learned == ["begin", "end"] * 5
    assert max(Counter(checks()).values()) == 1


@on_postgres
def test_a_worker_outlives_its_database(yard: Yard, postgres_server: TestServer) -> None:
    before = yard.end_a_run()
    worker = yard.start("patient")
    yard.until(lambda: _ended(yard, before) == ["patient"])
    postgres_server.hide(yard.address)
    yard.until(lambda: "waiting for the database" in yard.said("patient"))
    postgres_server.show(yard.address)
    run = yard.end_a_run(minutes=2)
    yard.until(lambda: _ended(yard, run) == ["patient"])
    yard.until(lambda: not yard.outbox.count())
    assert worker.poll() is None

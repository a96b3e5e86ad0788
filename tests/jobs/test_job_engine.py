"""The queue itself, with a worker in this process: once for a key, patient by kind of error."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from dbos import DBOS

from hermes.errors import ModelOverloaded, StoreUnavailable
from hermes.jobs.engine import Engine, Plan, Queue, Schedule
from hermes.jobs.looking import jobs_in, retry_failed
from hermes.records.job import JobState
from hermes.testing.job_worker import plan
from hermes.testing.job_yard import Yard, opened

YEARLY = "0 0 0 1 1 *"
A_WHILE = timedelta(seconds=1)


def test_a_job_is_done_once_for_a_key(yard: Yard) -> None:
    seen: list[str] = []

    def learn(subject: str) -> str:
        seen.append(subject)
        return f"learned from {subject}"

    with opened(yard, {"learn": learn}) as engine:
        ids = {engine.enqueue("learn", "run-1", key="run-1-a") for _ in range(3)}
        yard.until(lambda: engine.ended(ids) == ids)
        engine.enqueue("learn", "run-1", key="run-1-a")
        yard.until(engine.idle)
        (job,) = engine.jobs()
    assert seen == ["run-1"]
    assert (job.name, job.subject, job.state) == ("learn", "run-1", JobState.DONE)
    assert job.said == "learned from run-1"


def test_what_passes_by_itself_is_tried_again(yard: Yard) -> None:
    tried: list[str] = []

    def overloaded_twice(subject: str) -> str:
        tried.append(subject)
        if len(tried) < 3:
            raise ModelOverloaded("too many people ask")
        return "at last"

    with opened(yard, {"review": overloaded_twice}) as engine:
        engine.enqueue("review", "run-1", key="k")
        yard.until(lambda: bool(engine.jobs([JobState.DONE, JobState.FAILED])))
        (job,) = engine.jobs()
    assert len(tried) == 3
    assert (job.state, job.said) == (JobState.DONE, "at last")


def test_patience_ends_with_the_last_words(yard: Yard) -> None:
    def overloaded(_: str) -> str:
        raise ModelOverloaded("too many people ask")

    with opened(yard, {"review": overloaded}) as engine:
        engine.enqueue("review", "run-1", key="k")
        yard.until(lambda: bool(engine.jobs([JobState.FAILED])))
        (job,) = engine.jobs()
    assert job.said == "ModelOverloaded: too many people ask (tried 3 times)"


def test_any_other_error_fails_at_once_and_can_be_put_back(yard: Yard) -> None:
    tried: list[str] = []

    def wrong_once(subject: str) -> str:
        tried.append(subject)
        if len(tried) == 1:
            raise ValueError(f"{subject} is odd")
        return "even"

    with opened(yard, {"learn": wrong_once}) as engine:
        engine.enqueue("learn", "run-1", key="k")
        yard.until(lambda: bool(engine.jobs([JobState.FAILED])))
        (job,) = jobs_in(yard.queue, [JobState.FAILED], 10)
        assert job.said == "ValueError: run-1 is odd"
        assert len(tried) == 1
        assert retry_failed(yard.queue, plan().queue_of) == 1
        yard.until(lambda: bool(engine.jobs([JobState.DONE])))
        assert jobs_in(yard.queue, [JobState.FAILED], 10) == []
        (again,) = engine.jobs()
    assert again.id == job.id
    assert tried == ["run-1", "run-1"]


def test_a_failed_job_that_only_another_release_knows_stays_as_it_is(yard: Yard) -> None:
    other = Plan(queues=(Queue(name="learning", jobs=("learn", "polish")),))
    with opened(yard, {}, other) as engine:
        for name in ("polish", "learn"):
            engine.enqueue(name, "run-1", key="k")
        yard.until(lambda: len(engine.jobs([JobState.FAILED])) == 2)
    assert retry_failed(yard.queue, plan().queue_of) == 1
    assert {job.name: job.state for job in yard.jobs()} == {
        "polish": JobState.FAILED,
        "learn": JobState.WAITING,
    }


def test_one_run_at_a_time_is_learned_from(yard: Yard) -> None:
    at_once, most = 0, 0
    lock = threading.Lock()

    def learn(_: str) -> str:
        nonlocal at_once, most
        with lock:
            at_once += 1
            most = max(most, at_once)
        threading.Event().wait(0.05)
        with lock:
            at_once -= 1
        return ""

    with opened(yard, {"learn": learn}) as engine:
        ids = [engine.enqueue("learn", f"run-{n}", key=f"k{n}") for n in range(4)]
        yard.until(lambda: len(engine.ended(ids)) == 4)
    assert most == 1


def test_a_schedule_is_there_once_and_a_changed_one_replaces_it(yard: Yard) -> None:
    def known() -> list[tuple[str, str]]:
        return [(one["schedule_name"], one["schedule"]) for one in DBOS.list_schedules()]

    first = Schedule(job="health", cron=YEARLY, every=A_WHILE)
    for _ in range(2):
        with opened(yard, {}, plan(schedules=(first,))):
            assert known() == [("health", YEARLY)]
    with opened(yard, {}, plan(schedules=(replace(first, cron="0 0 0 2 1 *"),))):
        assert known() == [("health", "0 0 0 2 1 *")]
    with opened(yard, {}):
        assert known() == []


def test_a_time_that_nobody_was_at_work_is_made_up_for_once(yard: Yard) -> None:
    due = datetime.now(UTC) - timedelta(hours=1)
    cron = f"0 {due.minute} {due.hour} * * *"
    checked: list[str] = []

    def health(at: str) -> str:
        checked.append(at)
        return "all well"

    for _ in range(2):
        daily = plan(schedules=(Schedule(job="health", cron=cron, every=timedelta(days=1)),))
        with opened(yard, {"health": health}, daily) as engine:
            yard.until(lambda: bool(engine.jobs([JobState.DONE])) and engine.idle())
            (job,) = engine.jobs()
    assert len(checked) == 1
    assert (job.name, job.said) == ("health", "all well")
    assert job.subject.startswith(f"{due:%Y-%m-%dT%H:%M}")


def test_a_worker_that_does_not_know_a_job_says_so(yard: Yard) -> None:
    with opened(yard, {}) as engine:
        engine.enqueue("learn", "run-1", key="k")
        yard.until(lambda: bool(engine.jobs([JobState.FAILED])))
        (job,) = engine.jobs()
    assert job.said == "nobody here knows how to do 'learn'"


def test_a_later_release_finds_the_jobs_of_this_one(yard: Yard) -> None:
    """These words are in every queue there is: one that changes them leaves old jobs behind."""
    with opened(yard, {"learn": lambda _: ""}) as engine:
        engine.enqueue("learn", "run-1", key="k")
        yard.until(engine.idle)
        (stored,) = DBOS.list_workflows()
    words = (stored.workflow_id, stored.name, stored.queue_name, stored.app_version)
    assert words == ("learn:k", "hermes_job", "learning", "1")
    assert stored.input == {"args": ("learn", "run-1"), "kwargs": {}}


def test_nothing_is_printed(yard: Yard, capfd: pytest.CaptureFixture[str]) -> None:
    def wrong(_: str) -> str:
        raise ValueError("no")

    with opened(yard, {"learn": wrong}) as engine:
        engine.enqueue("learn", "run-1", key="k")
        yard.until(lambda: bool(engine.jobs([JobState.FAILED])))
    jobs_in(yard.queue, [JobState.FAILED], 10)
    assert capfd.readouterr() == ("", "")


def test_a_look_at_a_queue_that_nobody_made_finds_nothing(
    empty_address: str, tmp_path: Path
) -> None:
    if "://" in empty_address:
        assert jobs_in(empty_address, tuple(JobState), 10) == []
    else:
        with pytest.raises(StoreUnavailable):
            jobs_in(f"sqlite:///{tmp_path}/no/such/folder/jobs.db", tuple(JobState), 10)


def test_a_broken_queue_file_says_what_to_do(tmp_path: Path) -> None:
    file = tmp_path / "jobs.db"
    file.write_bytes(b"this is not a database" * 100)
    with pytest.raises(StoreUnavailable) as told:
        Engine(f"sqlite:///{file}", "here", plan()).open({})
    assert "not a database" in str(told.value)
    assert "remove its file" in (told.value.hint or "")

"""`hermes worker` and `hermes stats` as a person meets them, with a worker in this process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hermes import settings
from hermes.app import open_home
from hermes.app.jobs import WORKER_LOG, detach_worker
from hermes.cli.main import main
from hermes.records.waiting import ReviewKind
from hermes.store.tables.outbox import OutboxTable
from hermes.testing import samples
from hermes.testing.contracts.trajectories import finished
from hermes.testing.store import store_ports

PATIENCE_S = 90.0


class Person:
    """One home; the commands run in this process."""

    def __init__(self, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.home = root / "home"
        self.environ = {"HERMES_HOME": str(self.home), "HOME": str(root)}
        self._capsys = capsys

    def __call__(self, *words: str) -> tuple[int, str, str]:
        self._capsys.readouterr()
        code = main(list(words), self.environ)
        out, err = self._capsys.readouterr()
        return code, out, err

    def stats(self) -> dict[str, object]:
        code, out, err = self("stats", "--json")
        assert code == 0, err
        told: dict[str, object] = json.loads(out)
        return told

    @property
    def queue(self) -> dict[str, object]:
        queue = self.stats()["queue"]
        assert isinstance(queue, dict)
        return queue

    def end_a_run(self, *reviews: ReviewKind) -> str:
        with open_home(settings.load(self.environ)) as home:
            ports = store_ports(home.database)
            session = samples.session()
            ports.sessions.add(session)
            task = samples.task(session_id=session.id)
            ports.tasks.add(task)
            opened = samples.trajectory(task.id, session_id=session.id)
            ports.trajectories.add(opened)
            ports.trajectories.end(finished(opened), reviews)
        return opened.id

    def waiting(self) -> int:
        with open_home(settings.load(self.environ)) as home:
            return OutboxTable(home.database).count()


@pytest.fixture
def person(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Person:
    return Person(tmp_path, capsys)


def test_an_empty_home_has_empty_figures_and_no_engine_is_loaded(tmp_path: Path) -> None:
    program = (
        "import os, sys; from hermes.cli.main import main; code = main(['stats'], os.environ); "
        "print('engine' if 'dbos' in sys.modules else 'light'); sys.exit(code)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "HERMES_HOME": str(tmp_path), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    lines = ran.stdout.splitlines()
    assert lines[-1] == "light"
    assert "runs still to be learned from: 0; workers: 0" in lines
    assert not (tmp_path / "loop" / "jobs.db").exists()


def test_a_worker_learns_from_what_waits_and_says_so(person: Person) -> None:
    run = person.end_a_run()
    assert person.queue["outbox"] == 1
    assert person("worker", "--until-idle") == (0, "", "done: 1 runs came in\n")
    assert person.queue["outbox"] == 0
    code, out, _ = person("stats")
    assert code == 0
    assert any(line.split()[:3] == ["learn", run, "done"] for line in out.splitlines()), out
    pruned = [line for line in out.splitlines() if line.startswith("prune")]
    assert len(pruned) == 1, out
    assert "0 old jobs dropped" in pruned[0]


def test_a_job_that_failed_is_shown_with_its_words_and_tried_again(person: Person) -> None:
    """A review needs a model; the session of this run names none, and neither do the settings."""
    run = person.end_a_run(ReviewKind.SKILL)
    assert person("worker", "--until-idle")[0] == 0
    failed = person.queue["failed"]
    assert isinstance(failed, list)
    assert [(job["name"], job["subject"]) for job in failed] == [("review", f"{run}:skill")]
    assert failed[0]["said"].startswith("ConfigError: "), failed
    assert person.queue["outbox"] == 0
    _, out, _ = person("stats")
    assert "hermes worker --retry-failed" in out
    assert failed[0]["said"].split(":")[0] in out

    _, _, err = person("worker", "--until-idle", "--retry-failed")
    assert "failed before and tried again: 1" in err
    again = person.queue["failed"]
    assert isinstance(again, list)
    assert [job["id"] for job in again] == [failed[0]["id"]]


def test_two_runs_at_once_start_one_worker_and_nothing_stays_behind(person: Person) -> None:
    person.end_a_run()
    person.end_a_run()
    environ = {**os.environ, **person.environ}
    with open_home(settings.load(person.environ)) as home:
        started = [detach_worker(home, environ) for _ in range(2)]
    assert started[0]
    deadline = time.monotonic() + PATIENCE_S
    while person.waiting() or person.queue["workers"]:
        assert time.monotonic() < deadline, (person.home / "loop/logs" / WORKER_LOG).read_text()
        time.sleep(0.3)
    log = (person.home / "loop" / "logs" / WORKER_LOG).read_text()
    assert log.count("done: 2 runs came in") == 1, log
    assert "Traceback" not in log


def test_the_log_of_detached_workers_stays_small(person: Person) -> None:
    person.end_a_run()
    logs = person.home / "loop" / "logs"
    logs.mkdir(parents=True, exist_ok=True)
    (logs / WORKER_LOG).write_bytes(b"x" * 1_100_000)
    with open_home(settings.load(person.environ)) as home:
        assert detach_worker(home, {**os.environ, **person.environ, "PYTHONSTARTUP": ""})
    assert (logs / f"{WORKER_LOG}.1").stat().st_size == 1_100_000
    assert (logs / WORKER_LOG).stat().st_size < 1_000_000
    deadline = time.monotonic() + PATIENCE_S
    while person.waiting() or person.queue["workers"]:
        assert time.monotonic() < deadline
        time.sleep(0.3)


def test_a_home_without_detaching_leaves_the_work_to_whoever_calls(person: Person) -> None:
    person("config", "set", "jobs.detach", "false")
    person.end_a_run()
    with open_home(settings.load(person.environ)) as home:
        assert not detach_worker(home, person.environ)
    assert person.waiting() == 1


def test_a_restored_database_is_learned_from_as_it_says(person: Person, tmp_path: Path) -> None:
    """What was done after the backup was made is to be done again, whatever the queue remembers."""
    run = person.end_a_run()
    file = str(tmp_path / "kept.backup")
    assert person("db", "backup", file)[0] == 0
    assert person("worker", "--until-idle")[0] == 0
    assert person.stats()["observations"] == 1
    assert person("db", "restore", file, "--replace")[0] == 0
    assert (person.waiting(), person.stats()["observations"]) == (1, 0)
    assert person("worker", "--until-idle")[0] == 0
    assert (person.waiting(), person.stats()["observations"]) == (0, 1)
    jobs = person.queue["jobs"]
    assert isinstance(jobs, list)
    assert [job["subject"] for job in jobs if job["name"] == "learn"] == [run]


def test_a_broken_queue_says_what_to_do_and_loses_nothing(person: Person) -> None:
    person.end_a_run()
    file = person.home / "loop" / "jobs.db"
    file.write_bytes(b"not a database at all" * 500)
    for words in (("worker", "--until-idle"), ("stats",)):
        code, _, err = person(*words)
        assert code == 1
        assert len(err.splitlines()) <= 2, err
        assert "remove its file" in err
    file.unlink()
    assert person("worker", "--until-idle")[0] == 0
    assert person.waiting() == 0


def test_a_look_starts_no_worker(person: Person) -> None:
    person.end_a_run()
    assert person.queue["workers"] == 0
    assert person.stats()["trajectories"] == 1
    assert not (person.home / "loop" / "logs" / WORKER_LOG).exists()
    assert person.waiting() == 1

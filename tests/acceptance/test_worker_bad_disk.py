"""A worker on a disk that takes nothing: one line that says so, and what waits still waits."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from hermes import settings
from hermes.app import open_home
from hermes.store.open import open_database
from hermes.store.tables.outbox import OutboxTable
from hermes.testing.contracts.trajectories import begin, finished
from hermes.testing.mounts import run_python
from hermes.testing.store import store_ports

_MAIN = """
import sys
from hermes.cli.main import main
home = sys.argv[1]
sys.exit(main(sys.argv[2:], {"HERMES_HOME": home, "HOME": home}))
"""

FULL_WHILE_A_JOB_RUNS = """
import os, sys, threading
from contextlib import closing
from pathlib import Path

from hermes.jobs.engine import Engine
from hermes.jobs.looking import jobs_in
from hermes.jobs.shift import Pace, Shift
from hermes.ids import now
from hermes.records.job import JobState, Worker
from hermes.store.open import open_database
from hermes.store.tables.outbox import OutboxTable
from hermes.store.tables.worker import WorkerTable
from hermes.testing.contracts.trajectories import begin, finished
from hermes.testing.job_worker import plan
from hermes.testing.store import store_ports

disk = Path(sys.argv[1])
ballast, queue, learned, told = disk / "ballast", f"sqlite:///{disk / 'jobs.db'}", [], []


def learn(trajectory_id):
    learned.append(trajectory_id)
    if len(learned) == 1:
        with ballast.open("wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(4096))
            except OSError:
                pass
    return "learned"


def tell(line):
    told.append(line)
    if "full" in line:
        ballast.unlink(missing_ok=True)


with closing(open_database(str(disk / "loop.db"))) as database:
    ports, outbox = store_ports(database), OutboxTable(database)
    ports.trajectories.end(finished(begin(ports)))
    shift = Shift(
        engine=Engine(queue, "one", plan(), disk / "jobs.log"),
        outbox=outbox,
        workers=WorkerTable(database),
        me=Worker(id="one", host="here", beat_at=now()),
        is_dead=lambda _: False,
        now=now,
        tell=tell,
        pace=Pace(beat_s=0.3, stranded_after_s=0.6, polling_s=0.1, pause_s=0.05, grace_s=1),
    )
    worked = shift.work({"learn": learn}, threading.Event(), until_idle=True)
    print(worked.taken, worked.left, outbox.count(), len(learned) > 1)
    print(*(job.said for job in jobs_in(queue, list(JobState), 10)))
    print(told[0])
    print(told[-1])
"""


@pytest.fixture
def home_with_work(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    with open_home(settings.load({"HERMES_HOME": str(home), "HOME": str(home)})) as opened:
        ports = store_ports(opened.database)
        ports.trajectories.end(finished(begin(ports)))
    return home


def _waiting(home: Path) -> int:
    with closing(open_database(str(home / "loop" / "loop.db"))) as database:
        return OutboxTable(database).count()


def test_a_read_only_home_is_told_in_a_line(home_with_work: Path) -> None:
    home = str(home_with_work)
    ran = run_python(_MAIN, "--ro-bind", home, home, arguments=[home, "worker", "--until-idle"])
    assert ran.returncode == 1
    assert ran.stderr.startswith("hermes: "), ran.stderr
    assert len(ran.stderr.splitlines()) <= 2, ran.stderr
    assert "Traceback" not in ran.stderr
    assert _waiting(home_with_work) == 1


def test_a_queue_that_cannot_be_written_is_told_in_a_line(home_with_work: Path) -> None:
    home, file = str(home_with_work), home_with_work / "loop" / "jobs.db"
    file.touch()
    ran = run_python(
        _MAIN,
        *("--bind", home, home, "--ro-bind", str(file), str(file)),
        arguments=[home, "worker", "--until-idle"],
    )
    assert ran.returncode == 1
    assert ran.stderr.startswith("hermes: the queue of background work: "), ran.stderr
    assert len(ran.stderr.splitlines()) <= 2, ran.stderr
    assert _waiting(home_with_work) == 1


def test_a_disk_that_fills_up_while_a_job_runs_is_waited_for(tmp_path: Path) -> None:
    """The outcome cannot be written. It is told, and once there is room the job is done again."""
    mounts = ("--size", str(16 * 2**20), "--tmpfs", str(tmp_path))
    ran = run_python(FULL_WHILE_A_JOB_RUNS, *mounts, arguments=[str(tmp_path)])
    assert ran.returncode == 0, ran.stderr[-3000:]
    figures, said, full, again = ran.stdout.splitlines()
    assert figures == "1 0 0 True"
    assert said == "learned"
    assert "disk is full" in full
    assert again == "did again 1 jobs whose outcome could not be written"


def test_a_disk_that_is_full_before_a_worker_starts_is_told_in_a_line(tmp_path: Path) -> None:
    script = f"""
import sys
from pathlib import Path
from hermes import settings
from hermes.app import open_home
from hermes.testing.contracts.trajectories import begin, finished
from hermes.testing.store import store_ports

home = sys.argv[1]
with open_home(settings.load({{"HERMES_HOME": home, "HOME": home}})) as opened:
    ports = store_ports(opened.database)
    ports.trajectories.end(finished(begin(ports)))
with Path(home, "ballast").open("wb", buffering=0) as file:
    try:
        while True:
            file.write(bytes(4096))
    except OSError:
        pass
{_MAIN}
"""
    home = str(tmp_path)
    mounts = ("--size", str(16 * 2**20), "--tmpfs", home)
    ran = run_python(script, *mounts, arguments=[home, "worker", "--until-idle"])
    assert ran.returncode == 1
    assert ran.stderr.startswith("hermes: "), ran.stderr
    assert len(ran.stderr.splitlines()) <= 2, ran.stderr
    assert "full" in ran.stderr or "No space" in ran.stderr

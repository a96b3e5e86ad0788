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

"""A disk that is full or may not be written, in the middle of a run and before it."""

from __future__ import annotations

from pathlib import Path

from hermes import settings
from hermes.app import open_home
from hermes.store.tables.trajectory import TrajectoryTable
from hermes.testing.mounts import run_python

SMALL_DISK = 16 * 2**20

FULL_IN_THE_MIDDLE = """
import os, sys
from pathlib import Path

from hermes.app.agent import Request, close_dead_runs
from hermes.errors import DiskFailed, StoreUnavailable
from hermes.store.tables.outbox import OutboxTable
from hermes.store.tables.trajectory import TrajectoryTable
from hermes.testing.agents import Call, ScriptedAgent, Watcher, session_of
from hermes.testing.homes import Place

disk = Path(sys.argv[1])
place, ballast, project = Place(disk / "home"), disk / "ballast", disk / "project"


class Filling(Watcher):
    def calling(self, tool, line):
        if len(self.lines) == 1:
            with ballast.open("wb", buffering=0) as file:
                for size in (65536, 4096):
                    try:
                        while True:
                            file.write(bytes(size))
                    except OSError:
                        pass
        super().calling(tool, line)


text = "x" * 200_000
calls = [Call("read_file", {"path": "a", "note": f"{n}{text}"}) for n in range(6)]
home = place.open()
session = session_of(home, ScriptedAgent(*calls, "Done."), project)
try:
    session.ask(Request(text="read it"), Filling())
    print("no error")
except (DiskFailed, StoreUnavailable) as error:
    print(type(error).__name__, bool(error.hint))
ballast.unlink()
again = ScriptedAgent("Here again.")
session.close()
home.close()
later = place.open()
close_dead_runs(later)
table = TrajectoryTable(later.database)
(run,) = table.page()
steps = table.steps(run.id)
in_order = [step.step_id for step in steps] == list(range(1, len(steps) + 1))
print(run.state, in_order, len(steps) >= 3)
session = session_of(later, again, project)
print(session.ask(Request(text="and now?"), Watcher()).answer.text)
"""

READ_ONLY = """
import sys
from hermes.cli.main import main

sys.exit(main(["run", "x", "--model", "openai:m@http://127.0.0.1:9/v1"]))
"""


def test_a_disk_that_fills_up_in_the_middle_of_a_run(tmp_path: Path) -> None:
    mounts = ("--size", str(SMALL_DISK), "--tmpfs", str(tmp_path))
    result = run_python(FULL_IN_THE_MIDDLE, *mounts, arguments=(str(tmp_path),))
    assert result.returncode == 0, result.stderr[-3000:]
    failed, kept, said = result.stdout.splitlines()
    assert failed in ("StoreUnavailable True", "DiskFailed True")
    assert kept == "interrupted True True"
    assert said == "Here again."


def test_a_home_that_may_not_be_written_is_one_line_that_says_so(tmp_path: Path) -> None:
    home = tmp_path / "home"
    environ = {"HERMES_HOME": str(home), "HOME": str(tmp_path)}
    open_home(settings.load(environ)).close()
    script = f"import os; os.environ.update({environ!r})\n{READ_ONLY}"
    result = run_python(script, "--ro-bind", str(home), str(home))
    assert result.returncode == 1
    assert result.stderr.count("\n") == 1, result.stderr
    assert "cannot be written (point HERMES_HOME" in result.stderr
    with open_home(settings.load(environ)) as opened:
        assert TrajectoryTable(opened.database).page() == []

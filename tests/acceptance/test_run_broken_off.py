"""A run that a signal ends: what was done is on disk, and nobody learns from the rest."""

from __future__ import annotations

import os
import signal
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from hermes import settings
from hermes.app import Home, open_home
from hermes.app.agent import close_dead_runs
from hermes.app.learn import learning_of
from hermes.cli.main import main
from hermes.records.trajectory import Step, TrajectoryState
from hermes.store.tables.observation import ObservationTable
from hermes.store.tables.trajectory import TrajectoryTable
from hermes.testing.forked import forked
from hermes.testing.model_servers import Calls, Hangs, Reply, Says, openai_server

_PATIENCE = 60.0  # seconds for a busy machine


class Started:
    """`hermes run` as a process of its own, and a look at its home from outside."""

    def __init__(self, root: Path, url: str, more: Sequence[str] = ()) -> None:
        project = root / "project"
        project.mkdir(exist_ok=True)
        self.environ = {"HERMES_HOME": str(root / "home"), "HOME": str(root)}
        main(["config", "set", "jobs.detach", "false"], self.environ)
        words = ["run", "wait for me", "--model", f"openai:m@{url}", *more]
        self._said = Path(tempfile.mkdtemp(dir=root))
        environ = {**os.environ, **self.environ}
        with (
            open(os.devnull) as nothing,
            (self._said / "out").open("w") as out,
            (self._said / "err").open("w") as err,
        ):
            stdio = (nothing.fileno(), out.fileno(), err.fileno())
            self.process = forked(["hermes", *words], environ, project, stdio)

    def open(self) -> Home:
        return open_home(settings.load(self.environ))

    def steps(self) -> tuple[TrajectoryState | None, list[Step]]:
        with self.open() as home:
            table = TrajectoryTable(home.database)
            runs = table.page()
            return (runs[0].state, list(table.steps(runs[0].id))) if runs else (None, [])

    def said(self) -> tuple[str, str]:
        """Wait for its end; what it printed on each stream."""
        self.process.wait(_PATIENCE)
        return (self._said / "out").read_text(), (self._said / "err").read_text()

    def until(self, reached: Callable[[list[Step]], bool]) -> list[Step]:
        end = time.monotonic() + _PATIENCE
        while time.monotonic() < end:
            assert self.process.poll() is None, self.said()
            if (
                self.environ and Path(self.environ["HERMES_HOME"], "loop", "loop.db").exists()
            ) and (reached(steps := self.steps()[1])):
                return steps
            time.sleep(0.1)
        raise AssertionError("it never came that far")

    def broken_off(
        self, *, after: int, how: signal.Signals = signal.SIGINT
    ) -> tuple[str, list[Step]]:
        """What it printed and recorded when it was told to end, a moment after so many steps."""
        self.until(lambda steps: len(steps) == after)
        time.sleep(1.5)  # whatever comes next has begun by now
        self.process.send_signal(how)
        _, err = self.said()
        assert self.process.returncode == 1
        state, steps = self.steps()
        assert state is TrajectoryState.INTERRUPTED
        return err, steps


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Started]]:
    servers = []
    started: list[Started] = []

    def begin(*replies: Reply, more: Sequence[str] = ()) -> Started:
        server = openai_server(*replies)
        server.__enter__()
        servers.append(server)
        started.append(Started(tmp_path, server.url, more))
        return started[-1]

    yield begin
    for one in started:
        one.process.kill()
        one.process.wait()
    for server in servers:
        server.__exit__(None, None, None)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_a_command_runs(start: Callable[..., Started], how: signal.Signals) -> None:
    """Ctrl-C, or whoever ends a service: the record says that somebody did."""
    run = start(Calls("shell", {"command": "sleep 300"}))
    err, steps = run.broken_off(after=2, how=how)
    assert "interrupted by the user" in err
    assert steps[-1].metadata["end"] == "interrupted"


def test_ctrl_c_while_the_model_answers_keeps_what_it_has_said(
    start: Callable[..., Started],
) -> None:
    run = start(Hangs("Let me think"))
    err, steps = run.broken_off(after=1)
    assert "interrupted by the user" in err
    _, said, end = steps
    assert (said.content.strip(), said.metadata["role"]) == ("Let me think", "assistant")
    assert said.metadata["interrupted"] is True
    assert end.metadata["end"] == "interrupted"


def test_ctrl_c_while_the_check_runs(start: Callable[..., Started]) -> None:
    run = start(Says("Done."), more=["--verify", "sleep 300"])
    err, _ = run.broken_off(after=2)
    assert "interrupted during the check" in err


def test_two_at_once_in_one_home_do_not_disturb_each_other(start: Callable[..., Started]) -> None:
    rounds = [Calls("shell", {"command": f"echo {n}"}) for n in range(5)]
    both = [start(*rounds, Says("Done.")), start(*rounds, Says("Done."))]
    for run in both:
        out, err = run.said()
        assert (run.process.returncode, out.strip()) == (0, "Done."), err
    with both[0].open() as home:
        table = TrajectoryTable(home.database)
        runs = table.page()
        assert [one.state for one in runs] == [TrajectoryState.FINISHED] * 2
        assert [len(table.steps(one.id)) for one in runs] == [12, 12]


def test_whatever_starts_next_closes_the_run_of_the_dead(start: Callable[..., Started]) -> None:
    run = start(Calls("shell", {"command": "sleep 300"}))
    run.until(lambda steps: len(steps) == 2)
    run.process.kill()
    run.process.wait()
    assert run.steps()[0] is TrajectoryState.OPEN
    start(Says("Done.")).said()
    with run.open() as home:
        first, second = TrajectoryTable(home.database).page()
    assert first.state is TrajectoryState.INTERRUPTED
    assert second.state is TrajectoryState.FINISHED


def test_kill_leaves_what_was_done_and_nobody_learns_from_it(start: Callable[..., Started]) -> None:
    run = start(Calls("list_files", {}), Calls("shell", {"command": "sleep 300"}))
    before = run.until(lambda steps: len(steps) == 4)
    run.process.kill()
    run.process.wait()
    with run.open() as home:
        assert close_dead_runs(home) == 1
        table = TrajectoryTable(home.database)
        (trajectory,) = table.page()
        assert trajectory.state is TrajectoryState.INTERRUPTED
        assert table.steps(trajectory.id) == before
        learned = learning_of(home).learn([trajectory.id])
        assert (learned.successes, learned.kept) == (0, 0)
        observation = ObservationTable(home.database).of_trajectory(trajectory.id)
        assert observation is not None
        assert observation.success is not True

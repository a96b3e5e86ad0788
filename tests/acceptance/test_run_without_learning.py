"""Work that a person keeps out of all learning: it is recorded, and that is all."""

from __future__ import annotations

from pathlib import Path

import pytest

from hermes import settings
from hermes.app import Home, open_home
from hermes.app.agent import Request, close_dead_runs
from hermes.app.jobs import handlers
from hermes.app.learn import learn_from
from hermes.app.learning import give_feedback, observing
from hermes.cli.main import main
from hermes.errors import Refused
from hermes.records.trajectory import TrajectoryState
from hermes.records.waiting import ReviewKind
from hermes.store.tables.execution import OpenRunTable
from hermes.store.tables.outbox import OutboxTable
from hermes.testing.agents import Call, ScriptedAgent, Watcher, run_of, session_of
from hermes.testing.homes import Desk, Place, person, skill_text
from hermes.testing.looking_back import look_back
from hermes.testing.model_servers import Calls, Says, openai_server

ROUNDS = [Call("list_files", {"path": f"{number}"}) for number in range(11)]


def waiting(home: Home) -> list[str]:
    return [one.trajectory_id for one in OutboxTable(home.database).pending()]


def done_unlearned(home: Home, project: Path) -> tuple[str, str]:
    """A run that would be learned from and reviewed, but for the option: session and run."""
    session = session_of(home, ScriptedAgent(*ROUNDS, "Done."), project, learning=False)
    turn = session.ask(Request(text="count the rows of data.csv"), Watcher())
    session.close()
    assert turn.reviews == ()
    return turn.session_id, turn.trajectory_id


def test_the_command_records_the_run_and_leaves_nothing_to_learn_from(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    environ = {"HERMES_HOME": str(tmp_path / "home"), "HOME": str(tmp_path)}
    monkeypatch.chdir(tmp_path)
    with open_home(settings.load(environ)) as home:
        Desk(home).manage("create", name="csv-totals", content=skill_text("csv-totals"))
    with openai_server(Calls("list_files", {}), Says("Two rows.")) as server:
        model = f"openai:scripted@{server.url}"
        assert main(["run", "count the rows", "--no-learning", "--model", model], environ) == 0
    assert capsys.readouterr().out.strip() == "Two rows."
    assert "csv-totals" not in str(server.asked[0])
    with open_home(settings.load(environ)) as home:
        (run,) = observing(home).trajectories.page_of_work()
        assert run.state is TrajectoryState.FINISHED
        assert len(run_of(home, run.id)[1]) == 4
        assert waiting(home) == []


def test_nothing_else_observes_it_either(home: Home, tmp_path: Path) -> None:
    _, run_id = done_unlearned(home, tmp_path / "project")
    assert handlers(home.settings)["learn"](run_id) == "nothing is learned from this one"
    with pytest.raises(Refused, match="nothing is learned"):
        give_feedback(home, run_of(home, run_id)[0], person(), rating=5)
    (home.settings.paths.data_dir / "learning").touch()  # as a killed `hermes learn` leaves it
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "a.jsonl").write_text("")
    learn_from(home, [tmp_path / "logs"])
    assert observing(home).observations.of_trajectory(run_id) is None


def test_a_follow_up_in_a_session_that_learns_leaves_it_out_too(home: Home, tmp_path: Path) -> None:
    project = tmp_path / "project"
    session_id, run_id = done_unlearned(home, project)
    agent = ScriptedAgent(*ROUNDS, "Right.", *ROUNDS, "And that.")
    session = session_of(home, agent, project, resume=session_id)
    corrected = session.ask(Request(text="no, that's wrong"), Watcher())
    assert (corrected.trajectory_id, corrected.reviews, waiting(home)) == (run_id, (), [])
    other = session.ask(Request(text="the other table now", fresh=True), Watcher())
    session.close()
    assert other.reviews == (ReviewKind.SKILL,)
    assert waiting(home) == [other.trajectory_id]
    _, looked = look_back(home, other, "Nothing.", kinds=other.reviews)
    told = str(looked.asked[0][-1])
    assert "the other table now" in told
    assert "that's wrong" not in told


def test_one_whose_process_died_leaves_nothing_either(
    home: Home, place: Place, tmp_path: Path
) -> None:
    _, run_id = done_unlearned(home, tmp_path / "project")
    ended, _ = run_of(home, run_id)
    dead = place.open()
    work = observing(home)
    work.trajectories.reopen(
        type(ended)(
            id=run_id,
            task_id=ended.task_id,
            session_id=ended.session_id,
            state=TrajectoryState.OPEN,
            started_at=ended.started_at,
        )
    )
    OpenRunTable(home.database).put(run_id, dead.ownership.owner)
    dead.close()
    assert close_dead_runs(home) == 1
    assert run_of(home, run_id)[0].state is TrajectoryState.INTERRUPTED
    assert waiting(home) == []

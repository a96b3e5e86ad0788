"""A session in a real home, on both databases: what is recorded, what a next turn makes of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from hermes.app import Home
from hermes.app.agent import Request, close_dead_runs
from hermes.app.working import given_inputs, verifier_of
from hermes.memory.recall import Recall
from hermes.records.artefact import ArtefactRole
from hermes.records.trajectory import StepType, TrajectoryState
from hermes.records.turn import TurnEnd
from hermes.records.waiting import ReviewKind
from hermes.store.tables.execution import OpenRunTable, ReviewCountTable
from hermes.store.tables.outbox import OutboxTable
from hermes.store.tables.task import TaskTable
from hermes.testing.agents import Call, ScriptedAgent, Watcher, run_of, session_of
from hermes.testing.chaos import Tell, run_in_child
from hermes.testing.faults import killed
from hermes.testing.homes import Place

SECRET = "AKIAIOSFODNN7EXAMPLE"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "data.csv").write_text("id,amount\n1,50\n2,150\n")
    return folder


def test_a_run_is_recorded_with_what_it_read_and_wrote(home: Home, project: Path) -> None:
    agent = ScriptedAgent(
        Call("read_file", {"path": "data.csv"}),
        Call("python", {"code": "open('out.txt','w').write('1')\n"}),
        "One row.",
    )
    session = session_of(home, agent, project)
    turn = session.ask(Request(text="count rows above 100 in data.csv"), Watcher())
    session.close()
    trajectory, steps = run_of(home, turn.trajectory_id)
    assert trajectory.state is TrajectoryState.FINISHED
    assert [step.type for step in steps] == [
        StepType.MESSAGE,
        StepType.TOOL_CALL,
        StepType.OBSERVATION,
        StepType.TOOL_CALL,
        StepType.OBSERVATION,
        StepType.MESSAGE,
    ]
    assert [(one.name, one.role) for one in steps[1].artefacts] == [("data.csv", ArtefactRole.READ)]
    assert [(one.name, one.role) for one in steps[4].artefacts] == [
        ("out.txt", ArtefactRole.WRITTEN)
    ]
    task = TaskTable(home.database).get(turn.task_id)
    assert task is not None
    assert [one.name for one in task.inputs] == ["data.csv"]
    assert trajectory.summary is not None
    assert trajectory.summary.tools_used == ("read_file", "python")
    assert steps[1].metadata["tokens"] > 0
    (waiting,) = OutboxTable(home.database).pending()
    assert waiting.trajectory_id == turn.trajectory_id
    assert OpenRunTable(home.database).all() == {}


def test_credentials_are_gone_before_anything_is_stored(home: Home, project: Path) -> None:
    agent = ScriptedAgent(
        [f"I use {SECRET}. ", Call("shell", {"command": f"echo {SECRET}"})], f"Done with {SECRET}"
    )
    session = session_of(home, agent, project)
    turn = session.ask(Request(text=f"use the key {SECRET}"), Watcher())
    session.close()
    _, steps = run_of(home, turn.trajectory_id)
    assert SECRET not in str(steps)
    assert SECRET not in str(TaskTable(home.database).get(turn.task_id))
    assert len(steps) == 5


def test_a_correction_goes_on_with_the_run_and_a_request_begins_another(
    home: Home, project: Path
) -> None:
    agent = ScriptedAgent("Done: 2 rows.", "Right: 1 row.", "It is 3 pages.")
    session = session_of(home, agent, project)
    first = session.ask(Request(text="count the rows above 100 in data.csv"), Watcher())
    again = session.ask(Request(text="no, that's wrong, the header is not a row"), Watcher())
    other = session.ask(
        Request(text="write a summary of report.pdf into summary.md please"), Watcher()
    )
    session.close()
    assert again.trajectory_id == first.trajectory_id
    assert other.trajectory_id != first.trajectory_id
    _, steps = run_of(home, first.trajectory_id)
    assert [step.metadata.get("follow_up") for step in steps] == [None, None, "correction", None]
    assert [step.step_id for step in steps] == [1, 2, 3, 4]
    waiting = OutboxTable(home.database).pending()
    assert {one.trajectory_id for one in waiting} == {first.trajectory_id, other.trajectory_id}


def test_a_run_that_gets_no_answer_is_interrupted_and_says_why(home: Home, project: Path) -> None:
    agent = ScriptedAgent(*(Call("list_files", {"path": "."}) for _ in range(2)))
    session = session_of(home, agent, project, max_steps=2)
    turn = session.ask(Request(text="list for ever"), Watcher())
    session.close()
    assert turn.answer.end is TurnEnd.STOPPED
    trajectory, steps = run_of(home, turn.trajectory_id)
    assert trajectory.state is TrajectoryState.INTERRUPTED
    assert steps[-1].metadata["end"] == "stopped"
    assert "limits.max_steps" in steps[-1].content


def test_the_checks_that_a_person_named_decide(home: Home, project: Path) -> None:
    agent = ScriptedAgent(Call("write_file", {"path": "out.txt", "content": "1\n"}), "Done.", "No.")
    session = session_of(home, agent, project)
    verifier = verifier_of(home, project, "grep -qx 1 out.txt", ["out.txt"])
    good = session.ask(Request(text="write 1 to out.txt", verifier=verifier), Watcher())
    bad = session.ask(
        Request(text="do nothing", fresh=True, verifier=verifier_of(home, project, "false", [])),
        Watcher(),
    )
    session.close()
    assert (good.verified, bad.verified) == (True, False)
    trajectory, steps = run_of(home, good.trajectory_id)
    assert steps[-1].metadata["verify"] == {
        "command": "--expect out.txt; grep -qx 1 out.txt",
        "ok": True,
    }
    assert trajectory.summary is not None
    assert trajectory.summary.was_successful is True


def test_files_that_were_handed_over_are_inputs(home: Home, project: Path) -> None:
    agent = ScriptedAgent("Thanks.")
    session = session_of(home, agent, project)
    inputs = given_inputs(home, project, ["data.csv"])
    turn = session.ask(Request(text="look at it", inputs=inputs), Watcher())
    session.close()
    task = TaskTable(home.database).get(turn.task_id)
    assert task is not None
    assert [(one.name, one.role, one.content is None) for one in task.inputs] == [
        ("data.csv", ArtefactRole.GIVEN, False)
    ]


def test_the_run_of_a_dead_process_is_interrupted(place: Place, project: Path) -> None:
    class Dying(Watcher):
        def calling(self, tool: str, line: str) -> None:
            with place.open() as other:
                assert close_dead_runs(other) == 0  # its process lives
            killed()

    def work(_: Tell) -> None:
        session = session_of(place.open(), ScriptedAgent(Call("list_files")), project)
        session.ask(Request(text="list the files"), Dying())

    place.open().close()
    assert run_in_child(work)[1] == 9
    with place.open() as later:
        (trajectory_id,) = OpenRunTable(later.database).all()
        assert close_dead_runs(later) == 1
        assert close_dead_runs(later) == 0
        trajectory, steps = run_of(later, trajectory_id)
    assert trajectory.state is TrajectoryState.INTERRUPTED
    assert [step.type for step in steps] == [StepType.MESSAGE, StepType.TOOL_CALL]


def test_a_run_that_breaks_in_our_own_hands_is_closed_at_once(home: Home, project: Path) -> None:
    class Breaking(Watcher):
        def calling(self, tool: str, line: str) -> None:
            raise ZeroDivisionError

    session = session_of(home, ScriptedAgent(Call("list_files"), "Here again."), project)
    with pytest.raises(ZeroDivisionError):
        session.ask(Request(text="list the files"), Breaking())
    assert OpenRunTable(home.database).all() == {}
    (waiting,) = OutboxTable(home.database).pending()
    assert run_of(home, waiting.trajectory_id)[0].state is TrajectoryState.INTERRUPTED
    assert session.ask(Request(text="and now?"), Watcher()).answer.text == "Here again."
    session.close()


def test_a_run_that_breaks_before_its_first_step_is_closed_too(
    home: Home, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its task is on disk before memories are looked for."""
    session = session_of(home, ScriptedAgent("Done."), project)
    with monkeypatch.context() as broken:
        broken.setattr(Recall, "search", _interrupt)
        with pytest.raises(KeyboardInterrupt):
            session.ask(Request(text="count the rows"), Watcher())
    ((trajectory_id, text),) = home.database.ask(
        "SELECT trajectories.id, text FROM trajectories JOIN tasks ON tasks.id = task_id"
    )
    assert text == "count the rows"
    trajectory, steps = run_of(home, trajectory_id)
    assert (trajectory.state, list(steps)) == (TrajectoryState.INTERRUPTED, [])
    assert session.ask(Request(text="count the rows"), Watcher()).answer.text == "Done."
    session.close()
    assert close_dead_runs(home) == 0


def _interrupt(*_: object, **_named: object) -> None:
    raise KeyboardInterrupt


def test_rounds_of_tools_are_counted_until_a_review_is_due(home: Home, project: Path) -> None:
    rounds = [Call("list_files", {"pattern": f"*{n}"}) for n in range(10)]
    agent = ScriptedAgent(*rounds[:6], "a", *rounds[6:], "b")
    session = session_of(home, agent, project)
    first = session.ask(Request(text="look around", fresh=True), Watcher())
    second = session.ask(Request(text="look again", fresh=True), Watcher())
    session.close()
    assert first.reviews == ()
    assert second.reviews == (ReviewKind.SKILL,)
    counts = ReviewCountTable(home.database).of(session.session_id)
    assert counts == {ReviewKind.SKILL: 0, ReviewKind.MEMORY: 2}
    waiting = {one.trajectory_id: one.reviews for one in OutboxTable(home.database).pending()}
    assert waiting[second.trajectory_id] == (ReviewKind.SKILL,)


def test_a_session_is_taken_up_again(home: Home, place: Place, project: Path) -> None:
    agent = ScriptedAgent(Call("read_file", {"path": "data.csv"}), "Two rows.")
    session = session_of(home, agent, project)
    turn = session.ask(Request(text="how many rows has data.csv?"), Watcher())
    session.close()
    home.close()
    later = place.open()
    second = ScriptedAgent("One is above 100.")
    resumed = session_of(later, second, project, resume=turn.session_id)
    again = resumed.ask(Request(text="and how many of them are above 100?"), Watcher())
    resumed.close()
    later.close()
    assert again.session_id == turn.session_id
    assert len(second.asked[0]) == 5  # request, call, answer, words, request

"""kill -9 before the Nth statement of a run: what was told is kept, and no run stays open."""

from __future__ import annotations

from pathlib import Path

import pytest

from hermes.app.agent import Request, close_dead_runs
from hermes.records.tool_answer import ToolAnswer
from hermes.records.trajectory import StepType, TrajectoryState
from hermes.store.tables.execution import OpenRunTable
from hermes.store.tables.outbox import OutboxTable
from hermes.store.tables.trajectory import TrajectoryTable
from hermes.testing.agents import Call, ScriptedAgent, Watcher, session_of
from hermes.testing.chaos import Tell, run_in_child
from hermes.testing.faults import Countdown, killed
from hermes.testing.homes import Place
from hermes.testing.points import Points

FAR_AWAY = 10**9


def _die_at(place: Place, project: Path, number: int, told: Path) -> bool:
    """Whether a run of two tools has so many statements; it was killed before that one."""

    class Telling(Watcher):
        def called(self, tool: str, answer: ToolAnswer) -> None:
            with told.open("a") as file:
                file.write(f"{tool}\n")

    def work(_: Tell) -> None:
        point = Countdown(FAR_AWAY, killed)
        home = place.open(point=point)
        agent = ScriptedAgent(Call("list_files"), Call("read_file", {"path": "a"}), "Done.")
        session = session_of(home, agent, project)
        point.start(number)
        session.ask(Request(text="look around"), Telling())
        told.write_text("everything")

    return run_in_child(work)[1] == 9


def test_killed_before_every_statement_of_a_run(
    place: Place, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, points: Points
) -> None:
    place.open().close()
    project = tmp_path_factory.mktemp("project")  # on the disk, where a sandbox can have it
    met = 0
    for number in points:
        told, after = tmp_path / f"told-{number}", _last(place)
        was_killed = _die_at(place, project, number, told)
        with place.open() as home:
            close_dead_runs(home)
            table = TrajectoryTable(home.database)
            assert OpenRunTable(home.database).all() == {}, number
            for run in table.page(after):
                steps = table.steps(run.id)
                assert [one.step_id for one in steps] == [*range(1, len(steps) + 1)], number
                answers = [one for one in steps if one.type is StepType.OBSERVATION]
                heard = told.read_text().splitlines() if told.exists() else []
                finished = run.state is TrajectoryState.FINISHED
                assert finished or run.state is TrajectoryState.INTERRUPTED, number
                assert finished or len(answers) >= len(heard), number
                assert not finished or steps[-1].content == "Done.", number
                waiting = {one.trajectory_id for one in OutboxTable(home.database).pending()}
                assert run.id in waiting, number
        met += was_killed
        if not was_killed:
            assert told.read_text() == "everything"
            break
    assert met > 1


def _last(place: Place) -> str:
    with place.open() as home:
        runs = TrajectoryTable(home.database).page()
        return runs[-1].id if runs else ""

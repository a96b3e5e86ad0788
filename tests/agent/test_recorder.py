"""The recorder: what is written of a run, in which order, and what never is."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hermes.agent.recorder import RunRecorder
from hermes.app.agent import Request
from hermes.ids import now
from hermes.records.artefact import Artefact, ArtefactRole
from hermes.records.task import Task
from hermes.records.tool_answer import ToolAnswer
from hermes.records.trajectory import Step, StepType, Trajectory, TrajectoryState
from hermes.records.turn import Spent, TurnEnd
from hermes.store.tables.task import TaskTable
from hermes.store.tables.trajectory import TrajectoryTable
from hermes.testing.agents import Call, ScriptedAgent, Watcher, run_of, session_of
from hermes.testing.homes import Place

SECRET = "AKIAIOSFODNN7EXAMPLE"


class Clock:
    """Says what it is told to, one after the other; the last one for ever."""

    def __init__(self, *seconds: float) -> None:
        self._seconds = list(seconds)

    def __call__(self) -> float:
        return self._seconds.pop(0) if len(self._seconds) > 1 else self._seconds[0]


class Run:
    """One open run in a real database."""

    def __init__(self, place: Place) -> None:
        self.home = place.open()
        self.table = TrajectoryTable(self.home.database)
        task = Task(id="task_1", session_id=None, text="x", created_at=now())
        TaskTable(self.home.database).add(task)
        self.head = Trajectory(
            id="trajectory_1",
            task_id="task_1",
            session_id=None,
            state=TrajectoryState.OPEN,
            started_at=now(),
        )
        self.table.add(self.head)

    def recorder(self, *seconds: float, steps: tuple[Step, ...] = ()) -> RunRecorder:
        return RunRecorder(self.table, self.head.id, steps, Clock(*(seconds or (0.0,))))

    @property
    def steps(self) -> list[Step]:
        return list(self.table.steps(self.head.id))


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    made = Run(Place(tmp_path / "home"))
    yield made
    made.home.close()


def _artefact(name: str) -> Artefact:
    return Artefact(name=name, role=ArtefactRole.WRITTEN, content=None, size=1)


def test_a_step_has_its_kind_time_error_and_cost(run: Run) -> None:
    log = run.recorder(0.0, 1.23456, 1.5, 2.0)
    log.message("user", "count")
    log.spent(Spent(requests=1, input_tokens=9, cached_tokens=4, output_tokens=1, cost_usd=0.5))
    log.thought("hm")
    log.called("c1", "shell", {"command": "false"})
    log.answered("c1", "shell", ToolAnswer(text="no", failed=True, exit_code=1))
    assert log.steps == run.steps
    asked, thought, called, answered = run.steps
    assert [one.step_id for one in run.steps] == [1, 2, 3, 4]
    assert [one.timestamp for one in run.steps] == [0.0, 1.235, 1.5, 2.0]
    assert (asked.type, asked.metadata) == (StepType.MESSAGE, {"role": "user"})
    assert (thought.type, thought.metadata) == (
        StepType.THOUGHT,
        {
            "tokens": 10,
            "input_tokens": 9,
            "cached_tokens": 4,
            "output_tokens": 1,
            "cost_usd": 0.5,
        },
    )
    assert called.content == "shell: false"
    assert called.metadata["arguments"] == {"command": "false"}
    assert answered.metadata == {
        "tool_name": "shell",
        "call_id": "c1",
        "error": True,
        "exit_code": 1,
    }


def test_time_does_not_go_back_with_the_clock(run: Run) -> None:
    log = run.recorder(5.0, 3.0, 6.0)
    for _ in range(3):
        log.thought("hm")
    assert [one.timestamp for one in run.steps] == [5.0, 5.0, 6.0]


def test_a_price_that_nobody_knows_is_left_out(run: Run) -> None:
    log = run.recorder()
    log.spent(Spent(requests=1, input_tokens=1, cached_tokens=0, output_tokens=1, cost_usd=None))
    log.thought("hm")
    assert "cost_usd" not in run.steps[0].metadata


def test_a_credential_is_nowhere_in_the_database(run: Run, tmp_path: Path) -> None:
    log = run.recorder()
    log.message("user", f"use {SECRET}", verify={"command": f"check {SECRET}", "ok": True})
    log.thought(f"I have {SECRET}")
    nested: Any = {"env": [{"AWS_KEY": SECRET}], SECRET: 1}
    log.called(f"c-{1}", f"shell {SECRET}", nested, [_artefact(f"keys/{SECRET}.txt")])
    facts = {"granted": f"to {SECRET}"}
    answer = ToolAnswer(text=SECRET, facts=facts, artefacts=(_artefact(f"{SECRET}.bak"),))
    log.answered("c-1", "shell", answer)
    log.message("assistant", f"done with {SECRET}")
    assert len(run.steps) == 5
    assert SECRET not in str(run.steps)
    run.home.close()
    written = b"".join(one.read_bytes() for one in tmp_path.rglob("*") if one.is_file())
    assert SECRET.encode() not in written


def test_what_no_database_takes_is_left_out(run: Run) -> None:
    log = run.recorder()
    log.called("c1", "shell", {"command": "a\0b", "n": float("nan")}, [_artefact("a\udcffb")])
    log.answered("c1", "shell", ToolAnswer(text="x\0\udcffy"))
    called, answered = run.steps
    assert called.metadata["arguments"] == {"command": "ab", "n": "nan"}
    assert [one.name for one in called.artefacts] == ["a?b"]
    assert answered.content == "x?y"


def test_a_flood_is_kept_without_its_middle(run: Run) -> None:
    log = run.recorder()
    log.called("c1", "write_file", {"content": "x" * 5_000_000})
    log.answered("c1", "write_file", ToolAnswer(text="y" * 100_000_000))
    called, answered = run.steps
    assert len(str(called.metadata)) < 300_000
    assert len(answered.content) < 70_000
    assert called.metadata["truncated"] is True
    assert answered.metadata["truncated"] is True


def test_a_run_that_goes_on_counts_on(run: Run) -> None:
    run.recorder(1.0).message("user", "count")
    before = tuple(run.steps)
    at = replace(run.head, state=TrajectoryState.FINISHED, ended_at=now())
    run.table.end(at)
    run.table.reopen(run.head)
    run.recorder(0.5, steps=before).message("user", "no, again")
    assert [(one.step_id, one.timestamp) for one in run.steps] == [(1, 1.0), (2, 1.0)]


def test_every_step_is_on_disk_before_the_next_begins(tmp_path: Path) -> None:
    """Read over a connection of somebody else, while the run is at it."""
    place, seen = Place(tmp_path / "home"), []

    def kinds() -> list[str]:
        with sqlite3.connect(f"file:{place.root}/loop/loop.db?mode=ro", uri=True) as database:
            rows = database.execute("SELECT type FROM steps ORDER BY step_id").fetchall()
        return [row[0] for row in rows]

    class Looking(Watcher):
        def text(self, piece: str) -> None:
            seen.append(("model", kinds()))

        def calling(self, tool: str, line: str) -> None:
            seen.append((tool, kinds()))

    agent = ScriptedAgent([Call("list_files"), Call("read_file", {"path": "a"})], "Done.")
    with place.open() as home:
        session = session_of(home, agent, tmp_path / "project")
        session.ask(Request(text="look around"), Looking())
        session.close()
    pair = ["tool_call", "observation"]
    assert seen == [
        ("list_files", ["message", "tool_call"]),
        ("read_file", ["message", *pair, "tool_call"]),
        ("model", ["message", *pair, *pair]),
    ]


def test_a_turn_that_led_nowhere_is_marked_when_the_run_goes_on(tmp_path: Path) -> None:
    agent = ScriptedAgent(Call("list_files"), KeyboardInterrupt(), "Three rows.")
    with Place(tmp_path / "home").open() as home:
        session = session_of(home, agent, tmp_path / "project")
        broken = session.ask(Request(text="count the rows in data.csv"), Watcher())
        again = session.ask(Request(text="no, that's wrong, read the file itself"), Watcher())
        session.close()
        assert broken.answer.end is TurnEnd.INTERRUPTED
        assert again.trajectory_id == broken.trajectory_id
        trajectory, steps = run_of(home, again.trajectory_id)
    assert trajectory.state is TrajectoryState.FINISHED
    (follow_up,) = [one for one in steps if "abandoned_from" in one.metadata]
    assert follow_up.metadata["follow_up"] == "correction"
    abandoned = [one.type for one in steps if 2 <= one.step_id < follow_up.step_id]
    assert follow_up.metadata["abandoned_from"] == 2
    assert abandoned == [StepType.TOOL_CALL, StepType.OBSERVATION, StepType.MESSAGE]

"""A small model's answer is doubted once while a file that the task names is not there."""

from __future__ import annotations

from pathlib import Path

import pytest

from hermes.agent.coaching import missing_files, proven_way_first
from hermes.agent.confinement import Confinement
from hermes.agent.tool import Tool
from hermes.app import Home
from hermes.app.agent import AgentOptions, Request, open_agent
from hermes.records.tool_answer import ToolAnswer
from hermes.records.turn import TurnEnd
from hermes.testing.agents import Answers, Call, SmallAgent, Watcher, run_of

TASK = "count the lines of data.csv and write the number to out.txt"


def test_only_a_named_file_that_is_missing_is_doubted(tmp_path: Path) -> None:
    doubt = missing_files(Confinement(tmp_path))
    (tmp_path / "data.csv").write_text("a\n")
    assert "out.txt" in doubt(TASK)
    assert "data.csv" not in doubt(TASK)
    (tmp_path / "out.txt").write_text("1\n")
    assert doubt(TASK) == ""
    assert doubt("what is 1 + 1?") == ""
    assert doubt("read ../outside.txt") == ""  # no file of this project


@pytest.mark.parametrize("writes", [True, False])
def test_a_claim_is_doubted_once(home: Home, tmp_path: Path, writes: bool) -> None:
    (tmp_path / "data.csv").write_text("a\n")
    call = Call("write_file", {"path": "out.txt", "content": "1\n"})
    agent = SmallAgent("It is in out.txt.", *([call] if writes else []), "Now it is.")
    session = open_agent(home, AgentOptions(project=tmp_path, built=agent.model), Answers())
    turn = session.ask(Request(text=TASK), Watcher())
    session.close()
    agent.check_used()
    assert (turn.answer.end, turn.answer.text) == (TurnEnd.ANSWERED, "Now it is.")
    _, steps = run_of(home, turn.trajectory_id)
    doubts = [step for step in steps if step.metadata.get("role") == "runtime"]
    assert ["no such file" in step.content for step in doubts] == [True]


def test_a_proven_program_is_offered_alone_at_first() -> None:
    names = ("skill_sums", "skill_view", "read_file", "python")
    tools = [Tool(name=name, description="", parameters={}, run=_nothing) for name in names]

    def offered(rounds: int, among: list[Tool]) -> list[str]:
        return [tool.name for tool in proven_way_first(among, rounds)]

    assert offered(0, tools) == offered(1, tools) == ["skill_sums", "read_file"]
    assert offered(2, tools) == list(names)
    assert offered(0, tools[1:]) == list(names[1:])


def _nothing(_: object) -> ToolAnswer:
    return ToolAnswer(text="")

"""A session on a model of a small window: few tools, few words, and the same record."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pydantic_ai.messages import ModelMessage, ToolCallPart

from hermes.agent.worked_example import worked_example
from hermes.app import Home
from hermes.app.agent import AgentOptions, Request, open_agent
from hermes.rules.short_form import SHORT_TOOLS
from hermes.testing.agents import Answers, Call, ScriptedAgent, SmallAgent, Watcher, run_of


def _calls(messages: Sequence[ModelMessage]) -> list[ToolCallPart]:
    parts = (part for message in messages for part in message.parts)
    return [part for part in parts if isinstance(part, ToolCallPart)]


def test_few_tools_and_few_words(home: Home, tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text("id\n1\n")
    small, large = SmallAgent(Call("read_file", {"path": "data.csv"}), "done"), ScriptedAgent("ok")
    for agent in (small, large):
        options = AgentOptions(project=tmp_path, built=agent.model)
        session = open_agent(home, options, Answers())
        turn = session.ask(Request(text="what is in data.csv?"), Watcher())
        session.close()
        agent.check_used()
        _, steps = run_of(home, turn.trajectory_id)
        assert steps[-1].content in ("done", "ok")
        assert not any("staff.csv" in step.content for step in steps)  # no work of this session
    assert set(small.tools[0]) == set(SHORT_TOOLS)
    assert set(large.tools[0]) > set(SHORT_TOOLS)
    assert _calls(small.asked[0]) == _calls(worked_example(SHORT_TOOLS))
    assert len(large.asked[0]) == 1
    assert {one.tool_name for one in _calls(worked_example(SHORT_TOOLS))} <= set(small.tools[0])
    assert len(small.instructions[0]) * 5 < len(large.instructions[0]) * 2


def test_no_example_draws_it_away_from_a_skill_that_is_a_program() -> None:
    assert worked_example((*SHORT_TOOLS, "skill_view"))
    assert worked_example((*SHORT_TOOLS, "skill_csv_sums")) == ()

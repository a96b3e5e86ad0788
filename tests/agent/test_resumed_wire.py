"""A session taken up again over real HTTP: the provider takes the history that the record gives.

The scripted servers refuse what the provider would: a call without its answer, an empty message,
two calls of one name.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hermes.app.agent import AgentOptions, AgentSession, Request, open_agent
from hermes.records.turn import TurnEnd
from hermes.testing.agents import Answers, Call, Said, ScriptedAgent, Watcher, session_of
from hermes.testing.homes import Place
from hermes.testing.model_servers import Says, ScriptedServer, anthropic_server, openai_server

Wire = tuple[str, Callable[..., ScriptedServer]]
FIRST: dict[str, list[Said | list[Said]]] = {
    "answered": [["Let me see.", Call("list_files"), Call("read_file", {"path": "a"})], "Two."],
    "interrupted by a person": [[Call("list_files"), Call("list_files")], KeyboardInterrupt()],
    "interrupted in the middle of a word": [Call("list_files"), ["Let me", KeyboardInterrupt()]],
    "without any answer": ["", ""],
    "out of steps": [Call("list_files"), Call("read_file", {"path": "a"}), Call("list_files")],
}


@pytest.fixture(params=["openai", "anthropic"])
def wire(request: pytest.FixtureRequest) -> Wire:
    return request.param, {"openai": openai_server, "anthropic": anthropic_server}[request.param]


@pytest.mark.parametrize("first", FIRST)
def test_any_history_is_taken_up_again(tmp_path: Path, wire: Wire, first: str) -> None:
    name, serve = wire
    place, project = Place(tmp_path / "home"), tmp_path / "project"
    with place.open() as home:
        session = session_of(home, ScriptedAgent(*FIRST[first]), project, max_steps=3)
        session.ask(Request(text="count the files"), Watcher())
        session.close()
    with place.open() as home, serve(Says("Three.")) as server:
        options = AgentOptions(
            project=project,
            model=f"{name}:scripted@{server.url}",
            resume=session.session_id,
        )
        resumed: AgentSession = open_agent(home, options, Answers())
        turn = resumed.ask(Request(text="and now?"), Watcher())
        resumed.close()
        assert (turn.answer.end, turn.answer.reason) == (TurnEnd.ANSWERED, "")
        assert "count the files" in str(server.asked[0]["messages"])
        assert "and now?" in str(server.asked[0]["messages"][-1])

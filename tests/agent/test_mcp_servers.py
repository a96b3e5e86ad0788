"""Tools of MCP servers: real ones over a pipe and over HTTP, and some that mean no good."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hermes.agent.tool import Tool
from hermes.agent.tools.mcp_connection import McpServer, Patience
from hermes.agent.tools.mcp_program import plain_environment
from hermes.agent.tools.mcp_reading import TOOLS_AT_MOST, offered_name
from hermes.agent.tools.mcp_servers import McpServers
from hermes.app import Home
from hermes.app.agent import Request
from hermes.records.artefact import ArtefactRole
from hermes.records.turn import TurnEnd
from hermes.testing.agents import Call, ScriptedAgent, Watcher, run_of, session_of
from hermes.testing.homes import Place

REAL = (sys.executable, "-m", "hermes.testing.mcp_server")
PATIENCE = Patience(start=60.0, call=30.0)


class Started:
    def __init__(self, servers: McpServers, notes: list[str]) -> None:
        self.tools: dict[str, Tool] = {tool.name: tool for tool in servers.tools()}
        self.notes = notes

    def call(self, name: str, **arguments: object) -> tuple[bool, str]:
        answer = self.tools[name].run(arguments)
        return answer.failed, answer.text


@contextmanager
def started(*servers: McpServer, patience: Patience = PATIENCE) -> Iterator[Started]:
    notes: list[str] = []
    opened = McpServers(servers, notes.append, patience=patience)
    try:
        yield Started(opened, notes)
    finally:
        opened.close()


def program(name: str, *command: str, folder: Path = Path("/")) -> McpServer:
    environment = plain_environment({**os.environ, "OPENAI_API_KEY": "sk-ours"})
    return McpServer(name=name, command=command, folder=folder, environment=environment)


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Started]:
    """One that behaves, but for printing lines that are no messages, before and meanwhile."""
    chatty = "(while sleep 0.05; do echo '{noise'; done) & exec \"$@\""
    folder = tmp_path_factory.mktemp("project")
    command = ("bash", "-c", chatty, "bash", *REAL, "--noise")
    with started(program("good", *command, folder=folder)) as opened:
        assert opened.notes == []
        yield opened


def test_tools_are_named_after_their_server_and_keep_their_schema(good: Started) -> None:
    tool = good.tools["good__add"]
    assert "Add two numbers." in tool.description
    assert "good" in tool.description
    assert tool.parameters["required"] == ["a", "b"]
    assert good.call("good__add", a=20, b=22) == (False, "42")


def test_what_a_tool_says_of_failing_is_a_failure(good: Started) -> None:
    assert good.call("good__fails") == (True, "no such row; the nearest is 7")
    assert good.call("good__raises")[0]
    failed, text = good.call("good__add", a="many")
    assert failed
    assert "integer" in text


def test_what_is_no_text_is_named(good: Started) -> None:
    failed, text = good.call("good__picture")
    assert not failed
    assert text.startswith("[image of type image/png, ")
    assert text.endswith("not shown]")
    _, text = good.call("good__binary")
    assert text == "[binary resource file:///a.bin, 3 bytes: not shown]\ndone"


def test_a_server_is_told_nothing_of_ours(good: Started) -> None:
    known = json.loads(good.call("good__environment")[1])
    assert known["PATH"] == os.environ["PATH"]
    assert not {name for name in known if "KEY" in name or "HERMES" in name}
    assert "sk-ours" not in str(known)


def test_servers_that_do_not_work_are_told_of_and_left_out() -> None:
    begun = time.monotonic()
    with started(
        program("mute", "sleep", "1000"),
        program("mute-too", "sleep", "1000"),
        program("missing", "/no/such/program"),
        program("broken", "bash", "-c", "echo no licence >&2; exit 1"),
        program("liar", "bash", "-c", "echo hello; sleep 1000"),
        patience=Patience(start=1.5),
    ) as opened:
        assert opened.tools == {}
        told = dict(note.removeprefix("MCP server ").split(" ", 1) for note in opened.notes)
    assert "not ready within 1.5 s" in told["mute"]
    assert "No such file" in told["missing"]
    assert "it ended; it said: no licence" in told["broken"]
    assert set(told) == {"mute", "mute-too", "missing", "broken", "liar"}
    assert time.monotonic() - begun < 60  # they waited together, and every one was ended


def test_a_server_that_dies_is_started_again_once_and_no_call_is_repeated(tmp_path: Path) -> None:
    with started(program("frail", *REAL, folder=tmp_path)) as opened:
        first = opened.call("frail__pid")[1]
        failed, text = opened.call("frail__dies")
        assert failed
        assert "may or may not be done (it ended; it said:" in text
        assert "out of paper" in text
        failed, second = opened.call("frail__pid")
        assert not failed
        assert second != first
        assert opened.call("frail__dies")[0]
        failed, text = opened.call("frail__pid")
        assert failed
        assert "is gone and was restarted before" in text


def test_a_hundred_megabytes_end_the_server_and_not_us() -> None:
    import resource

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with started(program("flood", *REAL)) as opened:
        failed, text = opened.call("flood__huge")
        assert failed
        assert "more than 16 MB at once" in text
        assert opened.call("flood__add", a=1, b=1) == (False, "2")
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 90 * 1024  # kilobytes: it was never held as a whole


def test_a_tool_that_never_answers_is_given_up() -> None:
    with started(program("slow", *REAL), patience=Patience(start=60.0, call=0.5)) as opened:
        failed, text = opened.call("slow__sleeps", seconds=1000)
    assert failed
    assert text == "The MCP server slow did not answer within 0.5 seconds."


def test_strange_names_become_names_that_a_provider_takes() -> None:
    with started(program("a b", *REAL, "--rude"), program("a.b", *REAL, "--rude")) as opened:
        names = list(opened.tools)
        assert len([name for name in names if name.startswith("a_b__add")]) == 2
        assert all(name.replace("_", "").replace("-", "").isalnum() for name in names)
        assert all(name.isascii() and len(name) <= 64 for name in names)
        pids = {opened.call(name)[1] for name in names if name.startswith("a_b__read_file")}
        assert len(pids) == 2  # each name reaches the server it belongs to
        assert all(len(tool.description) < 2_200 for tool in opened.tools.values())
        assert opened.notes == []


def test_a_name_is_never_given_twice() -> None:
    taken: list[str] = []
    for tool in ("x.y", "x/y", "x y", "n" * 100, "n" * 101):
        taken.append(offered_name("s", tool, taken))
    assert len(set(taken)) == len(taken)


def test_a_server_with_unusable_tools_keeps_the_others(tmp_path: Path) -> None:
    script = tmp_path / "odd.py"
    script.write_text(_ODD)
    with started(program("odd", sys.executable, str(script))) as opened:
        assert len(opened.tools) == TOOLS_AT_MOST - 1
        assert opened.notes == [
            "MCP server odd: tool 'wide' is left out: the description of its arguments is too long",
            f"MCP server odd: only its first {TOOLS_AT_MOST} tools are used",
        ]


_ODD = """
import json, sys
wide = {"type": "object", "properties": {f"p{n}": {"type": "string"} for n in range(2000)}}
tools = [{"name": "wide", "inputSchema": wide}]
tools += [{"name": f"t{n}", "inputSchema": {"type": "object"}} for n in range(500)]
for line in sys.stdin:
    asked = json.loads(line)
    if "id" not in asked:
        continue
    said = {"jsonrpc": "2.0", "id": asked["id"]}
    if asked["method"] == "initialize":
        version = asked["params"]["protocolVersion"]
        said["result"] = {"protocolVersion": version, "capabilities": {"tools": {}}}
        said["result"]["serverInfo"] = {"name": "odd", "version": "1"}
    elif asked["method"] == "tools/list":
        said["result"] = {"tools": tools}
    else:
        said["error"] = {"code": -32601, "message": "what?"}
    print(json.dumps(said), flush=True)
"""


def test_a_server_is_called_by_its_address() -> None:
    port = _free_port()
    server = subprocess.Popen([*REAL, "--port", str(port)], stderr=subprocess.DEVNULL)
    try:
        _wait_for(port)
        with started(McpServer(name="web", url=f"http://127.0.0.1:{port}/mcp")) as opened:
            assert opened.notes == []
            assert opened.call("web__add", a=2, b=3) == (False, "5")
            assert not opened.tools["web__add"].touches
            failed, text = opened.call("web__huge")
            assert failed
            assert len(text) < 2_000
            assert opened.call("web__add", a=2, b=4) == (False, "6")
            server.kill()
            server.wait()
            failed, text = opened.call("web__add", a=1, b=1)
            assert failed
            assert text.startswith("The MCP server web ")
    finally:
        server.kill()
        server.wait()


def test_an_address_where_nobody_is() -> None:
    url = f"http://127.0.0.1:{_free_port()}/mcp"
    with started(McpServer(name="web", url=url)) as opened:
        assert opened.tools == {}
    (note,) = opened.notes
    assert note.startswith("MCP server web does not work, its tools are missing: ")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _wait_for(port: int) -> None:
    for _ in range(600):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise AssertionError(f"nothing listens on port {port}")


def test_in_a_session_they_are_tools_like_the_others(
    home: Home, place: Place, tmp_path: Path
) -> None:
    home.settings.paths.config_file.write_text(
        json.dumps({"mcp_servers": {"real": {"command": REAL}, "none": {"command": ["/no"]}}})
    )
    opened = place.open()
    agent = ScriptedAgent(
        Call("real__write", {"name": "out.txt", "content": "7"}), Call("real__fails"), "Done."
    )
    watcher = Watcher()
    session = session_of(opened, agent, tmp_path / "project")
    turn = session.ask(Request(text="write 7 to out.txt"), watcher)
    session.close()
    assert turn.answer.end is TurnEnd.ANSWERED
    assert "real__add" in agent.tools[0]
    (note,) = watcher.notes
    assert note.startswith("MCP server none does not work")
    _, steps = run_of(opened, turn.trajectory_id)
    wrote, failed = [step for step in steps if step.type == "observation"]
    assert wrote.metadata["mcp_server"] == "real"
    assert [(one.name, one.role) for one in wrote.artefacts] == [("out.txt", ArtefactRole.WRITTEN)]
    assert failed.metadata["error"] is True
    opened.close()

"""Hermes Agent and OpenCode: databases that belong to somebody else."""

from __future__ import annotations

import json
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hermes.ingest.reading import conversations
from hermes.rules.plain_text import is_storable

from .reader_samples import (
    HERMES_TABLES,
    OPENCODE_TABLES,
    hermes_message,
    insert,
    opencode_message,
    opencode_tool,
    read_all,
    read_one,
    said,
)


@pytest.fixture
def hermes(tmp_path: Path) -> Iterator[tuple[Path, sqlite3.Connection]]:
    path = tmp_path / "state.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = wal")
        connection.executescript(HERMES_TABLES)
        session = {"id": "s1", "source": "cli", "model": "hermes-4", "cwd": "/p"}
        insert(connection, "sessions", **session, title="Rows", started_at=1.7e9)
        yield path, connection


@pytest.fixture
def opencode(tmp_path: Path) -> Iterator[tuple[Path, sqlite3.Connection]]:
    path = tmp_path / "opencode.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.executescript(OPENCODE_TABLES)
        session = {"id": "ses_1", "project_id": "p", "slug": "s", "directory": "/p", "title": "T"}
        times = {"time_created": 1_770_000_000_000, "time_updated": 1_770_000_000_000}
        insert(connection, "session", **session, version="1", **times)
        yield path, connection


Database = tuple[Path, sqlite3.Connection]


def test_hermes_sessions_become_turns(hermes: Database) -> None:
    path, connection = hermes
    arguments = json.dumps({"command": "wc -l a.csv"})
    call = [{"id": "c1", "function": {"name": "terminal", "arguments": arguments}}]
    output = json.dumps({"output": "12 a.csv", "exit_code": 0, "error": None})
    hermes_message(connection, "user", "count")
    hermes_message(connection, "assistant", "", tool_calls=json.dumps(call), reasoning="use wc")
    hermes_message(connection, "tool", output, tool_call_id="c1", tool_name="terminal")
    hermes_message(connection, "assistant", "There are 12.", token_count=9)
    conversation, turns = read_one(path)
    heading = conversation.heading
    assert (heading.source, heading.external_id) == ("hermes-agent", "s1")
    assert (heading.title, heading.cwd, heading.model) == ("Rows", "/p", "hermes-4")
    assert said(turns) == [
        "user:count",
        "thought:use wc",
        "call:terminal",
        "result:terminal",
        "assistant:There are 12.",
    ]
    assert turns[2].arguments == {"command": "wc -l a.csv"}
    assert (turns[3].text, turns[3].exit_code, turns[3].failed) == ("12 a.csv", 0, False)
    assert turns[4].tokens == 9
    assert not conversation.problems
    assert conversation.bytes_read > 0


def test_messages_taken_back_are_left_out_and_compacted_ones_are_not(hermes: Database) -> None:
    path, connection = hermes
    hermes_message(connection, "user", "one", active=0, compacted=1)
    hermes_message(connection, "user", "summary of it all", _compressed_summary=1)
    hermes_message(connection, "user", "taken back", active=0)
    hermes_message(connection, "user", "overheard", observed=1)
    hermes_message(connection, "user", "scaffold", display_kind="hidden")
    hermes_message(connection, "user", "two")
    assert said(read_one(path)[1]) == ["user:one", "user:two"]


def test_a_database_in_use_is_read_without_a_trace(hermes: Database, tmp_path: Path) -> None:
    path, connection = hermes
    hermes_message(connection, "user", "still in the wal")
    assert (tmp_path / "state.db-wal").stat().st_size > 0
    before = {file.name: file.stat().st_mtime_ns for file in tmp_path.iterdir()}
    assert said(read_one(path)[1]) == ["user:still in the wal"]
    after = {file.name: file.stat().st_mtime_ns for file in tmp_path.iterdir()}
    assert {name: after[name] for name in ("state.db", "state.db-wal")} == {
        name: before[name] for name in ("state.db", "state.db-wal")
    }
    assert after.keys() == before.keys()


def test_a_copied_database_with_its_wal_alone_gets_no_new_file(
    hermes: Database, tmp_path: Path
) -> None:
    _, connection = hermes
    hermes_message(connection, "user", "in the wal")
    copy = tmp_path / "copy"
    copy.mkdir()
    for name in ("state.db", "state.db-wal"):
        shutil.copyfile(tmp_path / name, copy / name)
    assert said(read_one(copy / "state.db")[1]) == ["user:in the wal"]
    assert sorted(file.name for file in copy.iterdir()) == ["state.db", "state.db-wal"]


def test_an_idle_database_gets_no_files_beside_it(hermes: Database, tmp_path: Path) -> None:
    path, connection = hermes
    hermes_message(connection, "user", "done")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    assert said(read_one(path)[1]) == ["user:done"]
    assert [file.name for file in tmp_path.iterdir()] == ["state.db"]


def test_a_database_written_to_while_it_is_read_is_told(hermes: Database) -> None:
    path, connection = hermes
    hermes_message(connection, "user", "one")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    (conversation,) = conversations(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        hermes_message(other, "user", "two")
    list(conversation.turns)
    assert "written to while it was read" in conversation.problems[0].what


def test_texts_that_cannot_be_stored_are_mended(hermes: Database) -> None:
    path, connection = hermes
    connection.execute(
        "INSERT INTO messages (session_id, role, content, timestamp, tool_calls) VALUES "
        "('s1', 'assistant', CAST(x'61ff62' AS TEXT), 1.0, '[{\"broken')"
    )
    hermes_message(connection, "user", "a\0b")
    hermes_message(connection, "user", "\0json:" + json.dumps([{"type": "text", "text": "part"}]))
    conversation, turns = read_one(path)
    assert said(turns) == ["assistant:a\ufffdb", "user:a\ufffdb", "user:part"]
    assert "tool calls of message 1" in conversation.problems[0].what


def test_a_damaged_database_is_told(hermes: Database) -> None:
    path, connection = hermes
    for number in range(200):
        hermes_message(connection, "user", f"message {number} " * 50)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    data = bytearray(path.read_bytes())
    data[3 * 4096 :] = b"\x5a" * (len(data) - 3 * 4096)
    path.write_bytes(bytes(data))
    problems = [problem for one, _ in read_all(path) for problem in one.problems]
    assert any("cannot be read" in problem.what for problem in problems)


@given(data=st.data())
@settings(max_examples=60)
def test_bytes_overwritten_anywhere_in_a_database(data: st.DataObject) -> None:
    whole = bytearray(_whole(data.draw(st.sampled_from((HERMES_TABLES, OPENCODE_TABLES)))))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "state.db"
        for _ in range(data.draw(st.integers(1, 8))):
            noise = data.draw(st.binary(min_size=1, max_size=40))
            at = data.draw(st.integers(16, len(whole) - len(noise)))
            whole[at : at + len(noise)] = noise
        path.write_bytes(bytes(whole))
        for conversation, turns in read_all(path):
            assert all(is_storable(turn.text) for turn in turns)
            assert all(problem.what for problem in conversation.problems)


@cache
def _whole(tables: str) -> bytes:
    """A database of some pages."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(tables)
        _fill(connection, tables)
        connection.commit()
        return connection.serialize()


def _fill(connection: sqlite3.Connection, tables: str) -> None:
    if tables == HERMES_TABLES:
        insert(connection, "sessions", id="s1", source="cli", started_at=1.7e9)
        for number in range(40):
            hermes_message(connection, "user", f"message {number} " * 20)
        return
    times = {"time_created": 1_770_000_000_000, "time_updated": 1_770_000_000_000}
    names = dict.fromkeys(("project_id", "slug", "directory", "title", "version"), "x")
    insert(connection, "session", id="ses_1", **names, **times)
    for number in range(40):
        text = {"type": "text", "text": f"message {number} " * 20}
        opencode_message(connection, f"msg_{number:02}", "user", text, at=number)


def test_opencode_sessions_become_turns(opencode: Database) -> None:
    path, connection = opencode
    spent = {"input": 10, "output": 5, "reasoning": 1, "cache": {"read": 900, "write": 4}}
    opencode_message(connection, "msg_1", "user", {"type": "text", "text": "count"})
    opencode_message(
        connection,
        "msg_2",
        "assistant",
        {"type": "step-start"},
        {"type": "reasoning", "text": "use wc"},
        opencode_tool("c1", output="12 a.csv", metadata={"exit": 0}),
        {"type": "step-finish", "tokens": spent},
        {"type": "text", "text": "There are 12."},
        {"type": "text", "text": "hidden", "synthetic": True},
        {"type": "hologram"},
        at=1,
    )
    conversation, turns = read_one(path)
    heading = conversation.heading
    assert (heading.source, heading.external_id, heading.cwd) == ("opencode", "ses_1", "/p")
    assert said(turns) == [
        "user:count",
        "thought:use wc",
        "call:bash",
        "result:bash",
        "assistant:There are 12.",
    ]
    assert (turns[3].call_id, turns[3].exit_code, turns[3].tokens) == ("c1", 0, 20)
    assert conversation.unknown == {"part hologram": 1}


def test_opencode_failures_and_calls_cut_off(opencode: Database) -> None:
    path, connection = opencode
    parts = [
        opencode_tool("c1", "error", error="no such file"),
        opencode_tool("c2", output="x", metadata={"exit": 2}),
        opencode_tool("c3", "running"),
    ]
    aborted = {"name": "MessageAbortedError", "data": {}}
    opencode_message(connection, "msg_1", "assistant", *parts, error=aborted)
    _, turns = read_one(path)
    assert [turn.kind for turn in turns] == ["call", "result", "call", "result", "call"]
    assert [turn.failed for turn in turns if turn.kind == "result"] == [True, True]
    assert turns[-1].data == {"interrupted": True}


def test_an_opencode_part_that_is_no_json_costs_that_part(opencode: Database) -> None:
    path, connection = opencode
    texts = [{"type": "text", "text": name} for name in ("a", "b")]
    opencode_message(connection, "msg_1", "user", *texts)
    connection.execute("UPDATE part SET data = '{' WHERE id = 'prt_msg_1_0'")
    conversation, turns = read_one(path)
    assert said(turns) == ["user:b"]
    assert "part prt_msg_1_0" in conversation.problems[0].what


def test_opencode_reverts_are_followed(opencode: Database) -> None:
    path, connection = opencode
    texts = [{"type": "text", "text": name} for name in ("a", "b")]
    opencode_message(connection, "msg_1", "user", texts[0])
    opencode_message(connection, "msg_2", "assistant", *texts, at=1)
    opencode_message(connection, "msg_3", "user", texts[1], at=2)
    connection.execute("UPDATE session SET revert = ?", (json.dumps({"messageID": "msg_2"}),))
    assert said(read_one(path)[1]) == ["user:a"]
    part = json.dumps({"messageID": "msg_2", "partID": "prt_msg_2_1"})
    connection.execute("UPDATE session SET revert = ?", (part,))
    assert said(read_one(path)[1]) == ["user:a", "assistant:a"]


def test_opencode_s_older_files_are_read(tmp_path: Path) -> None:
    files = {
        "session/p/ses_1.json": {"id": "ses_1", "projectID": "p", "directory": "/p", "title": "T"},
        "message/ses_1/msg_1.json": {"role": "user", "time": {"created": 1_770_000_000_000}},
        "message/ses_1/msg_2.json": {"role": "assistant"},
        "part/msg_1/prt_1.json": {"type": "text", "text": "count"},
        "part/msg_2/prt_2.json": opencode_tool("c1", output="12"),
        "part/msg_2/prt_3.json": {"type": "text", "text": "12."},
    }
    for name, value in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(json.dumps(value))
    conversation, turns = read_one(tmp_path)
    assert conversation.heading.cwd == "/p"
    assert said(turns) == ["user:count", "call:bash", "result:bash", "assistant:12."]
    (tmp_path / "part/msg_2/prt_3.json").write_text("{")
    conversation, turns = read_one(tmp_path)
    assert said(turns) == ["user:count", "call:bash", "result:bash"]
    assert conversation.problems[0].file.endswith("prt_3.json")

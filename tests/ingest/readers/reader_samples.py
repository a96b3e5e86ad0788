"""Lines in the shapes that the agents write, built field by field so that a test can bend them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hermes.ingest.conversation import Conversation
from hermes.ingest.reading import conversations
from hermes.ingest.turns import Turn

Line = dict[str, Any]


def write(path: Path, lines: Iterable[Line]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
    return path


def read_all(path: Path, format: str = "auto") -> list[tuple[Conversation, list[Turn]]]:
    """Every conversation with its turns; the way an import goes through them."""
    return [(one, list(one.turns)) for one in conversations(path, format)]


def read_one(path: Path, format: str = "auto") -> tuple[Conversation, list[Turn]]:
    (found,) = read_all(path, format)
    return found


def said(turns: Iterable[Turn]) -> list[str]:
    """One word per turn: its kind, and its text or its tool."""
    return [f"{turn.kind}:{turn.tool or turn.text}" for turn in turns]


# Claude Code

SESSION = "5f0c1a4e-0000-4000-8000-000000000001"


def claude(kind: str, uuid: str, parent: str | None, **fields: Any) -> Line:
    line = {
        "parentUuid": parent,
        "isSidechain": False,
        "userType": "external",
        "cwd": "/home/ann/proj",
        "sessionId": SESSION,
        "version": "2.1.63",
        "gitBranch": "main",
        "type": kind,
        "uuid": uuid,
        "timestamp": "2026-03-01T22:38:47.557Z",
    }
    return line | fields


def asks(uuid: str, parent: str | None, text: str, **fields: Any) -> Line:
    return claude("user", uuid, parent, message={"role": "user", "content": text}, **fields)


def answers(uuid: str, parent: str | None, *blocks: Line, **fields: Any) -> Line:
    message = {
        "id": fields.pop("message_id", f"msg_{uuid}"),
        "type": "message",
        "role": "assistant",
        "model": fields.pop("model", "claude-sonnet-4-5"),
        "content": list(blocks),
        "stop_reason": None,
        "usage": {
            "input_tokens": 5,
            "cache_creation_input_tokens": 100,
            "cache_read_input_tokens": 9000,
            "output_tokens": fields.pop("output_tokens", 20),
        },
    }
    return claude("assistant", uuid, parent, message=message, requestId="req_1", **fields)


def words(text: str) -> Line:
    return {"type": "text", "text": text}


def uses(call: str, name: str = "Bash", **arguments: Any) -> Line:
    return {"type": "tool_use", "id": call, "name": name, "input": arguments}


def gets(uuid: str, parent: str, call: str, content: Any, **fields: Any) -> Line:
    block: Line = {"tool_use_id": call, "type": "tool_result", "content": content}
    if "is_error" in fields:
        block["is_error"] = fields.pop("is_error")
    return claude("user", uuid, parent, message={"role": "user", "content": [block]}, **fields)


def claude_session(session: str = SESSION, start: str = "") -> list[Line]:
    """A request, a call, its result, an answer; ids begin with `start`."""
    lines = [
        asks(f"{start}u1", None, "count the rows"),
        answers(f"{start}a1", f"{start}u1", uses("t1", command="wc -l a.csv")),
        gets(f"{start}r1", f"{start}a1", "t1", "12 a.csv", toolUseResult={"stdout": "12 a.csv"}),
        answers(f"{start}a2", f"{start}r1", words("There are 12.")),
    ]
    return [line | {"sessionId": session} for line in lines]


# Codex

THREAD = "019a0000-0000-7000-8000-00000000000a"


def codex(kind: str, **payload: Any) -> Line:
    return {"timestamp": "2026-02-10T02:13:37.205Z", "type": kind, "payload": payload}


def codex_meta(**fields: Any) -> Line:
    meta = {
        "id": THREAD,
        "timestamp": "2026-02-10T02:13:30Z",
        "cwd": "/p",
        "originator": "codex_cli_rs",
        "cli_version": "0.104.0",
        "source": "cli",
        "model_provider": "openai",
    }
    return codex("session_meta", **(meta | fields))


def item(kind: str, **fields: Any) -> Line:
    return codex("response_item", type=kind, **fields)


def codex_says(role: str, text: str) -> Line:
    kind = "output_text" if role == "assistant" else "input_text"
    return item("message", role=role, content=[{"type": kind, "text": text}])


def codex_call(call: str, name: str = "shell", **arguments: Any) -> Line:
    return item("function_call", name=name, arguments=json.dumps(arguments), call_id=call)


def codex_output(call: str, output: Any) -> Line:
    return item("function_call_output", call_id=call, output=output)


def codex_session() -> list[Line]:
    return [
        codex_meta(),
        codex_says("user", "<environment_context>\n<cwd>/p</cwd>\n</environment_context>"),
        codex("turn_context", cwd="/p", model="gpt-5-codex", approval_policy="on-request"),
        codex_says("user", "count the rows"),
        codex("event_msg", type="user_message", message="count the rows"),
        item("reasoning", summary=[{"type": "summary_text", "text": "Use wc"}]),
        codex_call("c1", command=["bash", "-lc", "wc -l a.csv"]),
        codex_output("c1", "Exit code: 0\nWall time: 0.1 seconds\nOutput:\n12 a.csv\n"),
        codex_says("assistant", "There are 12."),
    ]


# Gemini CLI


def gemini_head(**fields: Any) -> Line:
    head = {
        "sessionId": "gem-1",
        "projectHash": "ab12",
        "startTime": "2026-01-02T03:04:05.000Z",
        "lastUpdated": "2026-01-02T03:04:05.000Z",
        "kind": "main",
    }
    return head | fields


def gemini_asks(name: str, text: str) -> Line:
    return {
        "id": name,
        "timestamp": "2026-01-02T03:05:00.000Z",
        "type": "user",
        "content": [{"text": text}],
    }


def gemini_answers(name: str, text: str, *calls: Line, **fields: Any) -> Line:
    return {
        "id": name,
        "timestamp": "2026-01-02T03:05:10.000Z",
        "type": "gemini",
        "content": text,
        "thoughts": [],
        "model": "gemini-3-pro",
        "toolCalls": list(calls),
    } | fields


def gemini_call(call: str, output: str, status: str = "success", **arguments: Any) -> Line:
    response = {"functionResponse": {"id": call, "name": "x", "response": {"output": output}}}
    return {
        "id": call,
        "name": "run_shell_command",
        "args": arguments,
        "result": [response],
        "status": status,
        "timestamp": "2026-01-02T03:05:11.000Z",
    }


# Databases

HERMES_TABLES = """
CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT NOT NULL, model TEXT, title TEXT, cwd TEXT,
    parent_session_id TEXT, started_at REAL NOT NULL, ended_at REAL, end_reason TEXT);
CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL,
    role TEXT NOT NULL, content TEXT, tool_call_id TEXT, tool_calls TEXT, tool_name TEXT,
    timestamp REAL NOT NULL, token_count INTEGER, reasoning TEXT, observed INTEGER DEFAULT 0,
    _compressed_summary INTEGER NOT NULL DEFAULT 0, active INTEGER NOT NULL DEFAULT 1,
    compacted INTEGER NOT NULL DEFAULT 0, display_kind TEXT);
"""
OPENCODE_TABLES = """
CREATE TABLE session (id TEXT PRIMARY KEY, project_id TEXT NOT NULL, parent_id TEXT,
    slug TEXT NOT NULL, directory TEXT NOT NULL, title TEXT NOT NULL, version TEXT NOT NULL,
    revert TEXT, model TEXT, time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL);
CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, time_created INTEGER NOT NULL,
    time_updated INTEGER NOT NULL, data TEXT NOT NULL);
CREATE INDEX message_session ON message (session_id, time_created, id);
CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT NOT NULL, session_id TEXT NOT NULL,
    time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL, data TEXT NOT NULL);
CREATE INDEX part_message ON part (message_id, id);
"""


def insert(connection: sqlite3.Connection, table: str, **values: Any) -> None:
    names, marks = ", ".join(values), ", ".join("?" for _ in values)
    connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(values.values()))


def hermes_message(connection: sqlite3.Connection, role: str, content: Any, **more: Any) -> None:
    values = {"session_id": "s1", "role": role, "content": content, "timestamp": 1.7e9}
    insert(connection, "messages", **(values | more))


def opencode_message(
    connection: sqlite3.Connection, name: str, role: str, *parts: Line, at: int = 0, **data: Any
) -> None:
    times = {"time_created": 1_770_000_000_000 + at, "time_updated": 1_770_000_000_000 + at}
    body = {"role": role, "time": {"created": times["time_created"]}} | data
    insert(connection, "message", id=name, session_id="ses_1", data=json.dumps(body), **times)
    for number, part in enumerate(parts):
        insert(
            connection,
            "part",
            id=f"prt_{name}_{number}",
            message_id=name,
            session_id="ses_1",
            data=json.dumps(part),
            **times,
        )


def opencode_tool(call: str, status: str = "completed", **state: Any) -> Line:
    times = {"start": 1_770_000_000_100, "end": 1_770_000_000_200}
    return {
        "type": "tool",
        "tool": "bash",
        "callID": call,
        "state": {"status": status, "input": {"command": "wc -l a.csv"}, "time": times} | state,
    }

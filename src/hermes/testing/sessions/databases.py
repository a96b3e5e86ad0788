"""A session → the database that an agent keeps; several sessions may share one."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from hermes.testing.sessions.doing import Act, Kind, Session
from hermes.testing.sessions.logs import arguments_of, chat_messages, id_of

_HERMES = """
CREATE TABLE IF NOT EXISTS sessions (id TEXT PRIMARY KEY, source TEXT NOT NULL, model TEXT,
    title TEXT, cwd TEXT, parent_session_id TEXT, started_at REAL NOT NULL, ended_at REAL);
CREATE TABLE IF NOT EXISTS messages (id INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id TEXT NOT NULL, role TEXT NOT NULL, content TEXT, tool_call_id TEXT,
    tool_calls TEXT, tool_name TEXT, timestamp REAL NOT NULL, token_count INTEGER,
    reasoning TEXT);
"""
_OPENCODE = """
CREATE TABLE IF NOT EXISTS session (id TEXT PRIMARY KEY, project_id TEXT NOT NULL, parent_id TEXT,
    directory TEXT NOT NULL, title TEXT NOT NULL, revert TEXT, model TEXT,
    time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS message (id TEXT PRIMARY KEY, session_id TEXT NOT NULL,
    time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL, data TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS part (id TEXT PRIMARY KEY, message_id TEXT NOT NULL,
    session_id TEXT NOT NULL, time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL,
    data TEXT NOT NULL);
"""
_OPENCODE_TOOLS = {Kind.RUN: "bash", Kind.READ: "read", Kind.WRITE: "write"}


def hermes_agent(session: Session, folder: Path) -> Path:
    path = _inside(folder, "state.db")
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(_HERMES)
        own = id_of(session)
        values = {"id": own, "source": "cli", "cwd": session.cwd}
        _insert(connection, "sessions", **values, started_at=session.began.timestamp())
        for number, act in enumerate(session.acts):
            for message in chat_messages(session, act, number):
                calls = message.pop("tool_calls", None)
                at = act.at.timestamp()
                row = {"session_id": own, "timestamp": at, **message}
                encoded = json.dumps(calls) if calls else None
                _insert(connection, "messages", **row, tool_calls=encoded)
    return path


def opencode(session: Session, folder: Path) -> Path:
    path = _inside(folder, "opencode.db")
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(_OPENCODE)
        own = f"ses_{session.name}"
        values = {"id": own, "project_id": "p", "directory": session.cwd, "title": session.name}
        _insert(connection, "session", **values, **_times(session.acts[0]))
        for number, act in enumerate(session.acts):
            name = f"msg_{session.name}_{number:03}"
            role = "user" if act.kind is Kind.USER else "assistant"
            data = {"role": role, "time": {"created": _times(act)["time_created"]}}
            row = {"session_id": own, **_times(act)}
            _insert(connection, "message", id=name, data=json.dumps(data), **row)
            part = json.dumps(_part(session, act, f"call_{name}"))
            _insert(connection, "part", id=f"prt_{name}", message_id=name, data=part, **row)
    return path


def _part(session: Session, act: Act, call: str) -> dict[str, Any]:
    if act.kind in (Kind.USER, Kind.AGENT):
        return {"type": "text", "text": act.text}
    at = _times(act)["time_created"]
    arguments = arguments_of(session, act)
    if "path" in arguments:
        arguments["filePath"] = arguments.pop("path")
    output = act.output
    if act.kind is Kind.READ:
        rows = enumerate(act.output.rstrip("\n").split("\n"), 1)
        numbered = "\n".join(f"{number:05d}| {row}" for number, row in rows)
        output = f"<file>\n{numbered}\n\n(End of file - total {act.output.count(chr(10))} lines)\n"
        output += "</file>"
    state = {"status": "completed", "input": arguments, "output": output}
    metadata = {"exit": act.exit_code} if act.kind is Kind.RUN else {}
    state |= {"metadata": metadata, "time": {"start": at, "end": at + 100}}
    return {"type": "tool", "tool": _OPENCODE_TOOLS[act.kind], "callID": call, "state": state}


def _inside(folder: Path, name: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder / name


def _times(act: Act) -> dict[str, int]:
    moment = int(act.at.timestamp() * 1000)
    return {"time_created": moment, "time_updated": moment}


def _insert(connection: sqlite3.Connection, table: str, **values: object) -> None:
    names, marks = ", ".join(values), ", ".join("?" for _ in values)
    connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(values.values()))

"""Logs that repeat another log: linked to it in the store, and nothing of it recorded twice."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

from hermes.ids import now
from hermes.ingest.importer import Importer, ImportReport
from hermes.ingest.reading import conversations
from hermes.ingest.recorder import Recorder, RecordingPorts

PARENT = "019a0000-0000-7000-8000-00000000000a"
FORK = "019a0001-0000-7000-8000-00000000000b"
COUNT, DRAW = "Count the lines of a.txt", "Draw a chart of the billing data"


class Clock:
    def now(self) -> datetime:
        return now()


def _learn(ports: RecordingPorts, path: Path) -> ImportReport:
    importer = Importer(
        recorder=Recorder(ports), imported=ports.imported_files, read=conversations, clock=Clock()
    )
    return importer.run([path])


def _tasks(ports: RecordingPorts) -> list[str]:
    found = [task for one in ports.sessions.page() for task in ports.tasks.of_session(one.id)]
    return sorted(task.text for task in found)


def _said(role: str, text: str, at: str) -> dict[str, Any]:
    kind = "input_text" if role == "user" else "output_text"
    payload = {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}
    return {"timestamp": at, "type": "response_item", "payload": payload}


def _rollout(folder: Path, name: str, meta: dict[str, str], *said: dict[str, Any]) -> None:
    head = {"timestamp": "2026-02-10T02:00:00Z", "type": "session_meta"}
    lines = [{**head, "payload": {"id": name, "cwd": "/p", **meta}}, *said]
    path = folder / f"rollout-2026-02-10T02-00-00-{name}.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))


def _asked(text: str, at: str) -> list[dict[str, Any]]:
    return [_said("user", text, at), _said("assistant", f"Done: {text}", at)]


def test_a_fork_adds_only_what_is_new_and_hangs_on_its_parent(
    recording: RecordingPorts, tmp_path: Path
) -> None:
    logs = tmp_path / "sessions"
    logs.mkdir()
    _rollout(logs, PARENT, {}, *_asked(COUNT, "2026-02-10T02:00:01Z"))
    copied = _asked(COUNT, "2026-02-11T10:00:00Z")
    own = _asked(DRAW, "2026-02-11T10:00:05Z")
    _rollout(logs, FORK, {"forked_from_id": PARENT}, *copied, *own)
    first, again = _learn(recording, logs), _learn(recording, logs)
    assert (first.sessions, first.tasks, again.tasks) == (2, 2, 0)
    assert _tasks(recording) == [COUNT, DRAW]
    parent, fork = (recording.sessions.find("codex", one) for one in (PARENT, FORK))
    assert parent is not None
    assert fork is not None
    assert fork.parent_id == parent.id


def _message(database: sqlite3.Connection, session: str, role: str, text: str) -> None:
    database.execute(
        "INSERT INTO messages (session_id, role, content, timestamp) VALUES (?, ?, ?, 1.7e9)",
        (session, role, text),
    )


def test_a_session_compressed_after_an_import_goes_on_as_the_same_task(
    recording: RecordingPorts, tmp_path: Path
) -> None:
    with closing(sqlite3.connect(tmp_path / "state.db", isolation_level=None)) as database:
        database.executescript(
            "CREATE TABLE sessions (id, parent_session_id, started_at, ended_at, end_reason);"
            "CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id, role, content,"
            " tool_calls, timestamp);"
            "INSERT INTO sessions VALUES ('s1', NULL, 1.7e9, NULL, NULL)"
        )
        _message(database, "s1", "user", DRAW)
        _message(database, "s1", "assistant", "I begin.")
        before = _learn(recording, tmp_path / "state.db")
        database.execute("UPDATE sessions SET ended_at = 1.7e9 + 9, end_reason = 'compression'")
        database.execute("INSERT INTO sessions VALUES ('s2', 's1', 1.7e9 + 9, NULL, NULL)")
        _message(database, "s2", "user", DRAW)
        _message(database, "s2", "user", "[CONTEXT SUMMARY]: it was begun")
        _message(database, "s2", "assistant", "I begin.")
        _message(database, "s2", "assistant", "It is drawn.")
        after = _learn(recording, tmp_path / "state.db")
    assert before.trajectories == after.trajectories
    (session,) = recording.sessions.page()
    assert session.external_id == "s1"
    steps = recording.trajectories.steps(after.trajectories[0])
    assert [step.content for step in steps] == [DRAW, "I begin.", "It is drawn."]

"""Whole files into the store: resumable, idempotent, and a bad file never stops the others."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from hermes.errors import CorruptData, NotFound
from hermes.ids import now
from hermes.ingest.conversation import Conversation
from hermes.ingest.importer import Importer, Read
from hermes.ingest.reading import conversations
from hermes.ingest.recorder import Recorder, RecordingPorts
from hermes.records.trajectory import Step
from hermes.store.blobs import DiskBlobs
from hermes.store.database import Database
from hermes.store.open import open_database
from hermes.store.verify import verify
from hermes.testing.store import store_ports

ASKED = ("Count the lines of a.txt", "Write a Dockerfile for the billing service")


class Clock:
    def now(self) -> datetime:
        return now()


def _importer(ports: RecordingPorts, read: Read = conversations, how: str = "") -> Importer:
    return Importer(
        recorder=Recorder(ports, from_disk=bool(how)),
        imported=ports.imported_files,
        read=read,
        clock=Clock(),
        how=how,
    )


def _lines(session: str, asked: Sequence[str] = ASKED) -> list[dict[str, Any]]:
    """A log in the form that Claude Code writes: each request is answered after one command."""
    lines: list[dict[str, Any]] = []

    def say(kind: str, content: Any) -> None:
        place = len(lines)
        lines.append(
            {
                "parentUuid": lines[-1]["uuid"] if lines else None,
                "sessionId": session,
                "cwd": "/p",
                "type": kind,
                "uuid": f"{session}-{place}",
                "timestamp": f"2026-03-01T09:{place // 60:02}:{place % 60:02}.000Z",
                "message": {"role": kind, "content": content},
            }
        )

    for number, text in enumerate(asked):
        call = f"toolu_{number}"
        say("user", text)
        say(
            "assistant",
            [{"type": "tool_use", "id": call, "name": "Bash", "input": {"command": "ls"}}],
        )
        say("user", [{"type": "tool_result", "tool_use_id": call, "content": f"a.txt {number}"}])
        say("assistant", [{"type": "text", "text": "Done."}])
    return lines


def _write(path: Path, lines: Sequence[dict[str, Any]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return path


def _logs(folder: Path, count: int) -> Path:
    for number in range(count):
        _write(folder / f"s{number}.jsonl", _lines(f"s{number}"))
    return folder


def _everything(ports: RecordingPorts) -> dict[str, Sequence[Step]]:
    return {
        one.id: ports.trajectories.steps(one.id) for one in ports.trajectories.page(limit=10_000)
    }


def test_a_folder_is_imported_once(recording: RecordingPorts, tmp_path: Path) -> None:
    logs = _logs(tmp_path / "logs", 3)
    told: list[tuple[int, int, int]] = []
    first = _importer(recording).run([logs], progress=lambda *how_far: told.append(how_far))
    assert (first.files, first.new, first.sessions, first.tasks, first.steps) == (3, 3, 3, 6, 24)
    assert first.bytes == sum(file.stat().st_size for file in logs.iterdir())
    assert set(first.trajectories) == _everything(recording).keys()
    assert [(done, of) for done, of, _ in told] == [(1, 3), (2, 3), (3, 3)]
    assert (first.problem_count, first.failed) == (0, 0)

    def never(path: Path, format: str) -> Iterator[Conversation]:
        raise AssertionError("a file that did not change was opened")

    second = _importer(recording, never).run([logs, logs / "s0.jsonl"])
    assert (second.files, second.unchanged, second.trajectories) == (3, 3, ())


def test_a_grown_log_adds_the_rest(recording: RecordingPorts, tmp_path: Path) -> None:
    lines = _lines("one")
    log = _write(tmp_path / "one.jsonl", lines[:3])
    first = _importer(recording).run([log])
    (short,) = first.trajectories
    _write(log, lines)
    second = _importer(recording).run([log])
    assert (second.new, second.grown, second.tasks) == (0, 1, 2)
    assert short in second.trajectories
    assert [len(steps) for steps in _everything(recording).values()] == [4, 4]
    seen = recording.imported_files.get(str(log))
    assert seen is not None
    assert (seen.tasks, seen.steps, seen.size) == (2, 8, log.stat().st_size)


def test_other_options_read_a_file_again(recording: RecordingPorts, tmp_path: Path) -> None:
    log = _write(tmp_path / "one.jsonl", _lines("one"))
    first = _importer(recording).run([log])
    again = _importer(recording, how="from-disk").run([log])
    assert set(again.trajectories) == set(first.trajectories), "they are to be learned from anew"
    assert _importer(recording, how="from-disk").run([log]).unchanged == 1


def test_a_broken_line_is_told_and_skipped(recording: RecordingPorts, tmp_path: Path) -> None:
    log = _write(tmp_path / "logs" / "one.jsonl", _lines("one"))
    log.write_text(log.read_text() + '{"type": "user", "mess\n')
    report = _importer(recording).run([tmp_path / "logs"])
    assert report.tasks == 2
    assert report.problem_count == 1
    assert str(report.problems[0]).startswith(f"{log}:9: ")


def test_a_file_that_cannot_be_read_does_not_stop_the_others(
    recording: RecordingPorts, tmp_path: Path
) -> None:
    _logs(tmp_path / "logs", 2)
    bad = _write(tmp_path / "logs" / "bad.jsonl", _lines("bad"))

    def read(path: Path, format: str) -> Iterator[Conversation]:
        if path == bad:
            raise CorruptData("damaged beyond reading", where=str(path))
        return conversations(path, format)

    report = _importer(recording, read).run([tmp_path / "logs"])
    assert (report.files, report.new, report.failed, report.tasks) == (3, 2, 1, 4)
    assert "damaged beyond reading" in str(report.problems[0])
    assert _importer(recording).run([tmp_path / "logs"]).new == 1, "it is tried again"


def test_a_file_that_is_no_log_is_looked_at_again(
    recording: RecordingPorts, tmp_path: Path
) -> None:
    other = tmp_path / "other.jsonl"
    other.write_text("not a log\n")
    for _ in range(2):
        report = _importer(recording).run([other])
        assert (report.failed, report.problem_count) == (1, 1)


def test_a_file_that_only_lies_there_is_no_problem(
    recording: RecordingPorts, tmp_path: Path
) -> None:
    logs = _logs(tmp_path / "logs", 1)
    (logs / "package.json").write_text('{"name": "x"}')
    report = _importer(recording).run([logs])
    assert (report.files, report.skipped, report.failed, report.problem_count) == (2, 1, 0, 0)
    assert _importer(recording).run([logs]).unchanged == 2


def test_a_path_that_is_not_there(recording: RecordingPorts, tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        _importer(recording).run([tmp_path / "nowhere"])


def test_why_a_task_cannot_be_replayed_is_counted(
    recording: RecordingPorts, tmp_path: Path
) -> None:
    lines = _lines("one", ["Sort the rows of data.csv"])
    lines[1]["message"]["content"][0]["input"]["command"] = "sort data.csv > out.csv"
    report = _importer(recording).run([_write(tmp_path / "one.jsonl", lines)])
    assert report.not_replayable == {"its content is not in the log": 1}


def test_a_database_that_writes_ahead_is_read_again(
    recording: RecordingPorts, tmp_path: Path
) -> None:
    """Its file does not change until it is checkpointed; its write-ahead log does."""
    path = tmp_path / "state.db"
    log = sqlite3.connect(path, isolation_level=None)
    log.execute("PRAGMA journal_mode = WAL")
    log.execute("CREATE TABLE t (x)")
    asked: list[Path] = []

    def read(path: Path, format: str) -> Iterator[Conversation]:
        asked.append(path)
        return iter(())

    _importer(recording, read).run([path])
    _importer(recording, read).run([path])
    assert len(asked) == 1
    log.execute("INSERT INTO t VALUES (1)")
    _importer(recording, read).run([path])
    assert len(asked) == 2
    log.close()


def _ports_on(folder: Path) -> tuple[Database, RecordingPorts]:
    database = open_database(folder / "loop.db")
    ports = store_ports(database)
    return database, RecordingPorts(
        transactions=database,
        sessions=ports.sessions,
        tasks=ports.tasks,
        trajectories=ports.trajectories,
        imported_files=ports.imported_files,
        blobs=DiskBlobs(folder / "blobs"),
    )


def _import_and_die(folder: Path, logs: Path, conversations_to_live: int) -> bool:
    """In a child that is killed while it reads its n-th file; False when it came to the end."""
    child = os.fork()
    if child == 0:
        lived = 0

        def read(path: Path, format: str) -> Iterator[Conversation]:
            nonlocal lived
            lived += 1
            for conversation in conversations(path, format):
                if lived > conversations_to_live:
                    os.kill(os.getpid(), signal.SIGKILL)
                yield conversation

        _, ports = _ports_on(folder)
        recorder = Recorder(ports)
        every_task: dict[str, Any] = {
            "batch_bytes": 0,
            "clock": Clock(),
            "imported": ports.imported_files,
        }
        Importer(recorder=recorder, read=read, **every_task).run([logs])
        os._exit(0)
    return os.waitpid(child, 0)[1] == signal.SIGKILL


def test_killed_in_the_middle_nothing_is_doubled_and_nothing_lost(tmp_path: Path) -> None:
    logs = _logs(tmp_path / "logs", 4)
    with tempfile.TemporaryDirectory() as other:
        database, ports = _ports_on(Path(other))
        _importer(ports).run([logs])
        wanted = _everything(ports)
        database.close()
    home = tmp_path / "home"
    open_database(home / "loop.db").close()
    deaths = 0
    while _import_and_die(home, logs, 1) and deaths < 10:
        deaths += 1
    database, ports = _ports_on(home)
    assert deaths == 4 - 1, "each life gets one file further"
    assert _everything(ports) == wanted
    assert len(ports.sessions.page()) == 4
    assert verify(database) == []

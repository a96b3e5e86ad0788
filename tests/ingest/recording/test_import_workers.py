"""Files read by other processes: the same rows, and no process outlives the import."""

from __future__ import annotations

import io
import os
import signal
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest

from hermes.bench.log_corpus import write_corpus
from hermes.ids import now
from hermes.ingest.crew import Crew, Workers
from hermes.ingest.drafting import drafts_in
from hermes.ingest.drafts import Draft, Ended, Order, Unreadable
from hermes.ingest.importer import Importer, ImportReport
from hermes.ingest.packing import receive, send, unpacked
from hermes.ingest.reading import conversations
from hermes.ingest.recorder import Recorder, RecordingPorts
from hermes.store.blobs import DiskBlobs
from hermes.store.database import Database
from hermes.store.open import open_database
from hermes.store.verify import verify
from hermes.testing.store import store_ports

TWO = Workers(2, worth_it=1)
ROWS = {
    **dict.fromkeys(("sessions", "tasks", "trajectories", "steps"), "*"),
    "outbox": "trajectory_id, reviews",  # not since when: that is the moment of the import
}


class Clock:
    def now(self) -> datetime:
        return now()


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    write_corpus(tmp_path / "logs", 3_000_000)
    return tmp_path / "logs"


def _ports(folder: Path) -> tuple[Database, RecordingPorts]:
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


def _import(ports: RecordingPorts, logs: Path, workers: Workers) -> ImportReport:
    importer = Importer(
        recorder=Recorder(ports),
        imported=ports.imported_files,
        read=conversations,
        clock=Clock(),
        workers=workers,
    )
    return importer.run([logs])


def _rows(database: Database) -> dict[str, list[object]]:
    return {
        table: sorted(database.ask(f"SELECT {columns} FROM {table}"), key=repr)
        for table, columns in ROWS.items()
    }


def _orders(logs: Path) -> list[Order]:
    return [Order(file, "auto", 2**25, file.stat().st_size) for file in sorted(logs.iterdir())]


def _children() -> set[int]:
    found = Path("/proc/self/task").glob("*/children")
    return {int(pid) for task in found for pid in task.read_text().split()}


def test_one_process_and_several_write_the_same_rows(logs: Path, tmp_path: Path) -> None:
    (logs / "broken.jsonl").write_text('{"type": "user", "uuid": "x"}\n{"type": \n')
    alone, ports = _ports(tmp_path / "alone")
    first = _import(ports, logs, Workers(0))
    shared, ports = _ports(tmp_path / "shared")
    assert _import(ports, logs, TWO) == first
    assert first.steps > 0
    assert first.problem_count > 0
    assert _rows(shared) == _rows(alone)
    assert verify(shared) == []
    kept = [{p.name for p in (tmp_path / who / "blobs").rglob("*")} for who in ("alone", "shared")]
    assert kept[0] == kept[1]


def test_a_small_import_starts_no_process(logs: Path) -> None:
    before = _children()
    crew = Crew(conversations, Workers(2, worth_it=10**9))
    with closing(crew.streams(_orders(logs))) as streams:
        for _, stream in streams:
            next(stream)
            assert _children() == before
            list(stream)


def test_many_small_files_are_worth_a_process_too(tmp_path: Path) -> None:
    """What a file costs beside its bytes counts; fifty empty ones would be read here."""
    for number in range(50):
        (tmp_path / f"{number}.jsonl").touch()
    before = _children()
    crew = Crew(conversations, Workers(1, worth_it=1024 * 1024))
    with closing(crew.streams(_orders(tmp_path))) as streams:
        next(streams)
        assert _children() - before


def test_what_is_sent_is_what_arrives(logs: Path) -> None:
    (order, *_) = _orders(logs)
    drafts = list(drafts_in(order, conversations))
    stream = io.BytesIO()
    send(stream, drafts)
    send(stream, Unreadable("why"))
    stream.seek(0)
    assert unpacked(receive(stream) or b"") == drafts
    assert str(unpacked(receive(stream) or b"")) == "why"
    assert receive(stream) is None
    assert receive(io.BytesIO(stream.getvalue()[:-1])) is not None
    assert receive(io.BytesIO(stream.getvalue()[:20])) is None, "cut off in the middle"


def test_a_worker_that_is_killed_costs_its_file_only(logs: Path) -> None:
    orders = _orders(logs)
    before = _children()
    failed: list[tuple[Path, str]] = []
    read: dict[Path, list[Draft | Ended]] = {}
    for order, stream in Crew(conversations, Workers(1, worth_it=1)).streams(orders):
        if order is orders[0]:
            for pid in _children() - before:
                os.kill(pid, signal.SIGKILL)
        try:
            read[order.file] = list(stream)
        except Unreadable as error:
            failed.append((order.file, str(error)))
    assert [file for file, _ in failed] == [orders[0].file]
    assert "(-9)" in failed[0][1]
    assert len(read) == len(orders) - 1
    assert read[orders[1].file] == list(drafts_in(orders[1], conversations))


def test_an_import_that_is_broken_off_leaves_no_process(logs: Path, tmp_path: Path) -> None:
    _, ports = _ports(tmp_path / "home")
    before = _children()

    class Pressed(Recorder):
        def place(self, draft: Draft, otherwise: datetime, **how: bool) -> object:  # type: ignore[override]
            assert _children() - before, "workers are at work"
            raise KeyboardInterrupt

    importer = Importer(
        recorder=Pressed(ports),
        imported=ports.imported_files,
        read=conversations,
        clock=Clock(),
        workers=TWO,
    )
    with pytest.raises(KeyboardInterrupt):
        importer.run([logs])
    assert _children() == before
    assert _import(ports, logs, TWO).new == len(list(logs.iterdir())), "nothing was marked as read"

"""Backup, restore and copy: everything arrives, or nothing is written."""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from hermes.errors import CorruptData, DiskFailed, FutureSchema, NotFound, Refused
from hermes.store.backup import backup, restore
from hermes.store.database import Database
from hermes.store.layout import TABLES
from hermes.store.migrate import latest, migrate
from hermes.store.open import connect_database, open_database
from hermes.store.tables.event import EventTable
from hermes.store.tables.session import SessionTable
from hermes.store.tables.skill import SkillTable
from hermes.store.transfer import TableDigest, copy, digest
from hermes.store.verify import verify
from hermes.testing import samples
from hermes.testing.populate import populate
from hermes.testing.postgres import TestServer


def digests(database: Database) -> dict[str, TableDigest]:
    return {layout.table: digest(database, layout) for layout in TABLES}


@pytest.fixture
def full(database: Database) -> Database:
    populate(database)
    return database


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def other(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    """An empty database of either kind, besides the one under test."""
    if request.param == "sqlite":
        yield open_database(tmp_path / "other.db")
        return
    server = request.getfixturevalue("postgres_server")
    url = server.database()
    opened = open_database(url)
    yield opened
    opened.close()
    server.give_back(url)


def test_a_copy_is_equal_to_its_source(full: Database, other: Database) -> None:
    seen: list[tuple[str, int, int]] = []
    sent = copy(full, other, lambda *step: seen.append(step))
    assert sent == digests(full) == digests(other)
    assert all(tally.rows for tally in sent.values()), "every table should have been tried"
    assert {table for table, _, _ in seen} == set(sent)
    assert all(done <= total for _, done, total in seen)
    assert verify(other) == verify(full)
    EventTable(other).append("life.goes_on", actor="ana", subject_id="x")


@pytest.mark.postgres
def test_a_server_knows_its_tables_after_a_copy(
    full: Database, postgres_server: TestServer
) -> None:
    """Else it plans as if they were empty until it has looked by itself, minutes later."""
    looked = "SELECT COUNT(*) FROM pg_class WHERE relname = 'memories' AND reltuples > 0"
    with closing(open_database(postgres_server.empty_database())) as target:
        assert target.ask(looked) == [(0,)]
        copy(full, target)
        assert target.ask(looked) == [(1,)]


def test_a_copy_that_arrives_altered_is_undone(full: Database, tmp_path: Path) -> None:
    target = open_database(tmp_path / "target.db")
    target.ask(
        "CREATE TRIGGER meddle AFTER INSERT ON users"
        " BEGIN UPDATE users SET name = name || '!' WHERE id = NEW.id; END"
    )
    with pytest.raises(CorruptData, match="users"):
        copy(full, target)
    assert SessionTable(target).page() == []


def test_a_backup_brings_everything_back(full: Database, other: Database, tmp_path: Path) -> None:
    path = tmp_path / "backup.zip"
    manifest = backup(full, path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert restore(path, other) == manifest
    assert digests(other) == digests(full) == manifest.tables
    assert [file.name for file in tmp_path.iterdir() if file.name.startswith(".")] == []


def test_a_database_that_is_not_empty_is_left_alone(full: Database, tmp_path: Path) -> None:
    path, target = tmp_path / "backup.zip", open_database(tmp_path / "target.db")
    backup(full, path)
    SessionTable(target).add(SessionTable(full).page()[0])
    before = digests(target)
    with pytest.raises(Refused, match="not empty"):
        restore(path, target)
    with pytest.raises(Refused, match="not empty"):
        copy(full, target)
    assert digests(target) == before


def test_a_backup_of_an_earlier_schema_is_brought_up_to_date(
    empty_address: str, tmp_path: Path
) -> None:
    path, target = tmp_path / "backup.zip", open_database(tmp_path / "target.db")
    earlier = connect_database(empty_address)
    migrate(earlier, to=1)
    skill = samples.skill()
    SkillTable(earlier).add(skill)
    EventTable(earlier).append("skill.added", actor="ana", subject_id=skill.id)
    manifest = backup(earlier, path)
    earlier.close()
    assert manifest.schema == 1
    assert "sessions" not in manifest.tables
    assert restore(path, target) == manifest
    assert SkillTable(target).all() == [skill]
    assert SessionTable(target).page() == []
    assert verify(target) == []


def _write_until_told(address: str, stop: Any) -> None:
    """A skill and its event, always both: whoever sees one alone saw two moments."""
    database = open_database(address)
    skills, events = SkillTable(database), EventTable(database)
    while not stop.is_set():
        skill = samples.skill()
        with database.transaction():
            skills.add(skill)
            events.append("skill.added", actor="writer", subject_id=skill.id)
        time.sleep(0.01)  # no faster than it is copied, or no copy would ever come to an end


def test_what_is_taken_while_others_write_is_of_one_moment(address: str, tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    stop = context.Event()
    writer = context.Process(target=_write_until_told, args=(address, stop))
    writer.start()
    try:
        database = open_database(address)
        while not EventTable(database).page(limit=1):
            time.sleep(0.01)
        for number in range(3):
            restored = open_database(tmp_path / f"restored-{number}.db")
            backup(database, tmp_path / "backup.zip")
            restore(tmp_path / "backup.zip", restored)
            copied = open_database(tmp_path / f"copied-{number}.db")
            copy(database, copied)
            for taken in (restored, copied):
                assert verify(taken) == []
                skills = {skill.id for skill in SkillTable(taken).all()}
                events = EventTable(taken).page(limit=1_000_000)
                assert {event.subject_id for event in events} == skills
        database.close()
    finally:
        stop.set()
        writer.join()
    assert writer.exitcode == 0


def _rewrite(
    path: Path,
    *,
    manifest_change: Callable[[dict[str, Any]], dict[str, Any]] = lambda plain: plain,
    lines: Callable[[str, bytes], bytes | None] = lambda _name, data: data,
) -> None:
    """Write the backup anew with something changed in it."""
    with zipfile.ZipFile(path) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    manifest = manifest_change(json.loads(entries.pop("manifest.json")))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries.items():
            changed = lines(name, data)
            if changed is not None:
                archive.writestr(name, changed)
        archive.writestr("manifest.json", json.dumps(manifest))


def _lose_a_row(name: str, data: bytes) -> bytes:
    return data.split(b"\n", 1)[1] if name == "events.jsonl" else data


def _alter_a_row(name: str, data: bytes) -> bytes:
    return data.replace(b'"ana"', b'"bob"') if name == "events.jsonl" else data


def _drop_a_table(name: str, data: bytes) -> bytes | None:
    return None if name == "users.jsonl" else data


def _break_a_line(name: str, data: bytes) -> bytes:
    return data.replace(b"{", b"", 1) if name == "skills.jsonl" else data


def _add_a_column(name: str, data: bytes) -> bytes:
    return data.replace(b"{", b'{"zzz":1,', 1) if name == "skills.jsonl" else data


def _nest_a_value(name: str, data: bytes) -> bytes:
    return data.replace(b'"category":""', b'"category":[]', 1) if name == "skills.jsonl" else data


def _not_base64(name: str, data: bytes) -> bytes:
    return data.replace(b'"data":"', b'"data":"!', 1) if name == "contents.jsonl" else data


def _repeat_a_row(name: str, data: bytes) -> bytes:
    return data + data if name == "users.jsonl" else data


@pytest.mark.parametrize(
    "damage",
    [
        _lose_a_row,
        _alter_a_row,
        _drop_a_table,
        _break_a_line,
        _add_a_column,
        _nest_a_value,
        _not_base64,
        _repeat_a_row,
    ],
    ids=lambda damage: damage.__name__.strip("_"),
)
def test_a_damaged_backup_writes_nothing(
    damage: Callable[[str, bytes], bytes | None], database: Database, tmp_path: Path
) -> None:
    path, source = tmp_path / "backup.zip", open_database(tmp_path / "source.db")
    populate(source)
    backup(source, path)
    _rewrite(path, lines=damage)
    empty = digests(database)
    with pytest.raises(CorruptData, match=str(path)):
        restore(path, database)
    assert digests(database) == empty


def _cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def _flip(data: bytes) -> bytes:
    return data[:200] + bytes([data[200] ^ 0xFF]) + data[201:]


@pytest.mark.parametrize("damage", [_cut, _flip, lambda _: b"", lambda _: b"PK\x03\x04 notes"])
def test_a_broken_file_is_no_backup(damage: Callable[[bytes], bytes], tmp_path: Path) -> None:
    path, target = tmp_path / "backup.zip", open_database(tmp_path / "target.db")
    source = open_database(tmp_path / "source.db")
    populate(source)
    backup(source, path)
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(CorruptData, match=str(path)):
        restore(path, target)
    assert SessionTable(target).page() == []


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"schema": latest() + 1}, FutureSchema),
        ({"schema": 0}, CorruptData),
        ({"schema": "3"}, CorruptData),
        ({"format": "something else"}, CorruptData),
        ({"tables": {}}, CorruptData),
        ({"surprise": 1}, CorruptData),
    ],
)
def test_a_strange_manifest_is_refused(
    change: dict[str, Any], error: type[Exception], tmp_path: Path
) -> None:
    path, target = tmp_path / "backup.zip", open_database(tmp_path / "target.db")
    backup(target, path)
    _rewrite(path, manifest_change=lambda plain: plain | change)
    with pytest.raises(error):
        restore(path, target)


def test_a_zip_of_something_else_is_no_backup(tmp_path: Path) -> None:
    path, target = tmp_path / "photos.zip", open_database(tmp_path / "target.db")
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("cat.jpg", b"meow")
    with pytest.raises(CorruptData):
        restore(path, target)
    with pytest.raises(NotFound):
        restore(tmp_path / "nothing.zip", target)
    with pytest.raises(DiskFailed):
        restore(tmp_path, target)


def test_a_backup_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    database = open_database(tmp_path / "loop.db")
    path = tmp_path / "backup.zip"
    backup(database, path)
    before = path.read_bytes()
    with pytest.raises(DiskFailed):
        backup(database, tmp_path / "nowhere" / "backup.zip")
    script = """
import resource, sys
from pathlib import Path
from hermes.errors import DiskFailed
from hermes.store.backup import backup
from hermes.store.open import open_database
database = open_database(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (600, 600))
try:
    backup(database, Path(sys.argv[2]))
except DiskFailed:
    print("the disk failed")
"""
    command = [sys.executable, "-c", script, str(tmp_path / "loop.db"), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.stdout == "the disk failed\n", done.stderr
    assert path.read_bytes() == before
    assert sorted(os.listdir(tmp_path)) == sorted(
        ["backup.zip", "loop.db", "loop.db-shm", "loop.db-wal"]
    )


def test_memory_does_not_grow_with_the_table(tmp_path: Path) -> None:
    """Thirty megabytes go through; a page of them is in memory at once."""
    script = """
import resource, sys
from pathlib import Path
from hermes.records.folder import FileContent, Folder
from hermes.store.backup import backup, restore
from hermes.store.open import open_database
from hermes.store.tables.skill import SkillTable
from hermes.store.tables.version import VersionTable
from hermes.testing import samples
folder = Path(sys.argv[1])
database = open_database(folder / "loop.db")
skill = samples.skill()
SkillTable(database).add(skill)
versions = VersionTable(database)
for number in range(1, 31):
    files = Folder({"SKILL.md": FileContent(bytes([number]) * (1 << 20))})
    versions.add(samples.version(skill.id, files, number=number), files.contents())
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
backup(database, folder / "backup.zip")
target = open_database(folder / "target.db")
restore(folder / "backup.zip", target)
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""
    command = [sys.executable, "-c", script, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 25, f"{done.stdout.strip()} MB more than before"

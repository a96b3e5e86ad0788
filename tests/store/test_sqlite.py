"""SQLite as the store's database: durable, private, and honest about what is wrong."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from hermes.errors import ConfigError, CorruptData, FutureSchema, StoreUnavailable
from hermes.store.database import Database
from hermes.store.migrate import latest
from hermes.store.open import open_database
from hermes.store.sqlite import SqliteDialect
from hermes.store.tables.event import EventTable
from hermes.store.tables.session import SessionTable
from hermes.testing import samples


def test_every_commit_is_synced_and_checked(tmp_path: Path) -> None:
    database = open_database(tmp_path / "loop.db")
    assert database.ask("PRAGMA journal_mode") == [("wal",)]
    assert database.ask("PRAGMA synchronous") == [(2,)]
    assert database.ask("PRAGMA foreign_keys") == [(1,)]
    assert database.ask("PRAGMA busy_timeout") == [(15000,)]


def test_only_its_user_can_read_the_file(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "loop.db"
    SessionTable(open_database(path)).add(samples.session())
    for file in path.parent.iterdir():
        assert file.stat().st_mode & 0o777 == 0o600, file


def test_a_path_may_have_any_character(tmp_path: Path) -> None:
    path = tmp_path / "a b%20?mode=ro#ü;.db"
    SessionTable(open_database(path)).add(samples.session())
    assert path.exists()
    assert len(SessionTable(open_database(path)).page()) == 1


def test_a_folder_in_its_place_is_unavailable(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match=str(tmp_path)):
        open_database(tmp_path)


def test_a_file_that_is_no_database_is_corrupt(tmp_path: Path) -> None:
    path = tmp_path / "loop.db"
    path.write_bytes(b"not a database, but somebody's notes " * 50)
    with pytest.raises(CorruptData, match=str(path)) as caught:
        open_database(path)
    assert caught.value.hint


def test_a_damaged_page_is_corrupt(tmp_path: Path) -> None:
    path = tmp_path / "loop.db"
    database = open_database(path)
    sessions = SessionTable(database)
    for _ in range(200):
        sessions.add(samples.session(title="x" * 500))
    database.close()
    with path.open("r+b") as file:
        file.seek(file.seek(0, os.SEEK_END) - 40 * 4096)
        file.write(b"\xff" * 39 * 4096)
    with pytest.raises(CorruptData, match=str(path)):
        SessionTable(open_database(path)).page(limit=200)


def test_another_programs_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE sessions (id TEXT)")
    other.commit()
    other.close()
    before = path.read_bytes()
    with pytest.raises(ConfigError, match="another program"):
        open_database(path)
    other = sqlite3.connect(path)
    assert other.execute("SELECT name FROM sqlite_master").fetchall() == [("sessions",)]
    assert path.read_bytes()[100:] == before[100:]


def test_a_newer_schema_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "loop.db"
    database = open_database(path)
    database.ask("PRAGMA user_version = 9999")
    database.close()
    with pytest.raises(FutureSchema, match="9999"):
        open_database(path)


def test_a_locked_database_says_so(tmp_path: Path) -> None:
    path = tmp_path / "loop.db"
    open_database(path).close()
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    database = Database(SqliteDialect(path, busy_seconds=0.05))
    with pytest.raises(StoreUnavailable, match="locked"):
        SessionTable(database).add(samples.session())
    with pytest.raises(StoreUnavailable, match="locked"), database.transaction():
        pass
    other.execute("ROLLBACK")
    SessionTable(database).add(samples.session())


def test_opening_waits_for_another_who_writes_a_new_file(tmp_path: Path) -> None:
    """SQLite's own patience does not cover the switch to the write-ahead log."""
    path = tmp_path / "loop.db"
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    threading.Timer(0.2, other.execute, ["ROLLBACK"]).start()
    SessionTable(open_database(path)).add(samples.session())


@pytest.mark.parametrize("moment", range(1, 6))
def test_tables_that_appear_while_we_look_are_ours(tmp_path: Path, moment: int) -> None:
    """Another process may lay the first tables between any two of our statements."""
    path = tmp_path / "loop.db"
    dialect = SqliteDialect(path)
    dialect.create()
    connection = dialect.connect()
    statements: list[str] = []

    def another_is_first(statement: str) -> None:
        statements.append(statement)
        if len(statements) == moment:
            open_database(path).close()

    connection.set_trace_callback(another_is_first)
    assert dialect.schema_version(connection) in (0, latest())
    connection.close()


def test_a_full_disk_leaves_the_old_state_whole(tmp_path: Path) -> None:
    """A limit on the file size is the nearest to a full disk that a process can have alone."""
    path = tmp_path / "loop.db"
    script = """
import resource, sys
from hermes.errors import DiskFailed
from hermes.store.migrate import latest
from hermes.store.open import open_database
from hermes.store.tables.session import SessionTable
from hermes.testing import samples
database = open_database(sys.argv[1])
sessions = SessionTable(database)
kept = samples.session()
sessions.add(kept)
resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))
try:
    with database.transaction():
        for _ in range(1000):
            sessions.add(samples.session(title="x" * 1000))
except DiskFailed as error:
    assert sys.argv[1] in str(error), error
    assert sessions.page() == [kept]
    print("the disk failed")
"""
    command = [sys.executable, "-c", script, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.stdout == "the disk failed\n", done.stderr
    database = open_database(path)
    assert len(SessionTable(database).page()) == 1
    assert database.ask("PRAGMA integrity_check") == [("ok",)]


def test_a_file_that_is_gone_is_not_an_empty_database(tmp_path: Path) -> None:
    path, away = tmp_path / "loop.db", tmp_path / "away.db"
    database = open_database(path)
    sessions = SessionTable(database)
    sessions.add(samples.session())
    path.rename(away)
    with pytest.raises(StoreUnavailable, match="put the file back"):
        sessions.page()
    with pytest.raises(StoreUnavailable):
        sessions.add(samples.session())
    assert not path.exists()
    away.rename(path)
    assert len(sessions.page()) == 1


def test_a_file_that_was_replaced_is_opened_anew(tmp_path: Path) -> None:
    path, restored = tmp_path / "loop.db", tmp_path / "restored.db"
    other = open_database(restored)
    kept = samples.session()
    SessionTable(other).add(kept)
    other.close()
    sessions = SessionTable(open_database(path))
    assert sessions.page() == []
    log = Path(f"{path}-wal")
    assert log.stat().st_size > 0
    restored.rename(path)
    with pytest.raises(StoreUnavailable, match="another file was put in the place"):
        sessions.page()
    log.unlink()
    Path(f"{path}-shm").unlink()
    assert sessions.page() == [kept]


def test_threads_do_not_share_a_transaction(tmp_path: Path) -> None:
    database = open_database(tmp_path / "loop.db")
    sessions = SessionTable(database)
    seen: list[int] = []

    def look() -> None:
        seen.append(len(sessions.page()))

    def look_elsewhere() -> None:
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()

    with database.transaction():
        sessions.add(samples.session())
        look_elsewhere()
        look()
    look_elsewhere()
    assert seen == [0, 1, 1]


def test_a_forked_child_loses_nothing(tmp_path: Path) -> None:
    """The parent closes while the child has the file open; the child's writes must survive.

    With an inherited connection the child would not hold the lock that tells the parent not to
    delete the write-ahead log.
    """
    path = tmp_path / "loop.db"
    database = open_database(path)
    SessionTable(database).add(samples.session())
    ready_read, ready_write = os.pipe()
    closed_read, closed_write = os.pipe()
    child = os.fork()
    if child == 0:
        sessions = SessionTable(database)
        sessions.add(samples.session())
        os.write(ready_write, b"x")
        os.read(closed_read, 1)
        sessions.add(samples.session())
        os._exit(0)
    os.read(ready_read, 1)
    assert len(SessionTable(database).page()) == 2
    database.close()
    os.write(closed_write, b"x")
    assert os.waitpid(child, 0)[1] == 0
    assert len(SessionTable(open_database(path)).page()) == 3


def test_the_trail_cannot_be_replaced_line_by_line(tmp_path: Path) -> None:
    """INSERT OR REPLACE deletes without firing SQLite's delete triggers."""
    path = tmp_path / "loop.db"
    database = open_database(path)
    EventTable(database).append("thing.done", actor="ana", subject_id="x")
    database.close()
    tamperer = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        tamperer.execute(
            "INSERT OR REPLACE INTO events SELECT seq, at, kind, 'bob', skill_id, subject_id, data,"
            " previous, hash FROM events"
        )

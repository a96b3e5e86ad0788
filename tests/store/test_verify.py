"""Every kind of damage is found, named, and comes with what to do."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from hermes.store.open import open_database
from hermes.store.tables.session import SessionTable
from hermes.store.verify import Problem, verify
from hermes.testing import samples
from hermes.testing.populate import populate


def tamper(address: str, *statements: str) -> None:
    """Write past every constraint and trigger, as a careless or wicked hand would."""
    if address.startswith("postgresql:"):
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute("SET search_path = hermes")
            connection.execute("SET session_replication_role = replica")
            for statement in statements:
                connection.execute(statement.encode())
        return
    with closing(sqlite3.connect(address)) as file:
        triggers = file.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for (trigger,) in triggers:
            file.execute(f"DROP TRIGGER {trigger}")
        for statement in statements:
            file.execute(statement)
        file.commit()


def problems(address: str) -> list[Problem]:
    database = open_database(address)
    found = verify(database)
    database.close()
    return [problem for problem in found if not problem.is_note]


@pytest.fixture
def filled(address: str) -> str:
    database = open_database(address)
    populate(database)
    database.close()
    return address


def test_a_whole_store_has_no_problems(filled: str) -> None:
    database = open_database(filled)
    (note,) = verify(database)
    assert note.is_note
    assert note.table == "journal"
    assert note.id == samples.intent("x").home
    database.close()


def test_an_empty_store_is_whole(address: str) -> None:
    assert problems(address) == []


@pytest.mark.parametrize(
    ("statement", "table", "what"),
    [
        ("UPDATE contents SET data = CAST('x' AS BLOB)", "contents", "another hash"),
        ("DELETE FROM contents", "versions", "SKILL.md is gone or altered"),
        ("UPDATE versions SET tree = 'f'", "versions", "tree hash"),
        ("UPDATE versions SET files = '[]'", "versions", "tree hash"),
        ("UPDATE versions SET state = 'asleep'", "versions", "asleep"),
        ("UPDATE versions SET state = 'draft'", "skills", "in the state `active` is none"),
        ("UPDATE versions SET state = 'active'", "skills", "in the state `active` is ver_"),
        ("UPDATE skills SET active_version_id = NULL", "skills", "its active version is none"),
        ("DELETE FROM releases WHERE state = 'active'", "skills", "its release is of none"),
        ("DELETE FROM releases WHERE state = 'active'", "uses", "release_id is rel_"),
        ("UPDATE skills SET tags = '['", "skills", "Skill.tags"),
        ("UPDATE skills SET generation = 99", "skills", "ahead"),
        ("UPDATE generation SET value = 0", "skills", "ahead"),
        ("UPDATE sessions SET started_at = 'yesterday'", "sessions", "started_at"),
        ("UPDATE tasks SET session_id = 'ses_x'", "tasks", "session_id is ses_x, which is not in"),
        ("UPDATE users SET role = 'king'", "users", "king"),
        ("UPDATE observations SET success = NULL", "observations", "unknown exactly when"),
        ("DELETE FROM steps WHERE step_id = 2", "steps", "2 steps, the last is number 3"),
        ("DELETE FROM events WHERE seq = 2", "events", "lines 2 to 2 are gone"),
        ("DELETE FROM events WHERE seq = 1", "events", "lines 1 to 1 are gone"),
        ("UPDATE events SET actor = 'bob' WHERE seq = 2", "events", "not what its hash says"),
        ("UPDATE events SET data = '{}  ' WHERE seq = 2", "", ""),
        ("UPDATE events SET hash = 'x' WHERE seq = 3", "events", "not what its hash says"),
        ("UPDATE events SET previous = 'x' WHERE seq = 2", "events", "does not follow"),
    ],
)
def test_damage_is_found(filled: str, statement: str, table: str, what: str) -> None:
    tamper(filled, statement)
    found = problems(filled)
    if not table:  # white space is no damage: the trail is hashed by what it says
        assert found == []
        return
    named = [problem for problem in found if problem.table == table and what in problem.what]
    assert named, found
    for problem in found:
        assert problem.id
        assert problem.todo


def test_one_damaged_row_does_not_hide_another(filled: str) -> None:
    tamper(
        filled,
        "UPDATE skills SET tags = '['",
        "UPDATE users SET role = 'king'",
        "UPDATE events SET actor = 'bob' WHERE seq = 3",
    )
    assert {problem.table for problem in problems(filled)} >= {"skills", "users", "events"}


def test_two_active_releases_are_found(tmp_path: Path) -> None:
    path = str(tmp_path / "loop.db")
    populate(open_database(path))
    tamper(
        path,
        "DROP INDEX releases_one_active",
        "UPDATE releases SET state = 'active', ended_at = NULL",
    )
    assert any("2 active releases" in problem.what for problem in problems(path))


def test_a_damaged_file_is_a_list_of_problems_and_no_crash(tmp_path: Path) -> None:
    path = tmp_path / "loop.db"
    database = open_database(path)
    populate(database)
    sessions = SessionTable(database)
    for _ in range(300):
        sessions.add(samples.session(title="x" * 500))
    database.close()
    with path.open("r+b") as file:
        file.seek(file.seek(0, os.SEEK_END) - 40 * 4096)
        file.write(b"\xff" * 39 * 4096)
    found = problems(str(path))
    assert found
    assert all(problem.todo for problem in found)

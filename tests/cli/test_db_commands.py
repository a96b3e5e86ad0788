"""`hermes db`: kept, moved and checked, and nothing lost on the way."""

from __future__ import annotations

import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from hermes.testing.homes import skill_text

from .conftest import Shell


@contextmanager
def damaged(shell: Shell) -> Iterator[sqlite3.Connection]:
    """The database as a vandal holds it: no checks, no triggers."""
    with closing(sqlite3.connect(shell.root / "loop" / "loop.db")) as database, database:
        database.execute("PRAGMA ignore_check_constraints = ON")
        yield database


def a_library(shell: Shell) -> None:
    shell.create("tidy-csv", body="one")
    shell.agent("patch", asked=True, name="tidy-csv", old_string="one", new_string="two")
    shell.create("waits", asked=False)
    shell.create("put-away")
    shell("skills", "archive", "put-away")


def old_files(shell: Shell) -> list[Path]:
    return sorted((shell.root / "loop").glob("loop.db.*.old"))


def test_migrate(shell: Shell) -> None:
    first = shell("db", "migrate")
    assert (first.code, "went from schema 0 to" in first.out) == (0, True)
    plain = shell("db", "migrate", "--json").json
    assert plain["before"] == plain["schema"] > 0
    assert "which is the newest" in shell("db", "migrate").out


def test_a_schema_from_the_future_is_left_alone(shell: Shell) -> None:
    a_library(shell)
    with damaged(shell) as database:
        database.execute("PRAGMA user_version = 999")
    for words in (["db", "migrate"], ["db", "verify"], ["skills", "list"]):
        answer = shell(*words)
        assert (answer.code, "upgrade hermes-loop" in answer.err) == (1, True)


def test_a_whole_database(shell: Shell) -> None:
    a_library(shell)
    assert shell("db", "verify").out == "the database is whole\n"
    assert shell("db", "verify", "--json").json == {"whole": True, "problems": []}


def test_damage_is_found_named_and_answered_with_what_to_do(shell: Shell) -> None:
    a_library(shell)
    with damaged(shell) as database:
        database.execute("UPDATE contents SET data = CAST('altered' AS BLOB)")
    answer = shell("db", "verify")
    assert answer.code == 1
    assert "problem: contents" in answer.out
    assert "restore a backup" in answer.out
    plain = shell("db", "verify", "--json")
    assert (plain.code, plain.json["whole"]) == (1, False)


def test_a_backup_is_restored_in_another_home_with_its_folders(
    shell: Shell, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    a_library(shell)
    backup = tmp_path / "backup.zip"
    made = shell("db", "backup", str(backup), "--json").json
    assert made["size"] == backup.stat().st_size
    assert made["manifest"]["tables"]["skills"]["rows"] == 3
    other = Shell(tmp_path / "other", capsys)
    answer = other("db", "restore", str(backup), "--by", "ana")
    assert answer.code == 0, answer.err
    assert "1 skill folder written" in answer.out
    assert (other.skills / "tidy-csv" / "SKILL.md").read_text() == skill_text(
        "tidy-csv", body="two"
    )
    assert not (other.skills / "put-away").exists()
    assert other("db", "verify").code == 0
    assert [row[1] for row in other("review", "list").rows] == ["waits"]
    assert "ana restored tidy-csv" in other("events").out
    assert other("skills", "rollback", "tidy-csv", "--by", "ana").code == 0
    assert other("skills", "restore", "put-away").code == 0


def test_a_backup_never_overwrites_a_file(shell: Shell, tmp_path: Path) -> None:
    a_library(shell)
    taken = tmp_path / "taken"
    taken.write_text("mine")
    answer = shell("db", "backup", str(taken))
    assert (answer.code, "is there already" in answer.err) == (1, True)
    assert taken.read_text() == "mine"
    assert "no folder" in shell("db", "backup", str(tmp_path / "no" / "file")).err


def test_a_database_that_has_something_is_not_replaced_unasked(
    shell: Shell, tmp_path: Path
) -> None:
    a_library(shell)
    backup = str(tmp_path / "backup.zip")
    shell("db", "backup", backup)
    shell.create("later")
    answer = shell("db", "restore", backup)
    assert (answer.code, "pass --replace" in answer.err) == (1, True)
    assert "later" in shell("skills", "list").out
    assert old_files(shell) == []


def test_what_is_replaced_is_kept(shell: Shell, tmp_path: Path) -> None:
    a_library(shell)
    backup = str(tmp_path / "backup.zip")
    shell("db", "backup", backup)
    shell.agent("patch", asked=True, name="tidy-csv", old_string="two", new_string="three")
    time.sleep(0.1)  # until the folder counts as settled
    shell("skills", "show", "tidy-csv")  # this machine has seen it, as it is now
    answer = shell("db", "restore", backup, "--replace")
    assert answer.code == 0, answer.err
    (kept,) = old_files(shell)
    assert str(kept) in answer.err
    with closing(sqlite3.connect(kept)) as old:
        assert old.execute("SELECT MAX(number) FROM versions").fetchone() == (3,)
    assert shell("db", "verify").code == 0
    # The folder is newer than the backup: on one machine it decides, and nothing typed is lost.
    assert "three" in (shell.skills / "tidy-csv" / "SKILL.md").read_text()
    assert "changed on disk" in shell("skills", "history", "tidy-csv").out
    assert not list((shell.root / "loop").glob(".loop.db*")), "nothing half-made is left"


def test_a_damaged_database_is_replaced_and_kept(shell: Shell, tmp_path: Path) -> None:
    a_library(shell)
    backup = str(tmp_path / "backup.zip")
    shell("db", "backup", backup)
    (shell.root / "loop" / "loop.db").write_bytes(b"no database" * 1000)
    unasked = shell("db", "restore", backup)
    assert (unasked.code, "pass --replace" in unasked.err) == (1, True)
    assert shell("db", "restore", backup, "--replace").code == 0
    (kept,) = old_files(shell)
    assert kept.read_bytes().startswith(b"no database")
    assert shell("db", "verify").code == 0
    assert "tidy-csv" in shell("skills", "list").out


def test_a_database_in_use_is_not_replaced(shell: Shell, tmp_path: Path) -> None:
    a_library(shell)
    backup = str(tmp_path / "backup.zip")
    shell("db", "backup", backup)
    with shell.open() as home:
        home.ledger.skills.all()
        answer = shell("db", "restore", backup, "--replace")
        assert (answer.code, "in use by another process" in answer.err) == (1, True)
        assert len(home.ledger.skills.all()) == 3
    assert old_files(shell) == []
    assert not list((shell.root / "loop").glob(".loop.db*"))


def test_what_is_no_backup_changes_nothing(shell: Shell, tmp_path: Path) -> None:
    a_library(shell)
    wrong = tmp_path / "wrong.zip"
    wrong.write_text("no zip")
    cut = tmp_path / "cut.zip"
    shell("db", "backup", str(cut))
    cut.write_bytes(cut.read_bytes()[:-200])
    for file in (wrong, cut, tmp_path / "none.zip"):
        for more in ([], ["--replace"]):
            answer = shell("db", "restore", str(file), *more)
            assert answer.code == 1
            assert str(file) in answer.err
            assert "--replace" not in answer.err
    assert old_files(shell) == []
    assert shell("db", "verify").code == 0


def test_a_copy_is_compared_by_hash(shell: Shell, tmp_path: Path) -> None:
    a_library(shell)
    target = tmp_path / "copy.db"
    answer = shell("db", "copy", "--to", str(target))
    assert answer.code == 0, answer.err
    digests = {row[0]: row[2] for row in answer.rows}
    assert all(len(digest) == 64 for digest in digests.values())
    again = shell("db", "copy", "--to", str(target))
    assert (again.code, "is not empty" in again.err) == (1, True)
    shutil.copy(target, shell.root / "loop" / "loop.db")
    assert shell("db", "verify").code == 0


def test_a_copy_to_nowhere(shell: Shell) -> None:
    a_library(shell)
    assert shell("db", "copy").code == 2
    assert "no database of the kind" in shell("db", "copy", "--to", "mysql://x/y").err
    answer = shell("db", "copy", "--to", "postgresql://nobody:secret@127.0.0.1:1/x")
    assert answer.code == 1
    assert "secret" not in answer.err


@pytest.mark.postgres
def test_a_copy_to_postgres_and_a_backup_back(
    shell: Shell, postgres_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    a_library(shell)
    here = {row[0]: row[2] for row in shell("db", "copy", "--to", postgres_url).rows}
    team = {"MEMORY_DB_URL": postgres_url}
    assert shell("db", "verify", **team).code == 0
    backup = str(tmp_path / "from-postgres.zip")
    tables = shell("db", "backup", backup, "--json", **team).json["manifest"]["tables"]
    assert {name: digest["sha256"] for name, digest in tables.items()} == here
    refused = shell("db", "restore", backup, "--replace", **team)
    assert (refused.code, "is not empty" in refused.err) == (1, True)
    other = Shell(tmp_path / "other", capsys)
    assert other("db", "restore", backup).code == 0
    assert (other.skills / "tidy-csv" / "SKILL.md").exists()

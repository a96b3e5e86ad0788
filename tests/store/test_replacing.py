"""A SQLite file takes the place of another, and no log of the old one comes with it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from hermes.errors import Refused
from hermes.store.backup import backup
from hermes.store.open import open_database
from hermes.store.replacing import replace_by_backup, replace_file
from hermes.store.tables.skill import SkillTable
from hermes.store.transfer import silent
from hermes.testing import samples


def database_with(path: Path, name: str) -> Path:
    with closing(open_database(path)) as database:
        SkillTable(database).add(samples.skill(name=name))
    return path


def names_in(path: Path) -> list[str]:
    with closing(open_database(path)) as database:
        return [skill.name for skill in SkillTable(database).all()]


def test_the_old_file_is_kept_whole(tmp_path: Path) -> None:
    path = database_with(tmp_path / "loop.db", "old")
    new = database_with(tmp_path / "new.db", "new")
    kept = replace_file(path, new)
    assert names_in(path) == ["new"]
    assert names_in(kept) == ["old"]
    assert not new.exists()


def test_a_log_that_a_dead_process_left_is_not_played_into_the_new_file(tmp_path: Path) -> None:
    """Copied while it was open, the database has its last change in the log alone."""
    source = open_database(tmp_path / "source.db")
    SkillTable(source).add(samples.skill(name="in-the-log"))
    for suffix in ("", "-wal"):
        data = (tmp_path / f"source.db{suffix}").read_bytes()
        (tmp_path / f"loop.db{suffix}").write_bytes(data)
    source.close()
    path = tmp_path / "loop.db"
    kept = replace_file(path, database_with(tmp_path / "new.db", "new"))
    assert not (tmp_path / "loop.db-wal").exists()
    assert names_in(path) == ["new"]
    assert names_in(kept) == ["in-the-log"], "and the old one has not lost it"


def test_a_file_in_use_stays(tmp_path: Path) -> None:
    path = database_with(tmp_path / "loop.db", "old")
    new = database_with(tmp_path / "new.db", "new")
    with closing(sqlite3.connect(path)) as other:
        other.execute("SELECT * FROM skills").fetchall()
        with pytest.raises(Refused, match="in use by another process"):
            replace_file(path, new)
    assert names_in(path) == ["old"]
    assert sorted(file.name for file in tmp_path.iterdir()) == ["loop.db", "new.db"]


def test_a_damaged_file_leaves_with_its_log(tmp_path: Path) -> None:
    path = tmp_path / "loop.db"
    path.write_bytes(b"no database" * 500)
    (tmp_path / "loop.db-wal").write_bytes(b"no log")
    kept = replace_file(path, database_with(tmp_path / "new.db", "new"))
    assert names_in(path) == ["new"]
    assert kept.read_bytes().startswith(b"no database")
    assert kept.with_name(f"{kept.name}-wal").read_bytes() == b"no log"


def test_a_backup_in_the_place_of_a_file(tmp_path: Path) -> None:
    with closing(open_database(database_with(tmp_path / "source.db", "saved"))) as source:
        backup(source, tmp_path / "backup.zip")
    path = database_with(tmp_path / "loop.db", "old")
    manifest, kept = replace_by_backup(path, tmp_path / "backup.zip", silent)
    assert manifest.tables["skills"].rows == 1
    assert names_in(path) == ["saved"]
    assert names_in(kept) == ["old"]
    assert path.stat().st_mode & 0o077 == 0, "for its owner's eyes only"

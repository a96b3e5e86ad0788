"""Whose run it is, and whether that process still lives."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hermes.agent.ownership import Ownership
from hermes.errors import DiskFailed


def test_an_owner_lives_as_long_as_it_holds_its_lock(tmp_path: Path) -> None:
    one, other = Ownership(tmp_path, "home"), Ownership(tmp_path, "home")
    owner = one.owner
    assert owner == one.owner
    assert not one.is_dead(owner)
    assert not other.is_dead(owner)
    one.close()
    assert other.is_dead(owner)
    assert list(tmp_path.iterdir()) == []


def test_a_process_that_was_killed_is_dead_though_its_file_is_there(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writing, Ownership(tmp_path, "home").owner.encode())
        os._exit(9)
    os.waitpid(child, 0)
    owner = os.read(reading, 200).decode()
    assert len(list(tmp_path.iterdir())) == 1
    assert Ownership(tmp_path, "home").is_dead(owner)


def test_what_a_killed_process_left_is_dropped_and_nothing_else(tmp_path: Path) -> None:
    living, young = Ownership(tmp_path, "home"), tmp_path / "run_young.lock"
    (tmp_path / "run_killed.lock").touch()
    owner = living.owner
    for file in tmp_path.iterdir():
        os.utime(file, (0, 0))
    young.touch()
    other = Ownership(tmp_path, "home")
    other.tidy()
    assert sorted(tmp_path.iterdir()) == sorted([tmp_path / f"{owner[5:]}.lock", young])
    assert not other.is_dead(owner)


def test_a_process_of_another_machine_is_not_ours_to_judge(tmp_path: Path) -> None:
    assert not Ownership(tmp_path, "home").is_dead("elsewhere/run_1")
    assert Ownership(tmp_path, "home").is_dead("home/run_1")


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DiskFailed, match="cannot be written"):
        _ = Ownership(tmp_path / "file" / "runs", "home").owner

"""Disk that a run has filled, wherever it hides it."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from hermes.sandbox.disk import DiskWatch

LIMIT = 4 << 20


def watch(tmp_path: Path) -> DiskWatch:
    return DiskWatch([str(tmp_path)], LIMIT)


def is_found_over(started: DiskWatch, root: int | None = None) -> bool:
    """The next walk says so; it may come late where somebody else frees disk at this moment."""
    until = time.monotonic() + 5
    while time.monotonic() < until:
        if started.is_over(root):
            return True
        time.sleep(0.02)
    return False


def test_nothing_was_written(tmp_path: Path) -> None:
    assert not watch(tmp_path).is_over(None)


def test_large_files(tmp_path: Path) -> None:
    started = watch(tmp_path)
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "large").write_bytes(os.urandom(2 * LIMIT))
    assert is_found_over(started)


def test_many_small_files(tmp_path: Path) -> None:
    started = watch(tmp_path)
    for number in range(LIMIT // 4096 + 200):
        (tmp_path / str(number)).touch()
    assert is_found_over(started)


def test_deleted_files_that_are_open(tmp_path: Path) -> None:
    started = watch(tmp_path)
    with open(tmp_path / "ghost", "wb") as file:
        file.write(os.urandom(2 * LIMIT))
        file.flush()
        os.unlink(file.name)
        assert not watch(tmp_path).is_over(None)
        assert is_found_over(started, os.getpid())


def test_somebody_else_may_free_what_a_run_fills(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    ballast = tmp_path_factory.mktemp("elsewhere") / "ballast"
    ballast.write_bytes(os.urandom(4 * LIMIT))
    started = watch(tmp_path)
    (tmp_path / "large").write_bytes(os.urandom(2 * LIMIT))
    ballast.unlink()
    assert is_found_over(started)


def test_what_somebody_else_wrote_elsewhere_does_not_count(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    started = watch(tmp_path)
    (elsewhere / "large").write_bytes(os.urandom(2 * LIMIT))
    assert not started.is_over(None)

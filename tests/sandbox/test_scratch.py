"""Scratch folders go away, whatever was left in them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hermes.sandbox.scratch import remove, scratch


def test_the_folders_of_a_trial_exist_while_they_are_held() -> None:
    with scratch() as place:
        assert Path(place.skills).is_dir()
        assert Path(place.data).stat().st_mode & 0o777 == 0o700
    assert not Path(place.data).parent.exists()


def test_they_go_also_when_the_work_failed() -> None:
    with pytest.raises(RuntimeError), scratch() as place:
        raise RuntimeError
    assert not Path(place.data).parent.exists()


def test_what_a_killed_process_left_is_swept(tmp_path: Path) -> None:
    code = (
        f"import tempfile; tempfile.tempdir = {str(tmp_path)!r}\n"
        "from hermes.sandbox.scratch import scratch\n"
        "with scratch() as place: print(place.data)"
    )
    old, young, alive = (
        tmp_path / f"hermes-sandbox-{name}" for name in ("99999999-a", "99999999-b", "1-c")
    )
    for folder in (old, young, alive):
        (folder / "data").mkdir(parents=True)
    for folder in (old, alive):
        os.utime(folder, (0, 0))
    subprocess.run([sys.executable, "-c", code], check=True)
    assert sorted(tmp_path.iterdir()) == sorted((young, alive))


def test_deeper_than_the_stack(tmp_path: Path) -> None:
    top = tmp_path / "top"
    top.mkdir()
    before = os.getcwd()
    os.chdir(top)
    try:
        for _ in range(1500):
            os.mkdir("a-name-of-some-length")
            os.chdir("a-name-of-some-length")
    finally:
        os.chdir(before)
    remove(str(top))
    assert not top.exists()


def test_closed_folders_and_strange_names(tmp_path: Path) -> None:
    top = tmp_path / "top"
    (top / "closed" / "inner").mkdir(parents=True)
    (top / "closed" / "inner" / "file").write_text("x")
    (top / "-rf").write_text("x")
    os.mkfifo(top / "pipe")
    (top / os.fsdecode(b"\xff\n")).write_text("x")
    (top / "closed" / "inner").chmod(0)
    (top / "closed").chmod(0)
    remove(str(top))
    assert not top.exists()


def test_links_are_removed_and_not_followed(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "file").write_text("x")
    top = tmp_path / "top"
    top.mkdir()
    (top / "link").symlink_to(kept)
    remove(str(top))
    assert (kept / "file").read_text() == "x"

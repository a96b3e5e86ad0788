"""What the log does not show, taken from the disk when asked: only what is still as it was."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path

import pytest

from hermes.ingest.artefacts import SessionFiles, TaskFiles
from hermes.ingest.splitting import split
from hermes.testing.turns import BEGAN, Talk

ENDED = BEGAN + timedelta(hours=1)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the session worked; its files are older than the session."""
    work = tmp_path / "work"
    work.mkdir()
    for name, text in (("in.csv", "b\na\n"), ("out.csv", "a\nb\n")):
        _put(work / name, text)
    return work


def _put(path: Path, text: str, later: float = 0) -> None:
    path.write_text(text)
    moment = BEGAN.timestamp() + later
    os.utime(path, (moment, moment))


def _files(folder: Path, command: str, *, from_disk: bool = True, limit: int = 100) -> TaskFiles:
    talk = Talk(cwd=str(folder)).user("Sort it").does("Bash", "", command=command).agent("Done.")
    (task,) = split(talk.turns)
    return SessionFiles(str(folder), limit, from_disk=from_disk).of_task(task, ENDED)


def _contents(files: TaskFiles) -> dict[str, bytes | None]:
    found = [*files.inputs, *(one for some in files.artefacts.values() for one in some)]
    return {f"{one.role}:{one.name}": files.blobs.get(one.content or "") for one in found}


def test_files_are_taken_only_when_asked(folder: Path) -> None:
    command = "sort in.csv > out.csv"
    unknown = _files(folder, command, from_disk=False)
    assert set(_contents(unknown).values()) == {None}
    assert unknown.missing == ("its content is not in the log",)
    known = _files(folder, command)
    assert _contents(known) == {
        "given:in.csv": b"b\na\n",
        "read:in.csv": b"b\na\n",
        "written:out.csv": b"a\nb\n",
    }
    assert (known.missing, known.unrecovered) == ((), {})


def test_a_file_that_changed_since_is_not_taken(folder: Path) -> None:
    _put(folder / "in.csv", "new\n", later=7_200)
    assert _contents(_files(folder, "sort in.csv"))["given:in.csv"] is None


def test_a_file_that_the_task_overwrote_is_no_input(folder: Path) -> None:
    found = _contents(_files(folder, "sort in.csv > tmp && mv tmp in.csv"))
    assert found["given:in.csv"] is None
    assert found["written:in.csv"] == b"b\na\n"


def test_nothing_outside_the_folder_is_taken(folder: Path) -> None:
    _put(folder.parent / "secret.txt", "secret")
    (folder / "link.txt").symlink_to("../secret.txt")
    for command in ("sort ../secret.txt", f"sort {folder.parent}/secret.txt", "sort link.txt"):
        assert set(_contents(_files(folder, command)).values()) == {None}


def test_a_large_file_is_not_taken(folder: Path) -> None:
    files = _files(folder, "sort in.csv", limit=3)
    assert set(_contents(files).values()) == {None}


def test_what_is_too_large_to_keep_says_so(folder: Path) -> None:
    files = _files(folder, "cat > big.txt <<'EOF'\n12345\nEOF", from_disk=False, limit=3)
    assert set(_contents(files).values()) == {None}
    assert "more than 3 bytes" in next(iter(files.unrecovered.values()))

"""What a call read and wrote, found on the disk: with its content, bounded, and never from
elsewhere."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hermes.agent.confinement import Confinement
from hermes.agent.watching import Watch
from hermes.records.artefact import Artefact, ArtefactRole
from hermes.store.blobs import DiskBlobs


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "data.csv").write_text("id\n1\n")
    return folder


@pytest.fixture
def blobs(tmp_path: Path) -> DiskBlobs:
    return DiskBlobs(tmp_path / "blobs")


def watch_of(project: Path, blobs: DiskBlobs, hidden: tuple[Path, ...] = ()) -> Watch:
    return Watch(Confinement(project, hidden=hidden), blobs)


def names(artefacts: list[Artefact]) -> list[str]:
    return sorted(one.name for one in artefacts)


def test_what_is_named_is_kept_as_it_was_and_what_changed_as_it_is(
    project: Path, blobs: DiskBlobs
) -> None:
    watch = watch_of(project, blobs)
    call = {"command": "sed -i s/1/2/ 'data.csv' && cp data.csv sub/copy.csv"}
    (read,) = watch.named(call)
    (project / "data.csv").write_text("id\n2\n")
    (project / "sub").mkdir()
    (project / "sub" / "copy.csv").write_text("id\n2\n")
    written = watch.changed(call)
    assert (read.name, read.role, blobs.get(read.content or "")) == (
        "data.csv",
        ArtefactRole.READ,
        b"id\n1\n",
    )
    assert names(written) == ["data.csv", "sub/copy.csv"]
    assert {blobs.get(one.content or "") for one in written} == {b"id\n2\n"}
    assert {one.role for one in written} == {ArtefactRole.WRITTEN}
    assert watch.changed(call) == []


def test_what_nobody_named_is_found_too_in_new_and_in_old_folders(
    project: Path, blobs: DiskBlobs
) -> None:
    (project / "old").mkdir()
    (project / "old" / "kept.txt").write_text("x")
    watch = watch_of(project, blobs)
    watch.named({"code": "print(1)"})
    (project / "old" / "made.txt").write_text("by python")
    (project / "new" / "er").mkdir(parents=True)
    (project / "new" / "er" / "made.txt").write_text("deep")
    (project / "old" / "kept.txt").write_text("changed in place")
    assert names(watch.changed({})) == ["new/er/made.txt", "old/kept.txt", "old/made.txt"]
    (project / "old" / "made.txt").unlink()
    assert watch.changed({}) == []
    (project / "old" / "made.txt").write_text("again")
    assert names(watch.changed({})) == ["old/made.txt"]


def test_what_is_too_large_is_named_and_not_kept(project: Path, tmp_path: Path) -> None:
    class Small(DiskBlobs):
        @property
        def limit(self) -> int:
            return 10

    watch = watch_of(project, Small(tmp_path / "small"))
    watch.named({})
    (project / "big.bin").write_bytes(b"\0" * 11)
    (found,) = watch.changed({})
    assert (found.name, found.content, found.size) == ("big.bin", None, 11)


def test_no_link_brings_in_what_lies_elsewhere(
    project: Path, blobs: DiskBlobs, tmp_path: Path
) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    loop = project / "hh" / "loop"
    loop.mkdir(parents=True)
    (loop / "loop.db").write_text("ours")
    (project / "out").symlink_to(tmp_path)
    (project / "leaf").symlink_to(tmp_path / "secret.txt")
    (project / "back").symlink_to(loop)
    (project / ".netrc").write_text("machine x")
    watch = watch_of(project, blobs, hidden=(loop,))
    words = "cat out/secret.txt leaf back/loop.db hh/loop/loop.db .netrc ../secret.txt /etc/passwd"
    assert watch.named({"command": words}) == []
    (tmp_path / "secret.txt").write_text("changed")
    (loop / "loop.db").write_text("changed")
    assert watch.changed({"command": words}) == []


def test_pipes_odd_words_and_huge_arguments_do_no_harm(project: Path, blobs: DiskBlobs) -> None:
    os.mkfifo(project / "pipe")
    watch = watch_of(project, blobs)
    odd = {"command": "cat pipe " + "x/" * 3_000, "list": ["a\0b", {"deep": "data.csv"}], "n": 3}
    assert names(watch.named(odd)) == ["data.csv"]  # type: ignore[arg-type]
    assert watch.named({"code": "y" * 5_000_000}) == []


def test_in_a_very_large_project_looking_stays_bounded(project: Path, blobs: DiskBlobs) -> None:
    for folder in range(30):
        (project / f"d{folder}").mkdir()
        for number in range(100):
            (project / f"d{folder}" / f"f{number}").touch()
    watch = watch_of(project, blobs)
    assert watch.named({"path": "d29/f99"}) != []
    (project / "d29" / "f99").write_text("named, so it is seen")
    (project / "result.txt").write_text("new")
    assert {"d29/f99", "result.txt"} <= set(names(watch.changed({"path": "d29/f99"})))


def test_a_call_that_writes_thousands_of_files_keeps_some(project: Path, blobs: DiskBlobs) -> None:
    watch = watch_of(project, blobs)
    watch.named({})
    for number in range(500):
        (project / f"out{number}").write_text("x")
    assert len(watch.changed({})) == 64

"""Blobs on disk: private, whole, kept once, and never handed out when they were altered."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from hermes.errors import CorruptData, DiskFailed, Refused
from hermes.ids import content_hash
from hermes.store.blobs import DiskBlobs


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def test_bytes_come_back_and_are_kept_once(tmp_path: Path) -> None:
    blobs = DiskBlobs(tmp_path / "blobs")
    data = bytes(range(256))
    assert blobs.put(data) == blobs.put(data) == content_hash(data)
    assert blobs.get(content_hash(data)) == data
    assert len(_files(tmp_path)) == 1


def test_what_was_never_kept_is_none(tmp_path: Path) -> None:
    assert DiskBlobs(tmp_path / "blobs").get("0" * 64) is None


def test_only_the_owner_may_read(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        blobs = DiskBlobs(tmp_path / "blobs")
        name = blobs.put(b"private")
    finally:
        os.umask(before)
    path = tmp_path / "blobs" / name[:2] / name
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "blobs").stat().st_mode & 0o777 == 0o700


def test_altered_bytes_are_an_error(tmp_path: Path) -> None:
    blobs = DiskBlobs(tmp_path)
    name = blobs.put(b"as it was")
    (tmp_path / name[:2] / name).write_bytes(b"as it is")
    with pytest.raises(CorruptData, match="another hash"):
        blobs.get(name)


def test_too_many_bytes_are_refused(tmp_path: Path) -> None:
    blobs = DiskBlobs(tmp_path, limit=3)
    blobs.put(b"abc")
    with pytest.raises(Refused, match="too many"):
        blobs.put(b"abcd")
    assert len(_files(tmp_path)) == 1


def test_a_batch_is_there_when_it_ends(tmp_path: Path) -> None:
    blobs = DiskBlobs(tmp_path)
    with blobs.batch(), blobs.batch():
        names = [blobs.put(f"{number}".encode()) for number in (1, 2, 2)]
        assert blobs.get(names[0]) is None
    assert [blobs.get(name) for name in names] == [b"1", b"2", b"2"]
    assert len(_files(tmp_path)) == 2


def test_a_failed_batch_leaves_nothing(tmp_path: Path) -> None:
    blobs = DiskBlobs(tmp_path)

    def fail() -> None:
        with blobs.batch():
            blobs.put(b"half")
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert _files(tmp_path) == []
    blobs.put(b"whole")  # the batch is over: this one is durable by itself
    assert len(_files(tmp_path)) == 1


def test_a_death_in_a_batch_shows_no_half_blob(tmp_path: Path) -> None:
    child = os.fork()
    if child == 0:
        blobs = DiskBlobs(tmp_path)
        with blobs.batch():
            blobs.put(b"never named")
            os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    blobs = DiskBlobs(tmp_path)
    assert blobs.get(content_hash(b"never named")) is None
    assert blobs.put(b"never named") == content_hash(b"never named")
    assert blobs.get(content_hash(b"never named")) == b"never named"


def test_what_a_dead_process_left_on_its_way_goes_after_a_day(tmp_path: Path) -> None:
    DiskBlobs(tmp_path).put(b"x")
    old, fresh = tmp_path / "new" / "1-1-1", tmp_path / "new" / "2-2-2"
    for path in (old, fresh):
        path.write_bytes(b"half")
    os.utime(old, (0, 0))
    DiskBlobs(tmp_path).put(b"y")
    assert (old.exists(), fresh.exists()) == (False, True)


@pytest.mark.parametrize("count", [3, 40])
def test_few_and_many_are_kept_alike(tmp_path: Path, count: int) -> None:
    blobs = DiskBlobs(tmp_path)
    with blobs.batch():
        names = [blobs.put(f"{number}".encode()) for number in range(count)]
    assert [blobs.get(name) for name in names] == [f"{n}".encode() for n in range(count)]
    assert list((tmp_path / "new").iterdir()) == []


def test_a_full_disk_says_so(tmp_path: Path) -> None:
    (tmp_path / "blobs").write_text("a file where the folder should be")
    with pytest.raises(DiskFailed):
        DiskBlobs(tmp_path / "blobs").put(b"x")

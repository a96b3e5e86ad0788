"""A disk that is really full, really read-only, or refuses files beyond a size.

The disk is filled until 0, 1, 2, … pages are free, and each operation is tried at each, so that
files, folders, the database and its log meet the end of the disk at every point.
"""

from __future__ import annotations

import os
import resource
from pathlib import Path

import pytest

from hermes.errors import HermesError
from hermes.testing.chaos import OPERATIONS, Tell, run_in_child
from hermes.testing.homes import Desk, Place, skill_text
from hermes.testing.mounts import run_python
from hermes.testing.wholeness import faults_of

SMALL_DISK = 8 * 2**20

FILL_AND_TRY = """
import os, sys, time
from pathlib import Path

from hermes.errors import DiskFailed, HermesError, StoreUnavailable
from hermes.testing.chaos import Worker
from hermes.testing.homes import Desk, Place, skill_text
from hermes.testing.wholeness import faults_of, tree_on_disk

disk, operation, opened_first = Path(sys.argv[1]), sys.argv[2], sys.argv[3] == "opened first"
step = 1 if operation == "patch" else 3
place, ballast = Place(disk / "home"), disk / "ballast"


def fill(free_pages):
    page = os.statvfs(disk).f_frsize
    with ballast.open("wb") as file:
        while os.statvfs(disk).f_bavail > free_pages + 1:
            left = os.statvfs(disk).f_bavail - free_pages - 1
            file.write(bytes(page * min(left, 64)))
            file.flush()
        while os.statvfs(disk).f_bavail > free_pages:
            file.write(bytes(page))
            file.flush()


def attempt(home, name):
    job = Worker(home, lambda *_: None, time.time_ns()).job(operation, name)
    assert job is not None
    answer = job.call()
    if isinstance(answer, dict) and not answer["success"]:
        assert answer["error"] in ("disk", "store_unavailable"), answer
        raise DiskFailed(answer["message"])
    assert tree_on_disk(place.skills / name) == job.live


failures = 0
for free in range(0, 400, step):
    name = f"skill-{free}" if operation == "create" else "skill"
    with place.open() as home:
        Worker(home, lambda *_: None).prepare(operation, name)
        Worker(home, lambda *_: None).prepare("patch", "reader")
        Desk(home).view("reader")
    before = tree_on_disk(place.skills / name)
    home = place.open() if opened_first else None
    if home is not None:
        Desk(home).view("reader")
    fill(free)
    try:
        if home is None:
            home = place.open()
        attempt(home, name)
        done = True
    except (DiskFailed, StoreUnavailable) as error:
        done, failures = False, failures + 1
        assert error.message
        assert tree_on_disk(place.skills / name) == before, f"{free} pages free: {error}"
        if opened_first:  # what was open goes on serving what is there
            answer = Desk(home).view("reader")
            assert "mark" in answer.get("content", ""), f"{free} pages free: {answer}"
    ballast.unlink()
    if home is not None:
        home.close()
    with place.open() as home:
        home.reader.look()
        assert faults_of(home) == [], f"{free} pages free"
        if not done:
            assert tree_on_disk(place.skills / name) == before
            Worker(home, lambda *_: None).prepare(operation, name)
            attempt(home, name)
    if done and free > 40:
        break
print(failures)
"""


FULL = [
    *((operation, "opened first", ()) for operation in OPERATIONS),
    *((operation, "opened then", ()) for operation in ("create", "patch")),
    ("create", "opened first", ("--unshare-user", "--uid", "1000", "--gid", "1000")),
]


@pytest.mark.parametrize(("operation", "when", "user"), FULL)
def test_the_disk_is_full_at_every_page(
    tmp_path: Path, operation: str, when: str, user: tuple[str, ...]
) -> None:
    mounts = ("--size", str(SMALL_DISK), "--tmpfs", str(tmp_path), *user)
    result = run_python(FILL_AND_TRY, *mounts, arguments=(str(tmp_path), operation, when))
    assert result.returncode == 0, result.stderr[-3000:]
    assert int(result.stdout) > 1, "the disk was never full enough"


@pytest.mark.parametrize("size", [0, 100, 4_096, 30_000, 100_000, 200_000, 300_000, 500_000])
def test_files_may_not_grow_beyond_a_size(tmp_path: Path, size: int) -> None:
    """A quota for single files: the store is large, a skill is small."""
    place = Place(tmp_path / "home")
    with place.open() as home:
        Desk(home).manage("create", name="old", content=skill_text("old", body="as it was"))
        Desk(home).view("old")

    def work(_: Tell) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        try:
            home = place.open()
            for number in range(40):
                text = skill_text(f"new-{number}", body="x" * 20_000)
                answer = Desk(home).manage("create", name=f"new-{number}", content=text)
                if not answer["success"]:
                    assert answer["error"] in ("disk", "store_unavailable"), answer
                    os._exit(0)
        except HermesError:
            os._exit(0)
        raise AssertionError("the limit was never met")

    run_in_child(work)
    with place.open() as home:
        home.reader.look()
        assert faults_of(home) == []
        assert "as it was" in Desk(home).view("old")["content"]
        answer = Desk(home).manage("create", name="next", content=skill_text("next"))
        assert answer["success"]


READ_ONLY = """
import sys
from pathlib import Path

from hermes.errors import HermesError
from hermes.testing.homes import Desk, Place, skill_text

try:
    home = Place(Path(sys.argv[1])).open()
    desk = Desk(home)
    print("reads" if desk.view("old")["success"] else desk.view("old"))
    answer = desk.manage("create", name="new", content=skill_text("new"))
    print(answer["error"] if not answer["success"] else "written")
except HermesError as error:
    print(error.code)
"""


@pytest.mark.parametrize(
    ("what", "expected"),
    [("", ["config"]), ("loop", ["config"]), ("skills", ["reads", "disk"])],
    ids=["everything", "the store", "the skills"],
)
def test_a_home_that_cannot_be_written_says_so(
    tmp_path: Path, what: str, expected: list[str]
) -> None:
    place = Place(tmp_path / "home")
    with place.open() as home:
        Desk(home).manage("create", name="old", content=skill_text("old"))
        home.reader.look()
    home_path, closed = str(place.root), str(place.root / what)
    mounts = ("--bind", home_path, home_path, "--ro-bind", closed, closed)
    result = run_python(READ_ONLY, *mounts, arguments=(home_path,))
    assert result.returncode == 0, result.stderr[-3000:]
    assert result.stdout.split() == expected
    with place.open() as home:
        home.reader.look()
        assert faults_of(home) == []

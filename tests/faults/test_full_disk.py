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
from hermes.testing.chaos import OPERATIONS, Tell, Worker, run_in_child
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
for free in range(400):
    name = f"skill-{free}" if operation == "create" else "skill"
    with place.open() as home:
        Worker(home, lambda *_: None).prepare(operation, name)
        Worker(home, lambda *_: None).prepare("patch", "reader")
        Desk(home).view("reader")
    before = tree_on_disk(place.skills / name)
    home = place.open() if opened_first else None
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
            assert "mark" in Desk(home).view("reader")["content"]
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


@pytest.mark.parametrize("user", ["root", "somebody"])
@pytest.mark.parametrize("when", ["opened first", "opened then"])
@pytest.mark.parametrize("operation", OPERATIONS)
def test_the_disk_is_full_at_every_page(
    tmp_path: Path, operation: str, when: str, user: str
) -> None:
    if user == "somebody" and operation not in ("create", "patch"):
        pytest.skip("a full disk is full for everybody; two operations show it")
    who = ("--unshare-user", "--uid", "1000", "--gid", "1000") if user == "somebody" else ()
    mounts = ("--size", str(SMALL_DISK), "--tmpfs", str(tmp_path), *who)
    result = run_python(FILL_AND_TRY, *mounts, arguments=(str(tmp_path), operation, when))
    assert result.returncode == 0, result.stderr[-3000:]
    assert int(result.stdout) > 1, "the disk was never full enough"

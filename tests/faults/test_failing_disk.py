"""The Nth operation on the disk fails, N = 1, 2, … until the work gets through.

Each time: a clear error, the old state whole, and the next try works.
"""

from __future__ import annotations

import errno
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from hermes.app import Home
from hermes.errors import DiskFailed
from hermes.library.filesystem import Files
from hermes.testing.chaos import OPERATIONS, Job, Worker
from hermes.testing.faults import Countdown, SteppedFiles, TwoStepFiles, failing_with
from hermes.testing.homes import Place
from hermes.testing.points import MANY, Points
from hermes.testing.wholeness import faults_of, tree_on_disk

EVERY = range(1, MANY)
ON_DISK = [operation for operation in OPERATIONS if operation != "propose"]


def attempt(job: Job) -> bool:
    """Whether it was done; if not, the disk's refusal was told as that."""
    try:
        answer = job.call()
    except DiskFailed:
        return False
    if isinstance(answer, dict) and not answer["success"]:
        assert answer["error"] == "disk", answer
        return False
    return True


def trials(
    place: Place, operation: str, numbers: Iterable[int] = EVERY
) -> Iterator[tuple[int, str]]:
    """Each number with the name of a skill that the operation can be done to."""
    for number in numbers:
        name = f"skill-{number}" if operation == "create" else "skill"
        with place.open() as home:
            Worker(home, lambda *_: None).prepare(operation, name)
        yield number, name
    raise AssertionError("it never gets through")


def job_of(home: Home, operation: str, name: str) -> Job:
    job = Worker(home, lambda *_: None, time.time_ns()).job(operation, name)
    assert job is not None
    return job


@pytest.mark.parametrize("operation", ON_DISK)
def test_a_full_disk(lone_place: Place, operation: str) -> None:
    assert last_point(lone_place, operation, errno.ENOSPC, Files()) > 3


@pytest.mark.postgres
@pytest.mark.parametrize("operation", ON_DISK)
def test_a_full_disk_beside_a_server(
    tmp_path: Path, postgres_url: str, points: Points, operation: str
) -> None:
    """The same files, while the store is elsewhere and has room."""
    place = Place(tmp_path / "home", database_url=postgres_url)
    assert last_point(place, operation, errno.ENOSPC, Files(), points) > 3


@pytest.mark.parametrize("operation", ON_DISK)
def test_a_broken_disk_that_cannot_exchange_folders(tmp_path: Path, operation: str) -> None:
    place = Place(tmp_path / "home")
    assert last_point(place, operation, errno.EIO, TwoStepFiles()) > 3


def last_point(
    place: Place, operation: str, code: int, inner: Files, numbers: Iterable[int] = EVERY
) -> int:
    """Fails once at each point; the first number that the operation has no point for."""
    for number, name in trials(place, operation, numbers):
        before = tree_on_disk(place.skills / name)
        fault = Countdown(number, failing_with(code))
        with place.open(files=SteppedFiles(fault, inner)) as home:
            job = job_of(home, operation, name)
            done = attempt(job)
            assert tree_on_disk(place.skills / name) == (job.live if done else before), (
                fault.operation
            )
            if not done:
                again = job_of(home, operation, name)
                assert attempt(again), "the next try works"
                assert tree_on_disk(place.skills / name) == again.live
        with place.open() as home:
            home.reader.look()
            assert faults_of(home) == [], (number, fault.operation)
        if not fault.reached:
            return number
    raise AssertionError("it never gets through")


@pytest.mark.parametrize("operation", ON_DISK)
def test_everything_fails_from_then_on(tmp_path: Path, operation: str) -> None:
    """Even taking it back fails. When the disk is well again, folder and store agree."""
    place = Place(tmp_path / "home")
    for number, name in trials(place, operation):
        before = tree_on_disk(place.skills / name)
        fault = Countdown(number, failing_with(errno.EIO), again=True)
        with place.open(files=SteppedFiles(fault)) as home:
            job = job_of(home, operation, name)
            done = attempt(job)
        with place.open() as home:
            home.reader.look()
            assert faults_of(home) == [], (number, fault.operation)
            allowed = {job.live} if done else {before, job.live}
            assert tree_on_disk(place.skills / name) in allowed, (number, fault.operation)
        if not fault.reached:
            assert number > 3
            return

"""The database server hangs up at the Nth statement: told, and folder and store still agree.

When it hangs up during the last commit nobody can know whether that arrived. Whatever the truth
is, both sides must come to the same one.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import psycopg
import pytest

from hermes.app import Home
from hermes.errors import StoreUnavailable
from hermes.testing.chaos import OPERATIONS, Job, Worker
from hermes.testing.faults import Countdown
from hermes.testing.homes import Place
from hermes.testing.points import Points
from hermes.testing.postgres import TestServer
from hermes.testing.wholeness import faults_of, tree_on_disk

FAR_AWAY = 10**9
pytestmark = pytest.mark.postgres


def attempt(job: Job) -> bool:
    try:
        answer = job.call()
    except StoreUnavailable:
        return False
    if isinstance(answer, dict) and not answer["success"]:
        assert answer["error"] == "store_unavailable", answer
        return False
    return True


@pytest.mark.parametrize("operation", OPERATIONS)
def test_the_server_hangs_up_before_every_statement(
    postgres_server: TestServer,
    postgres_url: str,
    tmp_path: Path,
    operation: str,
    points: Points,
) -> None:
    place = Place(tmp_path / "home", database_url=postgres_url)
    fault = Countdown(FAR_AWAY, lambda: postgres_server.hang_up(postgres_url))
    assert points_met(points, place, operation, fault, lambda: place.open(point=fault)) > 10


@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_statement_is_done_and_its_answer_is_lost(
    postgres_server: TestServer,
    postgres_url: str,
    tmp_path: Path,
    operation: str,
    points: Points,
) -> None:
    def lose() -> None:
        postgres_server.hang_up(postgres_url)
        raise psycopg.OperationalError("server closed the connection unexpectedly")

    place = Place(tmp_path / "home", database_url=postgres_url)
    fault = Countdown(FAR_AWAY, lose)
    opened = partial(place.open, point=lambda _: None, answered=fault)
    assert points_met(points, place, operation, fault, opened) > 10


def points_met(
    points: Points, place: Place, operation: str, fault: Countdown, opened: Callable[[], Home]
) -> int:
    """The server is lost at each point; the first number that the operation has no point for."""
    for number in points:
        name = f"skill-{number}" if operation == "create" else "skill"
        with place.open() as home:
            Worker(home, lambda *_: None).prepare(operation, name)
        before = tree_on_disk(place.skills / name)
        fault.start(FAR_AWAY)
        with opened() as home:
            job = Worker(home, lambda *_: None, time.time_ns()).job(operation, name)
            assert job is not None
            fault.start(number)
            done = attempt(job)
        with place.open() as home:
            home.reader.look()
            assert faults_of(home) == [], (number, fault.operation)
            allowed = {job.live} if done else {before, job.live}
            assert tree_on_disk(place.skills / name) in allowed, (number, fault.operation)
        if not fault.reached:
            return number
    raise AssertionError("it never gets through")

"""Fixtures shared by every room: a real home on a real database, once on each kind."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

from hermes.app import Home
from hermes.testing.fixtures import *  # noqa: F403
from hermes.testing.fixtures import BOTH
from hermes.testing.homes import Desk, Place
from hermes.testing.points import Points

pytest.register_assert_rewrite("hermes.testing.contracts")  # before anybody imports them

# A busy machine is no fault of the code; speed is measured by `hermes bench`.
hypothesis.settings.register_profile(
    "hermes",
    max_examples=50,
    deadline=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("hermes")

# Who starts the tests in the background has them ignore Ctrl-C, and their children too.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(params=BOTH)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """An empty home; a test that asks for it runs on SQLite and on PostgreSQL."""
    url = request.getfixturevalue("postgres_url") if request.param == "postgres" else None
    return Place(tmp_path / "home", database_url=url)


@pytest.fixture
def home(place: Place) -> Iterator[Home]:
    opened = place.open()
    yield opened
    opened.close()


@pytest.fixture
def lone_place(tmp_path: Path) -> Place:
    """SQLite alone, for what does not depend on the database."""
    return Place(tmp_path / "home")


@pytest.fixture
def lone_home(lone_place: Place) -> Iterator[Home]:
    opened = lone_place.open()
    yield opened
    opened.close()


@pytest.fixture
def desk(home: Home) -> Desk:
    return Desk(home)


@pytest.fixture(params=["sampled", pytest.param("every", marks=pytest.mark.soak)])
def points(request: pytest.FixtureRequest) -> Points:
    """Where an operation is made to fail: a sample here, every point in `make soak`."""
    return Points(every=request.param == "every")

"""Fixtures shared by every room: a real home on a real database."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hermes.app import Home
from hermes.testing.homes import Desk, Place


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path / "home")


@pytest.fixture
def home(place: Place) -> Iterator[Home]:
    opened = place.open()
    yield opened
    opened.close()


@pytest.fixture
def desk(home: Home) -> Desk:
    return Desk(home)

"""Every test here that asks for `database` or `room` runs on SQLite and on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hermes.store.database import Database
from hermes.testing.fixtures import *  # noqa: F403
from hermes.testing.in_memory import *  # noqa: F403
from hermes.testing.memory_rooms import TestRoom


@pytest.fixture
def room(database: Database, tmp_path: Path) -> Iterator[TestRoom]:
    opened = TestRoom(database, tmp_path / "home")
    yield opened
    opened.room.close()

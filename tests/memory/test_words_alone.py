"""A process that has just started decides as a warm one does, from few rows."""

from __future__ import annotations

from pathlib import Path

import pytest

from hermes import settings
from hermes.app.home import Home
from hermes.app.remembering import quick_remember
from hermes.memory.remember import Remember
from hermes.records.memory import MemoryKind, Trust
from hermes.records.recall import Remembered
from hermes.store.database import Database
from hermes.testing.memory_rooms import TestRoom


@pytest.fixture
def cold(database: Database, tmp_path: Path) -> Remember:
    return quick_remember(Home(settings.load({}, home=str(tmp_path / "home")), database))


def offered(cold: Remember, text: str, scope: str = "personal") -> Remembered:
    return cold.add(text, MemoryKind.SEMANTIC, scope=scope, source="test", trust=Trust.USER)


def test_what_says_the_same_is_merged(cold: Remember, room: TestRoom) -> None:
    known = room.keep("the staging database listens on port 5433")
    for number in range(30):
        room.keep(f"the database of shop {number} is backed up at night")
    again = offered(cold, "The staging database, it listens on port 5433")
    assert again.merged_into == known.id


def test_what_is_contradicted_is_superseded(cold: Remember, room: TestRoom) -> None:
    old = room.keep("the staging database listens on port 5433")
    for number in range(30):
        room.keep(f"the database of shop {number} listens on port {7000 + number}")
    assert offered(cold, "the staging database listens on port 6000").superseded == (old.id,)


def test_other_scopes_and_kinds_are_left_alone(cold: Remember, room: TestRoom) -> None:
    text = "the staging database listens on port 5433"
    room.keep(text, scope="team:ops")
    room.keep(text, MemoryKind.DECLARATIVE)
    kept = offered(cold, text)
    assert kept.memory is not None
    assert kept.superseded == ()


def test_common_words_are_not_read(cold: Remember, room: TestRoom) -> None:
    """Only the rarest words are looked up, and one of them always is."""
    for number in range(12):
        room.keep(f"shop {number} sells tea from lot {number * 31}")
    assert offered(cold, "shop sells tea").memory is not None


def test_what_was_added_cold_is_found_by_meaning_after_upkeep(
    cold: Remember, room: TestRoom
) -> None:
    offered(cold, "postgres holds the orders")
    assert room.found("storage") == []
    assert room.room.upkeep.catch_up(30) == 1
    assert room.found("storage") == ["postgres holds the orders"]
    assert room.room.upkeep.catch_up(30) == 0
    offered(cold, "the tunnel is closed at night")
    assert room.room.upkeep.catch_up(30) == 1

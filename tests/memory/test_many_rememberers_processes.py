"""Fifty processes at once: nothing lost, nothing twice, nothing wrong recalled."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from hermes.records.memory import Memory, MemoryKind
from hermes.store.database import Database
from hermes.store.open import open_database
from hermes.store.verify import verify
from hermes.testing.chaos import Tell, run_in_children
from hermes.testing.memory_rooms import TestRoom
from hermes.testing.store import store_ports

WRITERS = 50
EACH = 2
SAID_BY_ALL = "The tulip host is for all builds"


def _writer(address: str, home: Path, number: int, start: int) -> Callable[[Tell], None]:
    def write(tell: Tell) -> None:
        os.read(start, 1)  # nobody begins before all are there
        database = open_database(address)
        room = TestRoom(database, home)
        for item in range(EACH):
            kept = room.keep(_said(number, item), MemoryKind.EPISODIC)
            tell("done", kept.id, None, None)
        offered = room.add(SAID_BY_ALL)
        assert (offered.memory is None) != (offered.merged_into is None)
        assert SAID_BY_ALL in room.found("tulip host for builds")
        room.room.close()
        database.close()

    return write


def _said(writer: int, item: int) -> str:
    # No number of a shelf is one of a box: the same words in another order would be as good a hit.
    return f"Shelf {100 + writer} holds box {item} of writer {100 + writer}"


def _all(database: Database) -> list[Memory]:
    memories: list[Memory] = []
    while page := store_ports(database).memories.page(
        "personal", after=memories[-1].id if memories else ""
    ):
        memories += page
    return memories


def test_fifty_processes_at_once(address: str, tmp_path: Path) -> None:
    home = tmp_path / "home"
    reading, writing = os.pipe()
    os.write(writing, b"." * WRITERS)
    told = run_in_children(*(_writer(address, home, number, reading) for number in range(WRITERS)))
    os.close(reading)
    os.close(writing)
    database = open_database(address)
    memories = _all(database)
    assert [one.acknowledged for one in told] == [EACH] * WRITERS
    expected = {_said(number, item) for number in range(WRITERS) for item in range(EACH)}
    assert sorted(one.text for one in memories) == sorted([*expected, SAID_BY_ALL])
    room = TestRoom(database, home)
    tallies = room.room.figures.of(["personal"]).tallies
    assert (tallies["added"], tallies["merged"]) == (WRITERS * EACH + 1, WRITERS - 1)
    for number in (0, 17, 49):
        assert room.found(_said(number, 1), k=1) == [_said(number, 1)]
    assert store_ports(database).memory_words.unindexed() == []
    assert room.room.figures.of(["personal"]).without_vector == 0
    assert verify(database) == []
    database.close()

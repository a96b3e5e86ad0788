"""Fifty writers at once: nothing lost, nothing twice."""

from __future__ import annotations

import threading
from pathlib import Path

from hermes.store.database import Database
from hermes.testing.memory_rooms import TestRoom
from hermes.testing.store import store_ports

WRITERS = 50


def test_fifty_writers_at_once(database: Database, tmp_path: Path) -> None:
    room = TestRoom(database, tmp_path / "home")
    failed: list[BaseException] = []
    start = threading.Barrier(WRITERS)

    def write(number: int) -> None:
        try:
            start.wait(timeout=60)
            room.keep(f"Shelf {number} holds the box of writer {number}")
            room.add("The tulip host is for all builds")
            room.search("tulip host")
        except BaseException as error:  # noqa: BLE001 - told to the test's own thread
            failed.append(error)
        finally:
            database.close_idle()

    threads = [threading.Thread(target=write, args=(number,)) for number in range(WRITERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)
    assert failed == []
    memories = []
    while page := store_ports(database).memories.page(
        "personal", after=memories[-1].id if memories else ""
    ):
        memories += page
    texts = [memory.text for memory in memories]
    assert len(texts) == WRITERS + 1
    assert texts.count("The tulip host is for all builds") == 1
    figures = room.room.figures.of(["personal"])
    assert figures.tallies["added"] == WRITERS + 1
    assert figures.tallies["merged"] == WRITERS - 1
    for number in (0, 17, 49):
        assert room.found(f"writer {number} shelf {number}")[0].startswith(f"Shelf {number} ")

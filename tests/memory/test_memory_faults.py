"""Bad input and bad luck: clear answers, nothing lost, nothing wrong recalled."""

from __future__ import annotations

import multiprocessing
import os
import signal
from pathlib import Path

import pytest

from hermes.errors import StoreUnavailable
from hermes.records.memory import MemoryKind
from hermes.store.database import Database
from hermes.store.open import open_database
from hermes.store.verify import verify
from hermes.testing.memory_rooms import TestRoom
from hermes.testing.postgres import TestServer
from hermes.testing.store import store_ports


def test_ten_megabytes_are_refused_with_what_to_do(room: TestRoom) -> None:
    offered = room.add("word " * 2_000_000)
    assert offered.refused is not None
    assert "save it as a file" in offered.refused


def test_the_longest_text_is_found_by_its_first_words(room: TestRoom) -> None:
    text = "The tulip host is for builds. " + "and so on it goes " * 2_500
    room.keep(text)
    assert room.found("tulip host builds") == [text.strip()]


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("the tulip\0 host\0 is for builds", "tulip host"),
        ("שרת הבנייה נקרא צבעוני", "שרת הבנייה"),
        ("الخادم الرئيسي اسمه توليب", "الخادم توليب"),
        ("The 🌷 host is the tulip host", "tulip 🌷"),
        ("会议在周五下午三点举行", "周五下午"),
        ("half \ud83d of a flower on the tulip host", "tulip host"),
        ("Tu\u0301lip ho\u0301st", "Túlip hóst"),
    ],
)
def test_any_script_comes_back_and_is_found(room: TestRoom, text: str, query: str) -> None:
    kept = room.keep(text)
    assert room.room.memories.get(kept.id) == kept
    assert room.found(query) == [kept.text]


def test_words_that_would_be_sql_are_words(room: TestRoom) -> None:
    text = 'Otto\'; DROP TABLE memories; -- said "[1,2]" {x} %s :name'
    room.keep(text, MemoryKind.EPISODIC)
    assert room.found("DROP TABLE memories %s :name") == [text]


def test_the_database_goes_and_comes_back(
    postgres_server: TestServer, postgres_url: str, tmp_path: Path
) -> None:
    room = TestRoom(open_database(postgres_url), tmp_path / "home")
    room.keep("The tulip host is for builds")
    postgres_server.hide(postgres_url)
    try:
        with pytest.raises(StoreUnavailable):
            room.add("The rose host is for tests")
        with pytest.raises(StoreUnavailable):
            room.search("tulip host")
    finally:
        postgres_server.show(postgres_url)
    room.keep("The rose host is for tests")
    assert room.found("tulip host builds")[0] == "The tulip host is for builds"


def _write_until_killed(address: str, home: str, told: int) -> None:
    room = TestRoom(open_database(address), Path(home))
    number = 0
    while True:
        kept = room.keep(f"Shelf {number} holds box {number}")
        os.write(told, f"{kept.id}\n".encode())
        number += 1


def test_what_was_acknowledged_survives_a_kill(address: str, tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    reading, writing = os.pipe()
    child = context.Process(
        target=_write_until_killed, args=(address, str(tmp_path / "home"), writing)
    )
    child.start()
    os.close(writing)
    told = b""
    while told.count(b"\n") < 12:
        told += os.read(reading, 4096)
    os.kill(child.pid or 0, signal.SIGKILL)
    child.join(30)
    while more := os.read(reading, 4096):
        told += more
    os.close(reading)
    database = open_database(address)
    room = TestRoom(database, tmp_path / "home")
    ports = store_ports(database)
    acknowledged = [line for line in told.decode().split("\n")[:-1] if line]
    for memory_id in acknowledged:
        memory = ports.memories.get(memory_id)
        assert memory is not None
        assert memory.text in room.found(memory.text)
    assert ports.memory_words.unindexed() == []
    assert verify(database) == []
    database.close()


class RolledBack(Exception):
    """Ends a transaction that had written."""


def _write_and_undo(room: TestRoom, database: Database, text: str) -> None:
    with database.transaction():
        room.keep(text, MemoryKind.EPISODIC)
        raise RolledBack


def test_a_doomed_transaction_leaves_no_trace(room: TestRoom, database: Database) -> None:
    room.keep("The tulip host is for builds")
    before = store_ports(database).memory_words.generation()
    for number in range(3):
        with pytest.raises(RolledBack):
            _write_and_undo(room, database, f"The rose host {number} is for tests")
    assert store_ports(database).memory_words.generation() == before
    assert len(store_ports(database).memories.page("personal")) == 1
    assert store_ports(database).memory_words.postings("personal", ["rose"]) == {}

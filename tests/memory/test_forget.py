"""What is forgotten is gone: from the tables, the files and every process."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from hermes.memory.embedding import label_of
from hermes.memory.local_vectors import LocalVectors
from hermes.store.database import Database
from hermes.store.open import open_database
from hermes.testing.memory_rooms import TestRoom
from hermes.testing.store import store_ports

SECRET = "The harbour lighthouse keeper is called Zbigniew"


def test_nothing_of_it_stays_in_the_tables(room: TestRoom, database: Database) -> None:
    kept = room.keep(SECRET)
    other = room.keep("The harbour master is called Otto")
    assert room.room.forget.forget(kept.id, by="ana")
    assert not room.room.forget.forget(kept.id, by="ana")
    assert room.found("lighthouse keeper harbour") == [other.text]
    ports = store_ports(database)
    assert ports.memories.get(kept.id) is None
    assert ports.memory_words.postings("personal", ["lighthous", "zbigniew"]) == {}
    assert ports.memory_vectors.count("personal", label_of(room.embedder)) == 1
    terms = database.ask("SELECT term, documents FROM memory_terms WHERE term LIKE 'harb_ur'")
    assert terms == [("harbour", 1)]


def test_the_audit_keeps_only_that_it_happened(room: TestRoom, database: Database) -> None:
    kept = room.keep(SECRET)
    room.room.forget.forget(kept.id, by="ana")
    (event,) = store_ports(database).events.page()
    assert (event.kind, event.actor, event.subject_id) == ("memory.forgotten", "ana", kept.id)
    assert event.data == {}
    assert room.room.figures.of(["personal"]).tallies["forgotten"] == 1


def test_no_byte_of_it_stays_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "loop.db"
    room = TestRoom(open_database(path), tmp_path / "home")
    kept = room.keep(SECRET)
    assert _anywhere(tmp_path, b"Zbigniew")
    room.room.forget.forget(kept.id, by="ana")
    room.room.close()
    assert not _anywhere(tmp_path, b"Zbigniew")
    assert not _anywhere(tmp_path, b"zbigniew")


def test_no_byte_of_its_vector_stays_in_the_index_file(tmp_path: Path) -> None:
    database = open_database(tmp_path / "loop.db")
    ports, label = store_ports(database), "test/3"
    room = TestRoom(database, tmp_path / "home", semantic=False)
    memories = [room.keep(f"Fact {number} is about shelf {number}") for number in range(9)]
    for number, memory in enumerate(memories):
        vector = struct.pack("<3f", 0.6, 0.8, 0.0) if number == 4 else struct.pack("<3f", 1, 0, 0)
        ports.memory_vectors.put(memory.id, label, vector)
    folder = tmp_path / "index"
    local = LocalVectors(ports.memory_vectors, ports.memory_words, (label, 3), folder, 5)
    assert local.build("personal")
    half = struct.pack("<3e", 0.6, 0.8, 0.0)
    assert _anywhere(folder, half)
    assert ports.memories.delete(memories[4].id)
    local.scrub("personal")
    assert not _anywhere(folder, half)
    found = local.nearest(["personal"], struct.pack("<3f", 0.6, 0.8, 0.0), 20).cosines
    assert len(found) == 8


def test_forgetting_in_one_scope_leaves_the_others(room: TestRoom) -> None:
    mine = room.keep("The tulip host is for builds")
    room.keep("The tulip host is for builds", scope="team:ops")
    room.room.forget.forget(mine.id, by="ana")
    assert room.found("tulip host") == []
    assert len(room.found("tulip host", scope="team:ops")) == 1


@pytest.mark.parametrize("times", [3])
def test_what_was_forgotten_can_be_learnt_again(room: TestRoom, times: int) -> None:
    for _ in range(times):
        kept = room.keep("The tulip host is for builds")
        assert room.found("tulip host") == [kept.text]
        room.room.forget.forget(kept.id, by="ana")
        assert room.found("tulip host") == []


def _anywhere(folder: Path, needle: bytes) -> bool:
    return any(needle in path.read_bytes() for path in folder.rglob("*") if path.is_file())

"""Killed while remembering or indexing, the server gone and back: nothing half, nothing lost."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from hermes.errors import StoreUnavailable
from hermes.memory.local_vectors import LocalVectors
from hermes.records.memory import MemoryKind
from hermes.store.database import Database
from hermes.store.open import open_database
from hermes.store.tables.memory_nearest import NearestTable
from hermes.store.verify import verify
from hermes.testing import samples
from hermes.testing.chaos import Tell, run_in_child
from hermes.testing.faults import Countdown, killed, stepped_database
from hermes.testing.memory_rooms import TestRoom
from hermes.testing.points import Points
from hermes.testing.postgres import TestServer
from hermes.testing.store import store_ports

LABEL, DIMENSIONS = "random/16", 16


def _vector(seed: int) -> bytes:
    row = np.random.default_rng(seed).normal(size=DIMENSIONS).astype(np.float32)
    return bytes((row / np.linalg.norm(row)).tobytes())


def _fill(database: Database, count: int) -> None:
    ports = store_ports(database)
    with database.transaction():
        for seed in range(count):
            memory = samples.memory()
            ports.memories.add(memory)
            ports.memory_words.put(memory.id, {}, str(seed))
            ports.memory_vectors.put(memory.id, LABEL, _vector(seed))


def test_killed_at_any_point_of_an_add_it_is_there_whole_or_not_at_all(
    address: str, tmp_path: Path, points: Points
) -> None:
    database = open_database(address)
    before = TestRoom(database, tmp_path / "home").keep("The release host is called tulip")
    database.close()
    for point in points:
        countdown = Countdown(point, killed)
        text = f"The release host {point} is called rose"

        def add(
            tell: Tell, text: str = text, point: int = point, countdown: Countdown = countdown
        ) -> None:
            room = TestRoom(stepped_database(open_database(address), countdown), tmp_path / "home")
            countdown.start(point)
            room.keep(text, MemoryKind.EPISODIC)
            tell("done", text, None, None)

        told, signal = run_in_child(add)
        again = open_database(address)
        ports = store_ports(again)
        room = TestRoom(again, tmp_path / "home")
        there = [one for one in ports.memories.page("personal") if one.text == text]
        assert len(there) >= told.acknowledged
        assert room.found(text, k=1) == ([text] if there else [before.text])
        assert ports.memory_words.unindexed() == []
        assert ports.memory_vectors.unembedded(_label(room)) == []
        assert verify(again) == []
        again.close()
        if signal == 0:
            assert there
            return
    pytest.fail("there is always a further point")


def _label(room: TestRoom) -> str:
    return f"{room.embedder.name}/{room.embedder.dimensions}"


def test_killed_while_an_index_file_is_written_the_next_finds_it_good_or_makes_it(
    tmp_path: Path, points: Points
) -> None:
    file = str(tmp_path / "loop.db")
    folder = tmp_path / "index"
    database = open_database(file)
    _fill(database, 120)
    database.close()
    print(f"HERMES_SEED={points.seed}")
    draw = random.Random(points.seed)

    def local(opened: Database) -> LocalVectors:
        ports = store_ports(opened)
        words = ports.memory_words
        return LocalVectors(ports.memory_vectors, words, (LABEL, DIMENSIONS), folder, 50)

    def build(tell: Tell) -> None:
        vectors = local(open_database(file))
        vectors.build("personal")
        tell("ready", "", None, None)
        while True:
            vectors.scrub("personal")  # writes the file anew each time

    for _ in range(6):
        _, signal = run_in_child(build, kill_after_s=draw.uniform(0.0, 0.03))
        assert signal == 9
        opened = open_database(file)
        near = local(opened).nearest(["personal"], _vector(42), 1)
        assert list(near.cosines.values()) == pytest.approx([1.0], abs=0.01)
        opened.close()


@pytest.mark.postgres
def test_killed_while_postgres_builds_an_index_the_next_builds_it(postgres_url: str) -> None:
    database = open_database(postgres_url)
    _fill(database, 400)
    database.close()

    def build(tell: Tell) -> None:
        table = NearestTable(open_database(postgres_url), LABEL, DIMENSIONS)
        tell("ready", "", None, None)
        table.prepare()

    for _ in range(3):
        run_in_child(build, kill_after_s=0.002)
    opened = open_database(postgres_url)
    table = NearestTable(opened, LABEL, DIMENSIONS, read_whole=10)
    table.prepare()
    assert len(opened.ask("SELECT 1 FROM pg_indexes WHERE indexname LIKE 'memory_vectors_near%%'"))
    opened.close()


def test_an_index_that_is_loaded_before_the_embedder_does_not_kill_the_process() -> None:
    code = (
        "from hermes.memory.vector_graph import Graph; Graph(4);"
        "from hermes.models.minilm import MiniLM; MiniLM().embed(['x'])"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.fixture
def own_server() -> Iterator[TestServer]:
    server = TestServer(apart=True)
    yield server
    server.stop()


@pytest.mark.postgres
def test_a_server_that_is_stopped_and_started_under_us(
    own_server: TestServer, tmp_path: Path
) -> None:
    url = own_server.database()
    room = TestRoom(open_database(url), tmp_path / "home")
    kept = room.keep("The release host is called tulip")
    own_server.halt()
    for _ in range(2):
        with pytest.raises(StoreUnavailable) as caught:
            room.add("The test host is called rose")
        assert caught.value.hint
        assert "\n" not in str(caught.value)
        with pytest.raises(StoreUnavailable):
            room.search("release host")
        with pytest.raises(StoreUnavailable):
            room.room.upkeep.run()
        with pytest.raises(StoreUnavailable):
            room.room.forget.forget(kept.id, by="ana")
    own_server.resume()
    assert room.found("what is the release host called", k=1) == [kept.text]
    room.keep("The test host is called rose")
    assert room.found("test host rose", k=1) == ["The test host is called rose"]
    assert room.room.forget.forget(kept.id, by="ana")
    assert room.found("release host tulip", k=1) != [kept.text]


ODD = {
    "empty": "",
    "blank": " \n\t ",
    "nulls": "\0\0\0",
    "nulls between": "release\0 host\0",
    "half a character": "release \ud83d host",
    "right to left": "\u202eהשרת הראשי\u202c",
    "emoji": "🌷" * 500,
    "ten megabytes": "release host " * 800_000,
    "one long word": "x" * 10_000_000,
    "controls": "\x1b[31mrelease\x07 host\x7f",
}


@pytest.mark.parametrize("text", ODD.values(), ids=ODD.keys())
def test_any_text_may_be_asked_for(room: TestRoom, text: str) -> None:
    kept = room.keep("The release host is called tulip")
    found = room.found(text)
    assert found == ([kept.text] if "release" in text else [])
    recalled = room.room.recall.search("host", scopes=["personal"], session_context=text)
    assert [hit.memory.text for hit in recalled.items] == [kept.text]


@pytest.mark.parametrize("text", ["", " \n\t ", "\0\0", "\ud83d", "\u200b", "🌷", "..."])
def test_what_says_nothing_is_refused_with_a_reason(room: TestRoom, text: str) -> None:
    for kind in MemoryKind:
        offered = room.add(text, kind)
        assert offered.memory is None
        assert offered.refused
    assert room.room.figures.of(["personal"]).tallies["refused"] == len(MemoryKind)

"""Another embedder: everything is read again in the background, and recall works meanwhile."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from hermes.errors import EmbedderUnavailable, WrongCall
from hermes.memory.embedding import label_of
from hermes.memory.index_files import retire_other_files
from hermes.memory.local_vectors import LocalVectors
from hermes.models.endpoint_embedder import Endpoint, EndpointEmbedder, Patience
from hermes.records.memory import MemoryKind
from hermes.store.database import Database
from hermes.store.open import open_database
from hermes.store.verify import verify
from hermes.testing import samples
from hermes.testing.chaos import Tell, run_in_child
from hermes.testing.embedding_server import EmbeddingServer, status
from hermes.testing.faults import Countdown, killed, stepped_database
from hermes.testing.memory_rooms import TOPICS, TestRoom
from hermes.testing.points import Points
from hermes.testing.store import store_ports
from hermes.testing.topic_embedder import TopicEmbedder

TEXTS = (
    "We ship with make",
    "Ana drinks coffee",
    "The proxy is on port 3128",
    "Otto indents by tabs",
    "Postgres keeps the orders",
)
PARAPHRASES = (
    "how to publish",
    "which tea",
    "which tunnel",
    "formatting",
    "storage of sql",
)
QUICK = Patience(one=20.0, batch=20.0, attempts=2, first_wait=0.01, pause=0.0)


class WideEmbedder(TopicEmbedder):
    """The same meanings in more dimensions than they need."""

    def __init__(self, dimensions: int, name: str = "wide") -> None:
        super().__init__(TOPICS, name=name)
        self._narrow = self.dimensions
        self._wide = dimensions
        self.dimensions = dimensions

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        self.dimensions = self._narrow
        vectors = super().embed(texts)
        self.dimensions = self._wide
        return [vector + bytes(4 * (self._wide - self._narrow)) for vector in vectors]


def _fill(room: TestRoom) -> None:
    for text in TEXTS:
        room.keep(text)


def _all_by_meaning(room: TestRoom) -> bool:
    return all(
        room.found(query, k=1) == [text] for query, text in zip(PARAPHRASES, TEXTS, strict=True)
    )


def test_meanwhile_the_rest_is_found_by_words_and_the_part_that_is_done_by_meaning(
    room: TestRoom, database: Database, tmp_path: Path
) -> None:
    _fill(room)
    for number in range(40):
        room.keep(f"Run {number} watered each tulip", MemoryKind.EPISODIC)
    topics = {**TOPICS, "garden": ("tulip", "rose")}
    other = TestRoom(database, tmp_path / "home", embedder=TopicEmbedder(topics, name="other"))
    assert other.room.upkeep.run(limit=1) == 32  # the newest first
    assert other.room.figures.of(["personal"]).without_vector == 13
    assert other.search("rose").items[0].why.semantic == pytest.approx(1.0)
    for text in TEXTS:
        hit = other.search(text).items[0]
        assert (hit.memory.text, hit.why.semantic) == (text, None)
    assert _all_by_meaning(room)  # whoever still has the old embedder open goes on with it


@pytest.mark.parametrize("wide", [384, 2_000, 3_072])
def test_vectors_of_any_length_take_the_place_of_others_and_give_it_back(
    room: TestRoom, database: Database, tmp_path: Path, wide: int
) -> None:
    _fill(room)
    other = TestRoom(database, tmp_path / "home", embedder=WideEmbedder(wide))
    assert other.room.upkeep.run() == len(TEXTS)
    assert _all_by_meaning(other)
    assert other.search("publish").items[0].why.semantic == pytest.approx(1.0, abs=1e-3)
    again = TestRoom(database, tmp_path / "home")
    assert again.room.upkeep.run() == len(TEXTS)
    assert _all_by_meaning(again)
    assert verify(database) == []


def test_what_no_index_of_the_database_holds_is_said(database: Database, tmp_path: Path) -> None:
    if database.dialect.name == "postgres":
        with pytest.raises(WrongCall, match="up to 4,000 numbers"):
            TestRoom(database, tmp_path / "home", embedder=WideEmbedder(4_096))
    else:
        room = TestRoom(database, tmp_path / "home", embedder=WideEmbedder(4_096))
        _fill(room)
        assert _all_by_meaning(room)


def test_killed_at_any_point_it_goes_on_where_it_was(
    address: str, tmp_path: Path, points: Points
) -> None:
    database = open_database(address)
    _fill(TestRoom(database, tmp_path / "home"))
    database.close()
    for point in points:
        name = f"after-{point}"
        countdown = Countdown(point, killed)

        def reembed(
            tell: Tell, name: str = name, point: int = point, countdown: Countdown = countdown
        ) -> None:
            stepped = stepped_database(open_database(address), countdown)
            other = TestRoom(stepped, tmp_path / "home", embedder=TopicEmbedder(TOPICS, name=name))
            countdown.start(point)
            other.room.upkeep.run()

        _, signal = run_in_child(reembed)
        again = open_database(address)
        room = TestRoom(again, tmp_path / "home", embedder=TopicEmbedder(TOPICS, name=name))
        assert all(room.found(text, k=1) == [text] for text in TEXTS)
        done = store_ports(again).memory_vectors.count("personal", label_of(room.embedder))
        assert room.room.upkeep.run() == len(TEXTS) - done
        assert _all_by_meaning(room)
        assert verify(again) == []
        again.close()
        if signal == 0:
            return
    pytest.fail("there is always a further point")


def _endpoint(server: EmbeddingServer, told: list[str]) -> EndpointEmbedder:
    endpoint = Endpoint(base_url=server.url, model="topics", dimensions=len(TOPICS) + 1)
    return EndpointEmbedder(endpoint, None, told.append, QUICK)


@pytest.mark.parametrize("fault", [status(503), status(401, "no such key"), status(200)])
def test_while_the_endpoint_is_away_adding_goes_on_and_recall_goes_by_words(
    database: Database, tmp_path: Path, fault: Callable[..., None]
) -> None:
    told: list[str] = []
    with EmbeddingServer(TopicEmbedder(TOPICS)) as server:
        room = TestRoom(database, tmp_path / "home", embedder=_endpoint(server, told))
        server.fail(fault)
        _fill(room)
        assert room.add(TEXTS[0]).merged_into is not None
        for text in TEXTS:
            assert room.found(text, k=1) == [text]
        assert len(told) == 1  # once, for all of them
        with pytest.raises(EmbedderUnavailable):
            room.room.upkeep.run()
        server.mend()
        assert room.room.upkeep.run() == len(TEXTS)
        assert _all_by_meaning(room)


def test_an_endpoint_that_goes_away_on_the_way_loses_one_batch(
    room: TestRoom, database: Database, tmp_path: Path
) -> None:
    for number in range(70):
        room.keep(f"Run {number} passed its rollout", MemoryKind.EPISODIC)
    with EmbeddingServer(TopicEmbedder(TOPICS)) as server:
        other = TestRoom(database, tmp_path / "home", embedder=_endpoint(server, []))
        other.room.upkeep.run(limit=1)
        server.fail(status(401))
        with pytest.raises(EmbedderUnavailable, match="wants a key"):
            other.room.upkeep.run()
        server.mend()
        assert other.room.upkeep.run() == 70 - 32


def _grown(database: Database, folder: Path, label: str) -> LocalVectors:
    """An index file over a hundred vectors of this embedder."""
    ports = store_ports(database)
    with database.transaction():
        for seed in range(100):
            memory = samples.memory()
            ports.memories.add(memory)
            ports.memory_words.put(memory.id, {}, f"{label} {seed}")
            row = np.random.default_rng(seed).normal(size=16).astype(np.float32)
            ports.memory_vectors.put(memory.id, label, bytes((row / np.linalg.norm(row)).tobytes()))
    local = LocalVectors(ports.memory_vectors, ports.memory_words, (label, 16), folder, 50)
    assert local.build("personal")
    return local


def test_another_embedders_index_file_goes_and_ours_stays(tmp_path: Path) -> None:
    database = open_database(str(tmp_path / "loop.db"))
    folder = tmp_path / "index"
    _grown(database, folder, "old/16")
    _grown(database, folder, "new/16")
    damaged, fresh, abandoned = folder / "x.usearch", folder / "y.1.tmp", folder / "z.2.tmp"
    for path in (damaged, fresh, abandoned):
        path.write_bytes(b"\0 nothing")
    long_ago = time.time() - 7_200
    os.utime(abandoned, (long_ago, long_ago))
    retire_other_files(folder, "new/16")
    (ours,) = folder.glob("*.usearch")
    assert json.loads(ours.open("rb").readline())["embedder"] == "new/16"
    assert fresh.exists()  # somebody may be writing it
    assert not abandoned.exists()
    retire_other_files(tmp_path / "never made", "new/16")


def test_an_index_file_that_says_another_embedder_is_made_again(tmp_path: Path) -> None:
    database = open_database(str(tmp_path / "loop.db"))
    folder = tmp_path / "index"
    _grown(database, folder, "ours/16")
    (file,) = folder.iterdir()
    head, _, rest = file.read_bytes().partition(b"\n")
    file.write_bytes(head.replace(b"ours/16", b"them/16") + b"\n" + rest)
    ports = store_ports(database)
    again = LocalVectors(ports.memory_vectors, ports.memory_words, ("ours/16", 16), folder, 50)
    row = np.random.default_rng(42).normal(size=16).astype(np.float32)
    near = again.nearest(["personal"], (row / np.linalg.norm(row)).tobytes(), 1)
    assert list(near.cosines.values()) == pytest.approx([1.0], abs=1e-3)
    assert again.build("personal")
    assert json.loads(file.open("rb").readline())["embedder"] == "ours/16"

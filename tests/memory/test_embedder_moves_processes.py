"""Two processes with different embedders on one store, each a process of its own."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from hermes.memory.embedding import label_of
from hermes.models.endpoint_embedder import Endpoint, EndpointEmbedder
from hermes.store.database import Database
from hermes.store.open import open_database
from hermes.store.tables.embedder_moves import EmbedderMoveTable
from hermes.store.verify import verify
from hermes.testing.embedding_server import EmbeddingServer
from hermes.testing.memory_process import MemoryProcess
from hermes.testing.memory_rooms import TOPICS
from hermes.testing.store import store_ports
from hermes.testing.topic_embedder import TopicEmbedder

TEXTS = ("We ship with make", "Ana drinks coffee", "The proxy is on port 3128")
WIDTH = len(TOPICS) + 1


class Store:
    """A home whose embedder is changed between the starts of its processes."""

    def __init__(self, address: str, folder: Path) -> None:
        self._folder = folder
        self._home = folder / "home"
        self._environ = {"HERMES_HOME": str(self._home)}
        self.address = str(self._home / "loop" / "loop.db")
        if address.startswith("postgres"):
            self.address = self._environ["MEMORY_DB_URL"] = address
        self._stack = ExitStack()
        self._servers: dict[str, EmbeddingServer] = {}
        self._starts = 0

    def start(self, name: str) -> MemoryProcess:
        """A process that has this embedder, as long as it lives."""
        if name not in self._servers:
            server = self._stack.enter_context(EmbeddingServer(TopicEmbedder(TOPICS)))
            self._servers[name] = server
        endpoint = f"{{base_url: '{self._servers[name].url}', model: {name}, dimensions: {WIDTH}}}"
        config = self._home / "loop" / "config.yaml"
        config.parent.mkdir(parents=True, exist_ok=True)
        config.write_text(f"memory: {{embedder: {endpoint}}}\n")
        self._starts += 1
        errors = self._folder / f"{self._starts}.err"
        return self._stack.enter_context(MemoryProcess(self._environ, errors))

    def close(self) -> None:
        self._stack.close()

    def label(self, name: str) -> str:
        url = self._servers[name].url
        return label_of(EndpointEmbedder(Endpoint(base_url=url, model=name, dimensions=WIDTH)))

    def embedded(self, name: str) -> int:
        """How many texts this embedder was asked for."""
        return sum(len(asked.texts) for asked in self._servers[name].asked)


@pytest.fixture
def store(address: str, tmp_path: Path) -> Iterator[Store]:
    opened = Store(address, tmp_path)
    yield opened
    opened.close()


@pytest.fixture
def looking(store: Store) -> Iterator[Callable[[], Database]]:
    """The store's database, seen from here; there is none before the first process."""
    with ExitStack() as stack:

        def opened() -> Database:
            database = open_database(store.address)
            stack.callback(database.close)
            return database

        yield opened


def moved(database: Database) -> list[tuple[str, str, int]]:
    return [(move.before, move.after, move.pid) for move in EmbedderMoveTable(database).latest(9)]


def test_the_one_that_was_there_goes_by_words_and_says_what_to_do(
    store: Store, looking: Callable[[], Database]
) -> None:
    chat = store.start("first")
    for text in TEXTS:
        chat.tell("add", text)
    assert chat.tell("search", "which tea")[0] == ["Ana drinks coffee", pytest.approx(1.0)]
    worker = store.start("second")
    assert worker.tell("upkeep") == len(TEXTS)
    assert worker.tell("search", "which tea")[0] == ["Ana drinks coffee", pytest.approx(1.0)]
    assert moved(looking()) == [(store.label("first"), store.label("second"), worker.pid)]
    time.sleep(1.1)  # for so long a process may believe what it read last
    for text in TEXTS:
        assert chat.tell("search", text)[0] == [text, None]
    assert f"process {worker.pid} on" in chat.tell("upkeep")
    assert chat.warnings.count("memories are now embedded with second/") == 1
    again = store.start("first")  # and so does a new one with the settings of the first
    assert "`hermes memory reembed`" in again.tell("upkeep")
    assert worker.tell("upkeep") == 0
    assert len(moved(looking())) == 1


def test_both_at_work_at_once_end_on_one_embedder(
    store: Store, looking: Callable[[], Database]
) -> None:
    first = store.start("first")
    for text in TEXTS:
        first.tell("add", text)
    second = store.start("second")
    for process in (first, second):
        process.begin("work", 20)
    assert (first.answer(), second.answer()) == (20, 20)
    second.tell("upkeep")
    database = looking()
    count = len(TEXTS) + 40
    assert moved(database) == [(store.label("first"), store.label("second"), second.pid)]
    assert store_ports(database).memory_vectors.count("personal", store.label("second")) == count
    asked = store.embedded("first"), store.embedded("second")
    for process in (first, second, first, second):
        process.tell("upkeep")
    assert (store.embedded("first"), store.embedded("second")) == asked  # they have come to rest
    assert verify(database) == []


def test_a_mover_that_was_killed_on_the_way_leaves_a_move_that_others_finish(
    store: Store, looking: Callable[[], Database]
) -> None:
    first = store.start("first")
    for number in range(40):  # more than one batch
        first.tell("add", f"Run {number} watered the tulips")
    second = store.start("second")
    second.begin("upkeep")
    database = looking()
    vectors, label = store_ports(database).memory_vectors, ""
    while not vectors.count("personal", label := store.label("second")):
        time.sleep(0.002)
    second.kill()
    done = vectors.count("personal", label)
    assert store.start("second").tell("upkeep") == 40 - done
    assert vectors.count("personal", label) == 40
    assert len(moved(database)) == 1

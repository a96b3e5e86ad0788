"""Every memory gets its terms and its vector in the background, and recall works meanwhile."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hermes.memory.embedding import label_of
from hermes.records.memory import MemoryKind
from hermes.store.database import Database
from hermes.testing import samples
from hermes.testing.memory_rooms import TOPICS, TestRoom
from hermes.testing.store import store_ports
from hermes.testing.topic_embedder import TopicEmbedder

OTHER_TOPICS = {**TOPICS, "garden": ("tulip", "rose", "soil")}


class Dies(Exception):
    """Stands for a kill: nothing after it runs."""


class MortalEmbedder(TopicEmbedder):
    """Dies after so many batches."""

    def __init__(self, *args: Any, batches: int, **more: Any) -> None:
        super().__init__(*args, **more)
        self.batches = batches

    def embed(self, texts: Any) -> list[bytes]:
        if len(texts) > 1:
            self.batches -= 1
            if self.batches < 0:
                raise Dies
        return super().embed(texts)


def test_what_an_older_version_kept_is_found(room: TestRoom, database: Database) -> None:
    early = samples.memory(text="The tulip host is for builds")
    store_ports(database).memories.add(early)
    assert room.found("tulip host") == []
    assert room.room.upkeep.run() == 2  # its terms, its vector
    assert room.found("tulip host") == [early.text]
    assert room.room.upkeep.run() == 0


def test_another_embedder_reads_everything_again(
    room: TestRoom, database: Database, tmp_path: Path
) -> None:
    kept = room.keep("We ship with make")
    other = TestRoom(
        database, tmp_path / "home", embedder=TopicEmbedder(OTHER_TOPICS, name="other")
    )
    assert other.found("make") == [kept.text]  # by its words, meanwhile
    assert other.search("make").items[0].why.semantic is None
    assert other.found("how to publish") == []
    assert other.room.upkeep.run() == 1
    assert other.found("how to publish") == [kept.text]
    assert other.room.figures.of(["personal"]).without_vector == 0


def test_vectors_of_other_dimensions_are_never_compared(
    room: TestRoom, database: Database, tmp_path: Path
) -> None:
    room.keep("We ship with make")
    other = TestRoom(database, tmp_path / "home", embedder=TopicEmbedder(OTHER_TOPICS))
    assert other.embedder.name == room.embedder.name
    assert label_of(other.embedder) != label_of(room.embedder)
    assert other.found("make")
    assert other.room.upkeep.run() == 1
    assert other.search("make").items[0].why.semantic is not None


def test_a_death_on_the_way_loses_one_batch(
    room: TestRoom, database: Database, tmp_path: Path
) -> None:
    for number in range(100):
        room.keep(f"Run {number} did ship", MemoryKind.EPISODIC)
    mortal = MortalEmbedder(OTHER_TOPICS, name="other", batches=2)
    other = TestRoom(database, tmp_path / "home", embedder=mortal)
    with pytest.raises(Dies):
        other.room.upkeep.run()
    vectors = store_ports(database).memory_vectors
    done = vectors.count("personal", label_of(mortal))
    assert done == 64
    mortal.batches = 99
    assert other.room.upkeep.run() == 36
    assert vectors.count("personal", label_of(mortal)) == 100


def test_it_stops_when_it_is_told(room: TestRoom, database: Database) -> None:
    ports = store_ports(database)
    for _ in range(70):
        ports.memories.add(samples.memory(text="The tulip host is for builds"))
    assert room.room.upkeep.run(limit=10) == 32  # a batch is the least
    assert room.room.upkeep.run(seconds=0) == 0
    assert len(ports.memory_words.unindexed()) == 38


def test_what_is_forgotten_on_the_way_does_no_harm(
    room: TestRoom, database: Database, tmp_path: Path
) -> None:
    kept = [room.keep(f"Run {number} did ship", MemoryKind.EPISODIC) for number in range(3)]

    class Forgetful(TopicEmbedder):
        def embed(self, texts: Any) -> list[bytes]:
            if len(texts) > 1:
                room.room.forget.forget(kept[1].id, by="ana")
            return super().embed(texts)

    other = TestRoom(database, tmp_path / "home", embedder=Forgetful(OTHER_TOPICS, name="other"))
    other.room.upkeep.run()
    assert sorted(other.found("publish")) == [kept[0].text, kept[2].text]


def test_many_episodes_are_proposed_as_one_fact(room: TestRoom) -> None:
    for number in range(4):
        room.keep(
            f"Otto: number {number} did ship by make", MemoryKind.EPISODIC, session_id=f"s{number}"
        )
    room.keep("Ana drinks coffee", MemoryKind.EPISODIC, session_id="s9")
    consolidate = room.room.consolidate
    assert consolidate is not None
    (proposal,) = consolidate.proposals("personal")
    assert len(proposal.evidence) == 4
    assert "4 episodes on 4 occasions" in proposal.reason
    assert proposal.text.startswith("Otto: number")
    room.keep(proposal.text)
    assert consolidate.proposals("personal") == []


def test_one_occasion_is_no_pattern(room: TestRoom) -> None:
    for number in range(4):
        room.keep(f"Otto: {number} did ship by make", MemoryKind.EPISODIC, session_id="s1")
    assert room.room.consolidate is not None
    assert room.room.consolidate.proposals("personal") == []

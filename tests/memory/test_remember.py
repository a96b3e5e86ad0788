"""What becomes of a text that is offered to memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from hermes.errors import NotFound, Refused, WrongCall
from hermes.memory.note import Note
from hermes.records.memory import MemoryKind, Trust
from hermes.store.database import Database
from hermes.testing.memory_rooms import TOPICS, TestRoom
from hermes.testing.topic_embedder import TopicEmbedder

EPISODIC = MemoryKind.EPISODIC
USER = Trust.USER


def test_a_fact_is_kept_with_where_it_came_from(room: TestRoom) -> None:
    memory = room.keep("The staging database listens on port 5433")
    kept = room.room.memories.get(memory.id)
    assert kept == memory
    assert (memory.scope, memory.source, memory.trust) == ("personal", "test", Trust.USER)
    assert not memory.waiting


def test_the_same_twice_is_kept_once_and_stronger(room: TestRoom) -> None:
    first = room.keep("We deploy from the main branch")
    again = room.add("we deploy from the MAIN branch!")
    assert again.merged_into == first.id
    assert again.memory is None
    kept = room.room.memories.get(first.id)
    assert kept is not None
    assert kept.strength > first.strength
    assert len(room.room.memories.page("personal")) == 1


def _episode(text: str, trust: Trust) -> Note:
    return Note(text=text, kind=EPISODIC, scope="personal", source="test", trust=trust)


def test_what_is_noted_together_is_met_as_if_noted_one_by_one(room: TestRoom) -> None:
    """A tool's word, the user's own of the same letters, and the user's again."""
    text = "The build on Monday took 5 minutes"
    told = _episode(text, Trust.TOOL_OUTPUT)
    said = _episode(text, Trust.USER)
    other = _episode("The cache was cleared before the release", Trust.USER)
    first, second, third, fourth = room.room.remember.add_many([told, said, other, said])
    assert first.memory is not None
    assert second.memory is not None
    assert second.superseded == (first.memory.id,)
    assert third.memory is not None
    assert fourth.merged_into == second.memory.id
    tool, user, _ = room.room.memories.page("personal")
    assert tool.superseded_by == user.id
    assert user.strength > second.memory.strength


def test_the_same_in_another_scope_or_kind_is_another_memory(room: TestRoom) -> None:
    room.keep("We deploy from the main branch")
    room.keep("We deploy from the main branch", scope="team:ops")
    room.keep("We deploy from the main branch", MemoryKind.DECLARATIVE)
    assert len(room.room.memories.page("personal")) == 2


def test_a_contradiction_supersedes_and_the_old_one_is_kept(room: TestRoom) -> None:
    old = room.keep("The staging database listens on port 5433")
    new = room.add("The staging database listens on port 5434")
    assert new.memory is not None
    assert new.superseded == (old.id,)
    kept = room.room.memories.get(old.id)
    assert kept is not None
    assert kept.superseded_by == new.memory.id


def test_episodes_never_supersede_each_other(room: TestRoom) -> None:
    room.keep("The build on Monday took 5 minutes", EPISODIC)
    second = room.add("The build on Monday took 9 minutes", EPISODIC)
    assert second.memory is not None
    assert second.superseded == ()


def test_junk_is_refused_and_counted(room: TestRoom) -> None:
    assert room.add("Hello!").refused
    assert room.add("").refused
    assert room.add("timed out", trust=Trust.TOOL_OUTPUT).refused
    assert room.room.memories.page("personal") == []
    assert room.room.figures.of(["personal"]).tallies == {"refused": 3}


def test_a_tool_cannot_take_the_place_of_what_the_user_said(room: TestRoom) -> None:
    said = room.keep("The staging database listens on port 5433")
    printed = room.add("The staging database listens on port 6666", trust=Trust.TOOL_OUTPUT)
    assert printed.superseded == ()
    kept = room.room.memories.get(said.id)
    assert kept is not None
    assert kept.superseded_by is None


def test_the_user_confirms_what_a_tool_said(room: TestRoom) -> None:
    printed = room.keep("The build host is tulip", trust=Trust.TOOL_OUTPUT)
    said = room.add("The build host is tulip")
    assert said.memory is not None
    assert said.memory.trust is Trust.USER
    assert said.superseded == (printed.id,)


def test_an_order_from_a_tool_waits_and_is_not_recalled(room: TestRoom) -> None:
    offered = room.add("Always deploy with the tunnel open", trust=Trust.TOOL_OUTPUT)
    assert offered.memory is not None
    assert offered.memory.waiting
    assert offered.waits_for_approval
    assert room.found("deploy tunnel") == []
    assert room.search("deploy tunnel").cut.waiting == 1
    approved = room.room.remember.approve(offered.memory.id, by="ana")
    assert approved.approved_by == "ana"
    assert room.found("deploy tunnel") == ["Always deploy with the tunnel open"]


def test_waiting_replaces_nothing_until_it_is_approved(room: TestRoom) -> None:
    old = room.keep("Deployments to the host are allowed on Fridays", trust=Trust.TOOL_OUTPUT)
    offered = room.add(
        "From now on deployments to the host are not allowed on Fridays", trust=Trust.IMPORTED
    )
    assert offered.memory is not None
    before = room.room.memories.get(old.id)
    assert before is not None
    assert before.superseded_by is None
    room.room.remember.approve(offered.memory.id, by="ana")
    after = room.room.memories.get(old.id)
    assert after is not None
    assert after.superseded_by == offered.memory.id


def test_only_what_waits_can_be_approved_and_by_somebody(room: TestRoom) -> None:
    kept = room.keep("The build host is tulip")
    with pytest.raises(Refused):
        room.room.remember.approve(kept.id, by="ana")
    with pytest.raises(NotFound):
        room.room.remember.approve("mem_nothing", by="ana")
    offered = room.add("Always deploy by tunnel", trust=Trust.TOOL_OUTPUT)
    assert offered.memory is not None
    with pytest.raises(Refused):
        room.room.remember.approve(offered.memory.id, by=" ")


def test_many_are_kept_in_their_order_and_each_once(room: TestRoom) -> None:
    texts = [f"Fact number {number} about storage shelf {number}" for number in range(150)]
    notes = [
        Note(text=text, scope="personal", source="t", trust=Trust.USER, kind=MemoryKind.SEMANTIC)
        for text in (*texts, texts[0], "ok")
    ]
    *kept, again, junk = room.room.remember.add_many(notes)
    assert [one.memory.text for one in kept if one.memory] == texts
    assert again.merged_into == (kept[0].memory and kept[0].memory.id)
    assert junk.refused


def test_an_unknown_scope_is_an_error_before_anything_is_written(room: TestRoom) -> None:
    with pytest.raises(WrongCall):
        room.add("The build host is tulip", scope="everybody:x")
    assert room.room.memories.page("everybody:x") == []


def test_a_wrong_note_among_many_leaves_nothing_of_them(room: TestRoom) -> None:
    notes = [
        Note(text=f"Shelf {number} holds lot {number}", scope="personal", source="t", trust=USER)
        for number in range(100)
    ]
    with pytest.raises(WrongCall):
        room.room.remember.add_many([*notes, replace(notes[0], scope="everybody:x")])
    assert room.room.memories.page("personal") == []


def test_while_some_are_written_the_next_are_embedded(database: Database, tmp_path: Path) -> None:
    """And where that fails on the way, what was written stays, and can be offered again."""
    embedder = _Failing(TOPICS)
    room = TestRoom(database, tmp_path / "home", embedder=embedder)
    notes = [
        Note(text=f"Shelf {number} holds lot {number}", scope="personal", source="t", trust=USER)
        for number in range(100)
    ]
    embedder.calls_left = 4  # of three parts, each is asked for with a look before
    with pytest.raises(RuntimeError, match="out of memory"):
        room.room.remember.add_many(notes)
    kept = room.room.memories.page("personal", limit=100)
    assert 0 < len(kept) < 100
    embedder.calls_left = 1_000
    again = room.room.remember.add_many(notes)
    assert sum(one.merged_into is not None for one in again) == len(kept)
    assert len(room.room.memories.page("personal", limit=200)) == 100


class _Failing(TopicEmbedder):
    calls_left = 1_000

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        self.calls_left -= 1
        if self.calls_left < 0:
            raise RuntimeError("out of memory")
        return super().embed(texts)

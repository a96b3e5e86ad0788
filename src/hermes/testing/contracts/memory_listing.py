"""Memories as people look through them."""

from __future__ import annotations

import struct
from dataclasses import replace
from datetime import timedelta

from hermes.records.memory import MemoryKind
from hermes.records.memory_choice import MemoryChoice
from hermes.testing import samples
from hermes.testing.store import StorePorts

_MINE = MemoryChoice(scopes=("personal",))


def what_is_chosen_comes_newest_first_by_pages(ports: StorePorts) -> None:
    episode = samples.memory(kind=MemoryKind.EPISODIC)
    mine = [episode, samples.memory(), samples.memory()]
    for one in (*mine, samples.memory(scope="team:ops")):
        ports.memories.add(one)
    listing = ports.memory_listing
    assert listing.latest(_MINE) == mine[::-1]
    assert listing.latest(_MINE, limit=2) == [mine[2], mine[1]]
    assert listing.latest(_MINE, before=mine[1].id) == [mine[0]]
    assert listing.latest(replace(_MINE, kind=MemoryKind.EPISODIC)) == [episode]
    assert listing.count(_MINE) == 3
    both = replace(_MINE, scopes=("personal", "team:ops", "personal"))
    assert listing.count(both) == len(listing.latest(both)) == 4


def each_question_of_a_choice_counts(ports: StorePorts) -> None:
    old = samples.memory(created_at=samples.NOW - timedelta(days=90))
    waiting = samples.memory(waiting=True)
    replaced = samples.memory(superseded_by=old.id)
    imported = samples.memory(source="import:notes.jsonl")
    for one in (old, waiting, replaced, imported):
        ports.memories.add(one)
    for choice, expected in (
        (_MINE, [imported, waiting, old]),
        (replace(_MINE, waiting=True), [waiting]),
        (replace(_MINE, waiting=False), [imported, old]),
        (replace(_MINE, superseded=True), [replaced]),
        (replace(_MINE, superseded=None), [imported, replaced, waiting, old]),
        (replace(_MINE, source="import:notes.jsonl"), [imported]),
        (replace(_MINE, created_before=samples.NOW), [old]),
        (replace(_MINE, scopes=()), []),
    ):
        assert ports.memory_listing.latest(choice) == expected
        assert ports.memory_listing.count(choice) == len(expected)


def all_are_walked_through_and_found_by_the_beginning_of_an_id(ports: StorePorts) -> None:
    kept = [samples.memory(), samples.memory(scope="team:ops"), samples.memory()]
    for one in kept:
        ports.memories.add(one)
    listing = ports.memory_listing
    assert list(listing.walk()) == kept
    assert listing.starting_with(kept[1].id) == [kept[1].id]
    assert listing.starting_with("mem_") == [one.id for one in kept]
    assert listing.starting_with("mem_z") == []
    assert listing.scopes() == ["personal", "team:ops"]


def what_is_known_of_one_memory(ports: StorePorts) -> None:
    new = samples.memory()
    old = samples.memory(superseded_by=new.id)
    episode = samples.memory(kind=MemoryKind.EPISODIC, superseded_by=new.id)
    for one in (new, old, episode):
        ports.memories.add(one)
    listing = ports.memory_listing
    assert sorted(listing.replaced_by(new)) == sorted([old.id, episode.id])
    assert listing.replaced_by(old) == []
    ports.memory_words.put(old.id, {"report": 1}, "f1")
    assert listing.ever_said("personal", MemoryKind.SEMANTIC, "f1")
    assert not listing.ever_said("personal", MemoryKind.EPISODIC, "f1")
    assert not listing.ever_said("team:ops", MemoryKind.SEMANTIC, "f1")
    assert listing.embedder_of(new.id) is None
    ports.memory_vectors.put(new.id, "north/2", struct.pack("<2f", 1.0, 0.0))
    assert listing.embedder_of(new.id) == "north/2"


def terms_are_counted_by_scope(ports: StorePorts) -> None:
    mine, other, theirs = samples.memory(), samples.memory(), samples.memory(scope="team:ops")
    for one in (mine, other, theirs):
        ports.memories.add(one)
        ports.memory_words.put(one.id, {"report": 1}, one.id)
    ports.memory_words.put(mine.id, {"report": 1, "date": 2}, mine.id)
    assert ports.memory_listing.documents("personal", ["report", "date", "nothing"]) == {
        "report": 2,
        "date": 1,
    }


CHECKS = (
    what_is_chosen_comes_newest_first_by_pages,
    each_question_of_a_choice_counts,
    all_are_walked_through_and_found_by_the_beginning_of_an_id,
    what_is_known_of_one_memory,
    terms_are_counted_by_scope,
)

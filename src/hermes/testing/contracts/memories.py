"""Memories, their words and their vectors."""

from __future__ import annotations

import struct
from dataclasses import replace

import pytest

from hermes.errors import Conflict, NotFound, Refused
from hermes.ports.memory import Indexed
from hermes.records.memory import MemoryKind
from hermes.testing import samples
from hermes.testing.store import StorePorts

_NORTH, _EAST = struct.pack("<2f", 1.0, 0.0), struct.pack("<2f", 0.0, 1.0)


def a_memory_is_kept_and_forgotten(ports: StorePorts) -> None:
    one = samples.memory(strength=0.3, expires_at=samples.LATER, session_id="ses_1")
    ports.memories.add(one)
    assert ports.memories.get(one.id) == one
    changed = replace(one, last_recalled_at=samples.LATER, superseded_by="mem_x", waiting=True)
    ports.memories.replace(changed)
    assert ports.memories.get(one.id) == changed
    assert ports.memories.delete(one.id)
    assert not ports.memories.delete(one.id)
    assert ports.memories.get(one.id) is None


def a_memory_is_added_once(ports: StorePorts) -> None:
    one = samples.memory()
    ports.memories.add(one)
    with pytest.raises(Conflict):
        ports.memories.add(one)
    with pytest.raises(NotFound):
        ports.memories.replace(samples.memory())


def what_a_memory_says_never_changes(ports: StorePorts) -> None:
    one = samples.memory()
    ports.memories.add(one)
    for other in ({"text": "else"}, {"scope": "team:ops"}, {"kind": MemoryKind.EPISODIC}):
        with pytest.raises(Refused):
            ports.memories.replace(replace(one, **other))
    assert ports.memories.get(one.id) == one


def memories_come_by_scope_kind_and_pages(ports: StorePorts) -> None:
    mine = [samples.memory() for _ in range(3)]
    episode = samples.memory(kind=MemoryKind.EPISODIC)
    for one in (*mine, episode, samples.memory(scope="team:ops")):
        ports.memories.add(one)
    assert ports.memories.page("personal") == [*mine, episode]
    assert ports.memories.page("personal", after=mine[0].id, limit=1) == [mine[1]]
    assert ports.memories.page("personal", MemoryKind.EPISODIC) == [episode]
    assert ports.memories.page("personal", MemoryKind.SEMANTIC, after=mine[1].id) == [mine[2]]
    assert ports.memories.page("nobody") == []


def words_lead_to_the_memories_that_have_them(ports: StorePorts) -> None:
    one, two = samples.memory(), samples.memory()
    elsewhere = samples.memory(scope="team:ops")
    for memory in (one, two, elsewhere):
        ports.memories.add(memory)
        assert memory in ports.memory_words.unindexed()
    ports.memory_words.put(one.id, {"port": 2, "ünï": 1}, "f1")
    ports.memory_words.put(two.id, {"port": 1}, "f2")
    ports.memory_words.put(elsewhere.id, {"port": 7}, "f1")
    first, second = (entry.number for entry in ports.memory_words.entries("personal"))
    assert _plain(ports, ["port", "ünï", "none"]) == {
        "port": ([first, second], [2, 1]),
        "ünï": ([first], [1]),
    }
    assert ports.memories.numbered([first, second, 10**12]) == {first: one, second: two}
    assert ports.memory_words.unindexed() == []
    assert ports.memories.twin("personal", MemoryKind.SEMANTIC, "f1") == one
    assert ports.memories.twin("personal", MemoryKind.EPISODIC, "f1") is None
    ports.memory_words.put(one.id, {"host": 1}, "f3")
    assert _plain(ports, ["port", "host"]) == {"port": ([second], [1]), "host": ([first], [1])}


def many_memories_are_added_with_all_they_are_found_by(ports: StorePorts) -> None:
    one, two = samples.memory(), samples.memory(kind=MemoryKind.EPISODIC)
    elsewhere = samples.memory(scope="team:ops")
    seen = ports.memory_words.generation()
    kept = [
        Indexed(one, {"port": 2, "ünï": 1}, "f1", _NORTH),
        Indexed(two, {"port": 1}, "f1", None),
        Indexed(elsewhere, {"port": 7}, "f1", _EAST),
    ]
    ports.memories.add_indexed(kept, "first")
    first, second = ports.memory_words.entries("personal", seen)
    assert (first.terms, first.length) == ({"port": 2, "ünï": 1}, 3)
    numbers = [first.number, second.number]
    assert _plain(ports, ["port", "ünï"]) == {"port": (numbers, [2, 1]), "ünï": ([numbers[0]], [1])}
    assert ports.memories.numbered(numbers) == {numbers[0]: one, numbers[1]: two}
    assert ports.memory_words.unindexed() == []
    assert ports.memory_vectors.unembedded("first") == [two]
    ((number, _, vector, written),) = ports.memory_vectors.since("personal", "first", seen)
    assert (number, vector) == (first.number, _NORTH)
    assert written <= ports.memory_words.generation()
    with pytest.raises(Conflict):
        ports.memories.add_indexed([Indexed(samples.memory(), {}, "f2", None), kept[0]])
    assert len(list(ports.memory_words.entries("personal"))) == 2
    assert ports.memories.delete(one.id)
    assert _plain(ports, ["port", "ünï"]) == {"port": ([second.number], [1])}


def twins_are_of_the_same_scope_and_kind(ports: StorePorts) -> None:
    one, elsewhere = samples.memory(), samples.memory(scope="team:ops")
    again, old = samples.memory(), samples.memory(superseded_by="mem_x")
    marks = {old.id: "f2"}
    kept = [
        Indexed(each, {"port": 1}, marks.get(each.id, "f1"), None)
        for each in (old, one, elsewhere, again)
    ]
    ports.memories.add_indexed(kept)
    asked = [
        (scope, kind, fingerprint)
        for scope in ("personal", "team:ops", "nobody")
        for kind in (MemoryKind.SEMANTIC, MemoryKind.EPISODIC)
        for fingerprint in ("f1", "f2")
    ]
    assert ports.memories.twins(asked) == {
        ("personal", MemoryKind.SEMANTIC, "f1"): one,
        ("team:ops", MemoryKind.SEMANTIC, "f1"): elsewhere,
    }
    assert ports.memories.twins([]) == {}


def _plain(ports: StorePorts, terms: list[str]) -> dict[str, tuple[list[int], list[int]]]:
    found = ports.memory_words.postings("personal", terms)
    return {term: (list(numbers), list(counts)) for term, (numbers, counts) in found.items()}


def a_look_at_what_changed_misses_nothing(ports: StorePorts) -> None:
    one, two = samples.memory(session_id="ses_1"), samples.memory()
    ports.memories.add(one)
    ports.memory_words.put(one.id, {"port": 1}, "f1")
    seen = ports.memory_words.generation()
    assert list(ports.memory_words.entries("personal", seen)) == []
    ports.memories.add(two)
    ports.memory_words.put(two.id, {"host": 3}, "f2")
    (entry,) = ports.memory_words.entries("personal", seen)
    assert entry.terms == {"host": 3}
    assert (entry.length, entry.superseded, entry.waiting) == (3, False, False)
    ports.memories.replace(replace(one, superseded_by=two.id))
    changed = {e.session_id: e.superseded for e in ports.memory_words.entries("personal", seen)}
    assert changed == {"ses_1": True, None: False}
    seen = ports.memory_words.generation()
    ports.memories.recalled({entry.number: 2.5}, samples.LATER)
    (again,) = ports.memory_words.entries("personal", seen)
    assert (again.number, again.strength) == (entry.number, 2.5)
    seen = ports.memory_words.generation()
    assert ports.memories.delete(two.id)
    assert ports.memory_words.gone("personal", seen) == [entry.number]
    assert ports.memory_words.gone("team:ops", seen) == []
    assert list(ports.memory_words.entries("personal", seen)) == []
    assert ports.memory_words.postings("personal", ["host"]) == {}


def a_vector_says_whose_it_is(ports: StorePorts) -> None:
    one = samples.memory()
    ports.memories.add(one)
    assert ports.memory_vectors.unembedded("first") == [one]
    ports.memory_vectors.put(one.id, "first", _NORTH)
    assert ports.memory_vectors.unembedded("first") == []
    assert ports.memory_vectors.unembedded("second") == [one]
    ((number, kind, vector, written),) = ports.memory_vectors.since("personal", "first", 0)
    assert (kind, vector) == ("semantic", _NORTH)
    assert list(ports.memory_vectors.since("personal", "first", written)) == []
    ports.memory_vectors.put(one.id, "second", _EAST)
    assert ports.memory_vectors.count("personal", "first") == 0
    assert ports.memory_vectors.scopes("second") == {"personal": 1}
    ((again, _, vector, _),) = ports.memory_vectors.since("personal", "second", written)
    assert (again, vector) == (number, _EAST)
    ports.memories.delete(one.id)
    assert ports.memory_vectors.count("personal", "second") == 0
    assert not ports.memory_vectors.put(one.id, "second", _EAST)
    assert not ports.memory_words.put(one.id, {"port": 1}, "f1")


def tallies_add_up_by_scope(ports: StorePorts) -> None:
    ports.memory_tallies.add("personal", "refused")
    ports.memory_tallies.add("personal", "refused", 2)
    assert ports.memory_tallies.of("personal") == {"refused": 3}
    assert ports.memory_tallies.of("team:ops") == {}
    ports.memories.add(samples.memory(waiting=True))
    ((kind, superseded, waiting, day, count),) = ports.memory_tallies.counts("personal")
    assert (kind, superseded, waiting, count) == ("semantic", False, True, 1)
    assert day == samples.NOW.date().isoformat()


CHECKS = (
    a_memory_is_kept_and_forgotten,
    a_memory_is_added_once,
    what_a_memory_says_never_changes,
    memories_come_by_scope_kind_and_pages,
    words_lead_to_the_memories_that_have_them,
    many_memories_are_added_with_all_they_are_found_by,
    twins_are_of_the_same_scope_and_kind,
    a_look_at_what_changed_misses_nothing,
    a_vector_says_whose_it_is,
    tallies_add_up_by_scope,
)

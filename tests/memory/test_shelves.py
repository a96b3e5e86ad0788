"""Shelves read postings once for all scopes, and read again what they had to let go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from hermes.memory.shelves import Shelves
from hermes.records.memory import MemoryKind
from hermes.store.open import open_database
from hermes.store.tables.memory_words import MemoryWordTable
from hermes.testing import samples
from hermes.testing.store import store_ports

SCOPES = ("personal", "team:ops")


class CountedWords(MemoryWordTable):
    """The table, and how often postings were read from it."""

    readings = 0

    def postings_in(
        self, wanted: Mapping[str, Sequence[str]]
    ) -> Mapping[tuple[str, str], tuple[Sequence[int], Sequence[int]]]:
        self.readings += 1
        return super().postings_in(wanted)


@pytest.fixture
def words(tmp_path: Path) -> CountedWords:
    database = open_database(tmp_path / "loop.db")
    ports = store_ports(database)
    for number, scope in enumerate((*SCOPES, *SCOPES, "team:other")):
        memory = samples.memory(scope=scope)
        ports.memories.add(memory)
        ports.memory_words.put(memory.id, {"host": 1, f"only{number}": 2}, str(number))
    return CountedWords(database)


def test_all_scopes_are_read_at_once_and_only_once(words: CountedWords) -> None:
    shelves = Shelves(words)
    following = shelves.following(SCOPES)
    shelves.load_terms(following, ["host", "only0", "nobody"])
    shelves.load_terms(following, ["only0", "host"])
    assert words.readings == 1
    counts = [shelf.having(["host", "only0", "nobody"]) for shelf in following]
    assert counts == [
        {"host": 2, "only0": 1, "nobody": 0},
        {"host": 2, "only0": 0, "nobody": 0},
    ]


def test_postings_that_were_let_go_are_read_again(words: CountedWords) -> None:
    shelves = Shelves(words, most_postings=1)
    following = shelves.following(SCOPES)
    shelves.load_terms(following, ["host"])
    shelves.load_terms(following, ["host", "only0"])
    assert [shelf.having(["host", "only0"])["host"] for shelf in following] == [2, 2]
    assert words.readings == 2


def test_the_commonest_terms_are_read_before_anybody_asks(words: CountedWords) -> None:
    shelves = Shelves(words)
    shelves.load_commonest(SCOPES)
    read = words.readings
    following = shelves.following(SCOPES)
    shelves.load_terms(following, ["host"])
    assert words.readings == read
    assert [shelf.having(["host"])["host"] for shelf in following] == [2, 2]


def test_the_commonest_terms_of_a_scope_are_its_own(words: CountedWords) -> None:
    assert words.commonest("personal", 2) == [("host", 2), ("only0", 1)]
    assert words.commonest("team:ops", 1) == [("host", 2)]
    assert words.commonest("team:nobody", 5) == []


def test_a_shelf_that_is_filled_at_once_is_the_one_that_followed(tmp_path: Path) -> None:
    database = open_database(tmp_path / "loop.db")
    ports = store_ports(database)
    words = MemoryWordTable(database)
    followed = Shelves(words)
    followed.following(["personal"])  # empty: all that comes is taken one by one
    said = [
        samples.memory(kind=MemoryKind.EPISODIC, session_id="ses_one"),
        samples.memory(kind=MemoryKind.EPISODIC, session_id="ses_two"),
        samples.memory(kind=MemoryKind.EPISODIC, session_id="ses_one"),
        samples.memory(waiting=True),
        samples.memory(expires_at=samples.NOW + timedelta(days=3)),
        samples.memory(last_recalled_at=samples.NOW + timedelta(days=2), strength=2.5),
    ]
    for number, memory in enumerate(said):
        ports.memories.add(memory)
        ports.memory_words.put(memory.id, {"host": 1, "many": number + 1}, str(number))
    (one,), (other,) = (shelves.following(["personal"]) for shelves in (followed, Shelves(words)))
    arrays = [
        "numbers",
        "kinds",
        "flags",
        "created",
        "used",
        "expires",
        "strengths",
        "lengths",
        "before",
        "after",
    ]
    for name in (*arrays, "total_length", "has_sessions", "has_limits"):
        assert getattr(one, name) == getattr(other, name), name
    assert list(other.after)[:3] == [2, -1, -1]

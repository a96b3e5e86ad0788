"""Patterns follow their examples: placed once, explained, and in step with every review."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from hermes.records.example import Example, ExampleStatus
from hermes.stages.extract.patterns import PatternBook
from hermes.store.database import Database
from hermes.store.open import open_database
from hermes.store.tables.cluster import ClusterTable
from hermes.testing import samples
from hermes.testing.store import store_ports
from hermes.testing.topic_embedder import TopicEmbedder

TOPICS = {"tidy": ["duplicate"], "mail": ["mail"], "chart": ["chart"]}


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = open_database(tmp_path / "loop.db")
    yield opened
    opened.close()


def book_of(database: Database, name: str = "topics") -> PatternBook:
    ports, embedder = store_ports(database), TopicEmbedder(TOPICS, name=name)
    return PatternBook(
        examples=ports.examples,
        patterns=ports.patterns,
        clusters=ClusterTable(database, name),
        embedder=embedder,
        transactions=database,
        now=lambda: samples.NOW,
    )


def kept(book: PatternBook, *tasks: str) -> list[Example]:
    made = [samples.example(task=task, tools_used=("Bash",)) for task in tasks]
    for one in made:
        book.examples.add(one)
    return made


def tidying(book: PatternBook) -> list[Example]:
    return kept(
        book,
        "remove duplicate rows from a.csv",
        "drop duplicate rows in b.csv",
        "delete each duplicate row of c.csv",
    )


def test_examples_of_one_intent_are_a_pattern(database: Database) -> None:
    book = book_of(database)
    tidy = tidying(book)
    lone = kept(book, "send the mail to everybody")
    (pattern,) = book.place([*tidy, *lone])
    assert set(pattern.example_ids) == {one.id for one in tidy}
    assert pattern.intent in {one.task for one in tidy}
    assert "duplicate" in pattern.reason
    assert book.pattern_of(tidy[0].id) == pattern
    assert book.pattern_of(lone[0].id) is None


def test_placing_again_changes_nothing(database: Database) -> None:
    book = book_of(database)
    tidy = tidying(book)
    (pattern,) = book.place(tidy)
    assert book.place(tidy) == []
    assert book.patterns.page() == [pattern]


def test_a_newcomer_joins_and_the_id_stays(database: Database) -> None:
    (pattern,) = book_of(database).place(tidying(book_of(database)))
    book = book_of(database)
    (new,) = kept(book, "remove every duplicate row from d.csv")
    (grown,) = book.place([new])
    assert grown.id == pattern.id
    assert set(grown.example_ids) == {*pattern.example_ids, new.id}


def test_a_rejected_example_is_in_no_pattern_until_it_is_approved(database: Database) -> None:
    book = book_of(database)
    tidy = tidying(book)
    (pattern,) = book.place(tidy)
    rejected = replace(tidy[0], status=ExampleStatus.REJECTED, reviewer="ana")
    book.examples.replace(rejected)
    (smaller,) = book.refresh([pattern.id])
    assert set(smaller.example_ids) == {one.id for one in tidy[1:]}
    book.examples.replace(replace(rejected, status=ExampleStatus.APPROVED))
    (whole,) = book.refresh([pattern.id])
    assert set(whole.example_ids) == {one.id for one in tidy}


def test_a_rejected_newcomer_is_not_placed(database: Database) -> None:
    book = book_of(database)
    (one,) = kept(book, "remove duplicate rows from a.csv")
    rejected = replace(one, status=ExampleStatus.REJECTED, reviewer="ana")
    book.examples.replace(rejected)
    assert book.place([rejected]) == []
    assert book.clusters.of(one.id) is None


def test_another_embedder_places_everything_anew(database: Database) -> None:
    book_of(database).place(tidying(book_of(database)))
    other = book_of(database, "others")
    (new,) = kept(other, "remove every duplicate row from d.csv")
    (pattern,) = other.place([new])
    assert len(pattern.example_ids) == 4
    assert other.patterns.page() == [pattern]


def test_likeness_is_that_to_the_nearest(database: Database) -> None:
    book = book_of(database)
    one, same, other = kept(
        book,
        "remove duplicate rows from a.csv",
        "remove duplicate rows from b-2024.csv",
        "send the mail to everybody",
    )
    book.place([one, same, other])
    assert book.likeness(one.id, [other.id, same.id]) >= 0.9
    assert book.likeness(one.id, [other.id]) < 0.5
    assert book.likeness(one.id, []) == 0.0
    assert book.likeness("example_nothing", [one.id]) == 0.0

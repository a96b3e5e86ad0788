"""Patterns follow their examples: placed once, explained, and in step with every review."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from hermes.records.example import Example, ExampleStatus
from hermes.records.trajectory import Step, StepType, TrajectoryState
from hermes.stages.extract.patterns import PatternBook
from hermes.store.database import Database
from hermes.store.open import open_database
from hermes.store.tables.cluster import ClusterTable
from hermes.testing import samples
from hermes.testing.store import store_ports
from hermes.testing.topic_embedder import TopicEmbedder

TOPICS = {
    "tidy": ["duplicate"],
    "mail": ["mail"],
    "chart": ["chart"],
    "solo": ["solo"],
    "duo": ["duo"],
}


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = open_database(tmp_path / "loop.db")
    yield opened
    opened.close()


def book_of(
    database: Database, name: str = "topics", taught: Mapping[str, str] | None = None
) -> PatternBook:
    ports, embedder = store_ports(database), TopicEmbedder(TOPICS, name=name)
    return PatternBook(
        examples=ports.examples,
        trajectories=ports.trajectories,
        observations=ports.observations,
        patterns=ports.patterns,
        clusters=ClusterTable(database, name),
        embedder=embedder,
        transactions=database,
        taught=lambda: taught or {},
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


def done(
    book: PatternBook, database: Database, task: str, command: str, tools: Sequence[str] = ()
) -> Example:
    """An example with a run in which a command was given, and tools were called."""
    ports = store_ports(database)
    asked = samples.task(text=task)
    run = samples.trajectory(asked.id)
    ports.tasks.add(asked)
    ports.trajectories.add(run)
    calls: list[tuple[str, dict[str, str]]] = [("Bash", {"command": command})]
    for number, (tool, arguments) in enumerate([*calls, *((one, {}) for one in tools)], 1):
        called = Step(
            step_id=number,
            type=StepType.TOOL_CALL,
            content=tool,
            timestamp=0.5,
            metadata={"tool_name": tool, "arguments": arguments},
        )
        ports.trajectories.append(run.id, called)
    ports.trajectories.end(replace(run, state=TrajectoryState.FINISHED, ended_at=samples.LATER))
    ports.observations.put(samples.observation(run.id, success=True))
    example = samples.example(task=task, trajectory_id=run.id, tools_used=("Bash",))
    book.examples.add(example)
    return example


def test_how_it_was_done_is_told_in_the_reason(database: Database) -> None:
    book = book_of(database)
    made = [
        done(book, database, f"drop duplicate rows in {name}.csv", f"csvsort {name}.csv | uniq")
        for name in "abc"
    ]
    (pattern,) = book.place(made)
    assert "were done with csv files, csvsort and are" in pattern.reason


def test_a_run_called_a_failure_leaves_and_comes_back(database: Database) -> None:
    book = book_of(database)
    made = [done(book, database, f"drop duplicate rows in {name}.csv", "uniq") for name in "abc"]
    book.place(made)
    run = made[0].trajectory_id
    assert run is not None
    book.observations.put(samples.observation(run, success=False))
    left = book.follow(made[0].id)
    assert left is not None
    assert set(left.example_ids) == {one.id for one in made[1:]}
    book.observations.put(samples.observation(run, success=True))
    back = book.follow(made[0].id)
    assert back is not None
    assert set(back.example_ids) == {one.id for one in made}
    assert book.follow("example_nothing") is None


@pytest.mark.parametrize("is_skill", [True, False])
def test_who_asks_for_the_same_as_a_skills_example_joins_its_pattern(
    database: Database, is_skill: bool
) -> None:
    """Even where it was done so differently that it would stay alone."""
    book = book_of(database)
    first = done(
        book, database, "mail the duplicate rows", "ls", [f"solo_{name}" for name in "abcdef"]
    )
    book.place([first])
    again = done(
        book,
        database,
        "mail the duplicate rows and the chart and a chart",
        "ls",
        [f"duo_{name}" for name in "abcdef"],
    )
    taught = {first.id: "mailing-rows"} if is_skill else {}
    patterns = book_of(database, taught=taught).place([again])
    assert len(patterns) == is_skill
    for pattern in patterns:
        assert set(pattern.example_ids) == {first.id, again.id}
        assert pattern.reason.endswith(
            "; 1 of them taught the skill mailing-rows, and 1 more asks for the same"
        )

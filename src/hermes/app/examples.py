"""Examples and patterns, made from an open home."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from hermes.ids import now

if TYPE_CHECKING:
    from hermes.app.home import Home
    from hermes.ports import Examples, Patterns
    from hermes.records.approval import Approval
    from hermes.records.codec import Json
    from hermes.records.example import Example, ExampleStatus
    from hermes.records.trajectory import Trajectory
    from hermes.stages.extract.examples import ExampleDesk
    from hermes.stages.extract.patterns import PatternBook


def examples_of(home: Home) -> Examples:
    from hermes.store.tables.example import ExampleTable

    return ExampleTable(home.database)


def patterns_of(home: Home) -> Patterns:
    from hermes.store.tables.pattern import PatternTable

    return PatternTable(home.database)


def example_desk(home: Home) -> ExampleDesk:
    from hermes.stages.extract.examples import ExampleDesk
    from hermes.store.tables.observation import ObservationTable
    from hermes.store.tables.task import TaskTable
    from hermes.store.tables.trajectory import TrajectoryTable

    database = home.database
    return ExampleDesk(
        examples=examples_of(home),
        trajectories=TrajectoryTable(database),
        tasks=TaskTable(database),
        observations=ObservationTable(database),
        events=home.ledger.events,
        transactions=database,
        now=now,
    )


def pattern_book(home: Home) -> PatternBook:
    """Its embedder loads nothing until an example is placed.

    Vectors made another way are put aside: their name says how wide they are.
    """
    from hermes.app.embedding import embedder
    from hermes.rules.clustering.profiles import width
    from hermes.stages.extract.patterns import PatternBook
    from hermes.store.tables.cluster import ClusterTable
    from hermes.store.tables.observation import ObservationTable
    from hermes.store.tables.trajectory import TrajectoryTable

    offline = embedder()
    made_by = f"{offline.name}, {width(offline.dimensions)} wide"
    return PatternBook(
        examples=examples_of(home),
        trajectories=TrajectoryTable(home.database),
        observations=ObservationTable(home.database),
        patterns=patterns_of(home),
        clusters=ClusterTable(home.database, made_by),
        embedder=offline,
        transactions=home.database,
        taught=lambda: _taught(home),
        now=now,
    )


def _taught(home: Home) -> dict[str, str]:
    """Example → the skill that was drafted from it, the latest where there are several."""
    from hermes.records.origin import Origin

    return {
        example_id: candidate.skill_name
        for candidate in home.ledger.candidates.of_origin(Origin.EXTRACT)
        for example_id in candidate.evidence.example_ids
    }


def follow_run(home: Home, trajectory: Trajectory) -> None:
    """A run was read again, after a person spoke of it: its pattern follows."""
    from hermes.stages.extract.examples import example_id_of

    pattern_book(home).follow(example_id_of(trajectory))


def review_example(home: Home, example: Example, status: ExampleStatus, said: Approval) -> Example:
    """Record the review, and bring the example's pattern in step with it."""
    book = pattern_book(home)
    with home.database.transaction():
        reviewed = example_desk(home).review(example, status, said)
        book.follow(example.id)
    if book.clusters.of(example.id) is None:
        _place(book, reviewed)
    return reviewed


def add_example(home: Home, fields: Mapping[str, Json], said: Approval) -> Example:
    """Keep an example that a person wrote down, and find out what it belongs to."""
    example = example_desk(home).add(fields, said)
    _place(pattern_book(home), example)
    return example


def _place(book: PatternBook, example: Example) -> None:
    """Where the embedder's packages are missing it is placed later, with those that follow."""
    from hermes.models.minilm import missing_packages

    if not missing_packages():
        book.place([example])

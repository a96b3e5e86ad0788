"""Growth is measured on real stores of both databases, and held to its limits at the largest."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hermes.bench.memory_growth import GrowthRow, measure_growth
from hermes.bench.memory_latency import figures_of
from hermes.bench.remembered_set import RememberedSet
from hermes.testing.memory_rooms import TOPICS
from hermes.testing.topic_embedder import TopicEmbedder

ROW = GrowthRow(
    database="SQLite",
    memories=1_000,
    p50_ms=20.0,
    p95_ms=30.0,
    cpu_ms=25.0,
    embed_ms=4.0,
    turn_ms=9.0,
    first_s=0.1,
    room_mb=5.0,
    command_s=1.0,
    batched_a_second=90.0,
    singles_a_second=40.0,
    computed_a_second=20.0,
)


@pytest.mark.soak
@pytest.mark.postgres
def test_both_databases_hold_the_same_memories(postgres_url: str) -> None:
    counted: list[tuple[str, int]] = []

    def count(store: RememberedSet) -> float:
        ((rows,),) = store.home.database.ask("SELECT COUNT(*) FROM memory_vectors")
        counted.append((store.home.database.dialect.name, rows))
        return 0.5

    rows = measure_growth(
        TopicEmbedder(TOPICS), lambda _line: None, (150,), lambda: postgres_url, count
    )
    assert counted == [("postgres", 150), ("sqlite", 150)]
    assert [(row.database, row.memories) for row in rows] == [("SQLite", 150), ("PostgreSQL", 150)]
    for row in rows:
        assert row.command_s == 0.5
        assert 0 < row.p50_ms <= row.p95_ms
        assert row.cpu_ms > 0
        assert min(row.turn_ms, row.first_s, row.batched_a_second, row.computed_a_second) > 0


def test_the_largest_size_is_held_to_the_limits() -> None:
    figures = figures_of([ROW, replace(ROW, memories=100_000)])
    failed = [figure.what for figure in figures if figure.met is False]
    assert failed == [
        "search p50, 100,000 memories, SQLite",
        "add many, 100,000 memories, SQLite",
    ]


def test_no_limit_is_known_beyond_a_hundred_thousand() -> None:
    assert {figure.met for figure in figures_of([replace(ROW, memories=200_000)])} == {None}

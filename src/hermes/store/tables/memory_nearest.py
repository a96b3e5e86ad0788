"""The nearest vectors, asked of PostgreSQL itself: pgvector's HNSW index on the cosine distance.

The vectors of one embedder have an index of their own, because an index needs fixed dimensions. It
holds them at half precision, in half the memory; what it finds is compared at full precision.
Where a scope has few vectors of the kinds that are asked for, they are all read, which is exact and
fast; else the index is walked until enough of that scope were found (iterative scans, set where a
connection is opened), so that a scope that is rare among many still fills the answer.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from itertools import product

from hermes.errors import WrongCall
from hermes.ports.memory import Near
from hermes.records.memory import MemoryKind
from hermes.store.database import Database

READ_WHOLE = 3_000  # vectors of a scope; about 3 ms

_NEAREST = """
WITH near AS MATERIALIZED (
    SELECT number, {distance} AS distance, {column} AS embedding FROM memory_vectors
    WHERE embedder = {embedder} AND {scope} AND ({kinds})
    ORDER BY {order} LIMIT :limit
), middle AS MATERIALIZED (SELECT AVG(embedding) AS mean FROM near)
SELECT number, 1 - distance, -(embedding <#> mean), NULL FROM near, middle
UNION ALL SELECT NULL, NULL, NULL, mean FROM middle
"""
_AND_THESE = """
UNION ALL SELECT number, 1 - ({distance}), -({column} <#> mean), NULL FROM memory_vectors, middle
WHERE number = ANY(CAST(:also AS bigint[])) AND {scope} AND embedder = {embedder}
"""
# Each query is read once, not for every row that is compared with it.
_NEAREST_EACH = """
WITH asked AS MATERIALIZED (
    SELECT place, CAST(text AS {form}) AS query
    FROM unnest(CAST(:queries AS text[])) WITH ORDINALITY AS given (text, place)
)
SELECT place, number, 1 - distance FROM asked CROSS JOIN LATERAL (
    SELECT number, {column} <=> query AS distance FROM memory_vectors
    WHERE embedder = {embedder} AND {scope} AND kind = :kind
    ORDER BY {order} LIMIT :limit
) AS near ORDER BY place, distance
"""
_OF_SCOPES = "scope = ANY(CAST(:scopes AS text[]))"
_COSINES = """
SELECT number, 1 - ({distance}), 1 - ({seen}) FROM memory_vectors
WHERE number = ANY(CAST(:numbers AS bigint[])) AND scope = ANY(CAST(:scopes AS text[]))
    AND embedder = {embedder}
"""
_FEW = """
SELECT COUNT(*) FROM (
    SELECT 1 FROM memory_vectors
    WHERE scope = ANY(CAST(:scopes AS text[])) AND embedder = {embedder}
        AND kind = ANY(CAST(:kinds AS text[])) LIMIT :limit
) AS a_few
"""
_INDEX = """
CREATE INDEX IF NOT EXISTS {name} ON memory_vectors
USING hnsw ((CAST(embedding AS {form})) halfvec_cosine_ops)
WHERE embedder = {embedder}
"""
_THERE = "SELECT 1 FROM pg_indexes WHERE schemaname = 'hermes' AND indexname = :name"
_ALONE = "SELECT pg_advisory_xact_lock(hashtextextended(:name, 0))"
# A graph that does not fit in memory is built many times slower. By one process: several would
# share it through a file system that is tiny where PostgreSQL runs in a container.
_ROOM_TO_BUILD = """
SELECT set_config('maintenance_work_mem', '512MB', true),
    set_config('max_parallel_maintenance_workers', '0', true)
"""
_OTHERS = """
SELECT indexname FROM pg_indexes WHERE schemaname = 'hermes' AND tablename = 'memory_vectors'
AND indexname LIKE 'memory_vectors_near_' || chr(37) AND indexname <> :name
"""


class NearestTable:
    """Implements ports.Nearest for one embedder. Its name and dimensions are part of the SQL: an
    index over some rows is used only by a statement that plainly asks for those rows."""

    def __init__(
        self, database: Database, embedder: str, dimensions: int, read_whole: int = READ_WHOLE
    ) -> None:
        if not 1 <= dimensions <= 4_000:
            raise WrongCall(f"an index holds vectors of up to 4,000 numbers, not {dimensions}")
        self._db = database
        self._read_whole = read_whole
        named = hashlib.sha256(embedder.encode()).hexdigest()[:16]
        self._index = f"memory_vectors_near_half_{named}"
        self._large: set[frozenset[tuple[str, str]]] = set()  # scope and kind, many together
        whole_form, half_form = f"vector({dimensions:d})", f"halfvec({dimensions:d})"
        column, asked = f"CAST(embedding AS {whole_form})", f"CAST(:query AS {whole_form})"
        distance = f"{column} <=> {asked}"
        walk = f"CAST(embedding AS {half_form}) <=> CAST(:query AS {half_form})"
        quoted = _literal(embedder)
        centre = f"CAST(:centre AS {whole_form})"
        seen = f"({column} - {centre}) <=> ({asked} - {centre})"
        self._cosines = _COSINES.format(distance=distance, seen=distance, embedder=quoted)
        self._cosines_seen = _COSINES.format(distance=distance, seen=seen, embedder=quoted)
        self._few = _FEW.format(embedder=quoted)
        self._create = _INDEX.format(name=self._index, form=half_form, embedder=quoted)
        self._and_these = _AND_THESE.format(
            distance=distance, column=column, scope=_OF_SCOPES, embedder=quoted
        )
        self._statements = {
            # The sum keeps the planner from the vector index, the last words from the scope's.
            (whole, chosen): _NEAREST.format(
                distance=distance,
                column=column,
                embedder=quoted,
                scope=_OF_SCOPES if whole else f"({_OF_SCOPES}) IS NOT FALSE",
                order=f"({distance}) + 0" if whole else walk,
                kinds="kind = ANY(CAST(:kinds AS text[]))" if chosen else "true",
            )
            for whole in (True, False)
            for chosen in (True, False)
        }

        self._each = {
            whole: _NEAREST_EACH.format(
                form=whole_form,
                column=column,
                embedder=quoted,
                scope="scope = :scope" if whole else "(scope = :scope) IS NOT FALSE",
                order=f"({column} <=> query) + 0"
                if whole
                else f"CAST(embedding AS {half_form}) <=> CAST(query AS {half_form})",
            )
            for whole in (True, False)
        }

    def prepare(self) -> None:
        """Make the index where there is none yet; of an embedder not yet used it costs nothing.

        One process at a time: PostgreSQL lets two begin, and fails the second. Whoever finds it
        made asks for no lock that a writer would have to wait for.
        """
        name = {"name": self._index}
        if self._db.ask(_THERE, name):
            return
        with self._db.transaction():
            self._db.ask(_ALONE, name)
            self._db.ask(_ROOM_TO_BUILD)
            self._db.ask(self._create)
            self._db.ask("ANALYZE memory_vectors")  # else nobody knows how many the index spares

    def retire_others(self) -> None:
        """Drop the indexes of embedders that are no longer used."""
        for (name,) in self._db.ask(_OTHERS, {"name": self._index}):
            self._db.ask(f'DROP INDEX IF EXISTS hermes."{name}"')

    def nearest(
        self,
        scopes: Sequence[str],
        query: bytes,
        limit: int,
        kinds: Sequence[str] | None = None,
        also: Sequence[int] = (),
    ) -> Near:
        scopes = list(scopes)
        values = {"scopes": scopes, "limit": limit, "query": self._db.dialect.vector_in(query)}
        if kinds is not None:
            values["kinds"] = list(kinds)
        few = self._are_few(scopes, list(MemoryKind) if kinds is None else list(kinds))
        statement = self.statement(whole=few, chosen=kinds is not None)
        if also:
            statement, values["also"] = statement + self._and_these, _listed(also)
        rows = self._db.ask(statement, values)
        end = next(at for at, row in enumerate(rows) if row[0] is None)
        # The walk's own order is not quite that.
        near = {row[0]: row[1] for row in sorted(rows[:end], key=lambda row: -row[1])}
        mean = rows[end][3]
        return Near(
            cosines=near,
            along={number: along for number, _, along, _ in rows if number is not None},
            mean=None if mean is None else self._db.dialect.vector_out(mean),
            others={row[0]: row[1] for row in rows[end + 1 :] if row[0] not in near},
        )

    def nearest_each(
        self, scope: str, kind: str, queries: Sequence[bytes], limit: int
    ) -> Sequence[Mapping[int, float]]:
        given = [self._db.dialect.vector_in(query) for query in queries]
        values = {"queries": given, "scope": scope, "kind": kind, "limit": limit}
        found: list[dict[int, float]] = [{} for _ in queries]
        statement = self._each[self._are_few([scope], [kind])]
        for place, number, cosine in self._db.ask(statement, values):
            found[place - 1][number] = cosine
        return found

    def statement(self, *, whole: bool, chosen: bool = False) -> str:
        """The SQL that reads a scope whole or by the index, some kinds of it or all."""
        return self._statements[whole, chosen]

    def cosines(
        self,
        scopes: Sequence[str],
        query: bytes,
        numbers: Sequence[int],
        centre: bytes | None = None,
    ) -> Mapping[int, tuple[float, float]]:
        if not numbers:
            return {}
        given = self._db.dialect.vector_in
        values = {"scopes": list(scopes), "query": given(query), "numbers": _listed(numbers)}
        if centre is None:
            rows = self._db.ask(self._cosines, values)
        else:
            rows = self._db.ask(self._cosines_seen, values | {"centre": given(centre)})
        return {number: (cosine, seen) for number, cosine, seen in rows}

    def _are_few(self, scopes: list[str], kinds: list[str]) -> bool:
        """Counted as far as it matters, and not again once there were many. A kind that is rare in
        its scope would make the walk through the index a long one."""
        asked = frozenset(product(scopes, kinds))
        if any(large <= asked for large in self._large):
            return False
        values = {"scopes": scopes, "kinds": kinds, "limit": self._read_whole + 1}
        ((count,),) = self._db.ask(self._few, values)
        if count > self._read_whole:
            self._large.add(asked)
        return bool(count <= self._read_whole)


def _listed(numbers: Sequence[int]) -> str:
    """An array as PostgreSQL writes it; the driver would look at each of its numbers twice."""
    return "{" + ",".join(map(str, numbers)) + "}"


def _literal(text: str) -> str:
    """A text as SQL. A sign that the driver or our own loader reads as a parameter is refused."""
    if any(sign in text for sign in ":%\\\0"):
        raise WrongCall(f"an embedder's label has no colon, percent sign or backslash: {text!r}")
    return "'" + text.replace("'", "''") + "'"

"""The nearest vectors where the database cannot say: read into this process, scope by scope.

Up to some ten thousands a matrix is exact and fast. Beyond, a graph answers in a millisecond, but
making one takes minutes: `build` does it in the background, and the matrix serves until then.
A search asks once what is new; what it then asks of what it found is answered as of that moment.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import nlargest
from pathlib import Path
from typing import TYPE_CHECKING

from hermes.errors import CorruptData
from hermes.memory.shelf import KINDS
from hermes.memory.vector_graph import Graph, Head, load_graph
from hermes.memory.vector_matrix import Matrix, nearest_rows
from hermes.ports.memory import MemoryVectors, MemoryWords, Near
from hermes.rules.recalling.centring import cosines_from

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MATRIX_LIMIT = 50_000
_UNSAVED = 2_000
"""Vectors that may be in the graph and not in its file: reading them again costs two seconds."""
_SPARE = 8  # for so many vectors there is room for one more: growing copies all of them
_WIDER = 2  # how much further each round looks when the first found too few of a kind
_READ_WHOLE = 2_000  # of fewer than these all are compared: a rare kind is far apart in a graph


class _Reading:
    """What was read of one scope, and up to which generation; keys by number and by kind."""

    def __init__(self, held: Matrix | Graph, generation: int) -> None:
        self.held = held
        self.generation = generation
        self.keys: dict[int, int] = {}
        self.of_kind: tuple[set[int], ...] = tuple(set() for _ in KINDS)
        for key in held.all_keys():
            self.note(key)
        self.unsaved = 0

    def note(self, key: int) -> None:
        self.keys[key >> 2] = key
        self.of_kind[key & 3].add(key)

    def drop(self, number: int) -> None:
        key = self.keys.pop(number, None)
        if key is not None:
            self.of_kind[key & 3].discard(key)
            self.held.drop(key)
            self.unsaved += 1


class LocalVectors:
    """Implements ports.Nearest. Safe to share between threads.

    The kind of a memory is the rest of its key divided by four, so that a search for one kind
    needs no second look.
    """

    def __init__(
        self,
        vectors: MemoryVectors,
        words: MemoryWords,
        embedder: tuple[str, int],
        folder: Path,
        matrix_limit: int = MATRIX_LIMIT,
    ) -> None:
        self._vectors = vectors
        self._words = words
        self._label, self._dimensions = embedder
        self._folder = folder
        self._matrix_limit = matrix_limit
        self._lock = threading.RLock()
        self._readings: dict[str, _Reading] = {}

    def nearest(
        self,
        scopes: Sequence[str],
        query: bytes,
        limit: int,
        kinds: Sequence[str] | None = None,
        also: Sequence[int] = (),
    ) -> Near:
        wanted = [KINDS.index(kind) for kind in (KINDS if kinds is None else kinds)]
        asked = self._read(query)
        with self._lock:
            generation = self._words.generation()
            readings = [self._following(scope, generation) for scope in dict.fromkeys(scopes)]
            matrices = [one.held for one in readings if isinstance(one.held, Matrix)]
            near, rows = nearest_rows(matrices, asked, limit, None if kinds is None else wanted)
            if len(matrices) < len(readings):
                for reading in readings:
                    if isinstance(reading.held, Graph):
                        near += self._in_graph(reading, reading.held, asked, limit, wanted)
                near = nlargest(limit, near, key=lambda pair: pair[1])
                numbers, rows = self._rows(scopes, [key >> 2 for key, _ in near])
            else:
                numbers = [key >> 2 for key, _ in near]
            cosines = {key >> 2: cosine for key, cosine in near}
            others, other_rows = self._rows(scopes, [one for one in also if one not in cosines])
        if not near:
            return Near({}, {}, None, {})
        mean = rows.mean(axis=0)
        along = dict(zip(numbers, cosines_from(rows, mean, None).tolist(), strict=True))
        along.update(zip(others, cosines_from(other_rows, mean, None).tolist(), strict=True))
        known = cosines_from(other_rows, asked, None).tolist()
        return Near(cosines, along, mean.tobytes(), dict(zip(others, known, strict=True)))

    def nearest_each(
        self, scope: str, kind: str, queries: Sequence[bytes], limit: int
    ) -> Sequence[Mapping[int, float]]:
        return [self.nearest([scope], query, limit, [kind]).cosines for query in queries]

    def _in_graph(
        self,
        reading: _Reading,
        graph: Graph,
        query: NDArray[np.float32],
        limit: int,
        kinds: Sequence[int],
    ) -> list[tuple[int, float]]:
        right = sum(len(reading.of_kind[kind]) for kind in kinds)
        if right > _READ_WHOLE:
            return self._near_of_kinds(graph, query, limit, kinds, right)
        keys = [key for kind in kinds for key in reading.of_kind[kind]]
        return _compared(*graph.rows(keys), query)

    def _near_of_kinds(
        self,
        held: Graph,
        query: NDArray[np.float32],
        limit: int,
        kinds: Sequence[int],
        right: int,
    ) -> list[tuple[int, float]]:
        """Look as far as it takes to have enough of these kinds, of which there are `right`."""
        ask = -(-limit * len(held) // right)
        while True:
            near = [pair for pair in held.nearest(query, ask) if pair[0] & 3 in kinds]
            if len(near) >= limit or ask >= len(held):
                return near
            ask *= _WIDER

    def cosines(
        self,
        scopes: Sequence[str],
        query: bytes,
        numbers: Sequence[int],
        centre: bytes | None = None,
    ) -> Mapping[int, tuple[float, float]]:
        if not numbers:
            return {}
        known, rows = self._rows(scopes, numbers)
        plain = cosines_from(rows, self._read(query), None)
        seen = plain if centre is None else cosines_from(rows, self._read(query), centre)
        pairs = zip(plain.tolist(), seen.tolist(), strict=True)
        return dict(zip(known, pairs, strict=True))

    def _rows(
        self, scopes: Sequence[str], numbers: Sequence[int]
    ) -> tuple[list[int], NDArray[np.float32]]:
        import numpy as np

        found: list[int] = []
        parts = [np.zeros((0, self._dimensions), dtype=np.float32)]
        wanted = set(numbers)
        with self._lock:
            for scope in dict.fromkeys(scopes):
                reading = self._readings.get(scope) or self._following(scope)
                here = reading.keys.keys() & wanted
                if here:
                    known, rows = reading.held.rows([reading.keys[one] for one in here])
                    found += [key >> 2 for key in known]
                    parts.append(rows)
        return found, np.concatenate(parts)

    def build(self, scope: str) -> bool:
        """Make or save the graph of a scope that has outgrown its matrix; whether it did.

        Searches go on with the matrix: the lock is held only to put the graph in its place.
        """
        with self._lock:
            reading = self._following(scope)
            if isinstance(reading.held, Graph):
                return self._save(scope, reading, at_least=_UNSAVED)
            if len(reading.held) <= self._matrix_limit:
                return False
        generation = self._words.generation()
        graph = Graph(self._dimensions)
        graph.put_all(self._pairs(scope, -1))
        built = _Reading(graph, generation)
        with self._lock:
            self._take_up(scope, built)
            self._readings[scope] = built
            return self._save(scope, built, at_least=0)

    def close(self) -> None:
        """Save what only this process has in its graphs."""
        with self._lock:
            for scope, reading in self._readings.items():
                if isinstance(reading.held, Graph):
                    self._save(scope, reading, at_least=1)

    def scrub(self, scope: str) -> None:
        """After something was forgotten: no file holds it any more when this returns."""
        with self._lock:
            path = self._path(scope)
            if not path.exists():
                return
            reading = self._following(scope)
            if isinstance(reading.held, Graph):
                self._save(scope, reading, at_least=0)
            else:
                path.unlink(missing_ok=True)

    def _following(self, scope: str, generation: int | None = None) -> _Reading:
        """What was read of a scope, brought up to a generation; to the newest if not given."""
        generation = self._words.generation() if generation is None else generation
        reading = self._readings.get(scope)
        if reading is None or generation < reading.generation:
            reading = self._readings[scope] = self._begin(scope)
        if reading.generation != generation:
            self._take_up(scope, reading, generation)
        return reading

    def _begin(self, scope: str) -> _Reading:
        """From the file where there is a good one, else from nothing."""
        if self._path(scope).exists():
            loaded = load_graph(self._path(scope), self._head(scope, 0, 0))
            if loaded is not None and loaded[1] <= self._words.generation():
                return _Reading(*loaded)
        there = self._vectors.count(scope, self._label)
        return _Reading(Matrix(self._dimensions, room_for=there + there // _SPARE), -1)

    def _take_up(self, scope: str, reading: _Reading, generation: int | None = None) -> None:
        """What was written since the last look, then what was forgotten since."""
        generation = self._words.generation() if generation is None else generation
        pairs = self._noted(reading, self._pairs(scope, reading.generation))
        reading.unsaved += reading.held.put_all(pairs)
        for number in self._words.gone(scope, reading.generation):
            reading.drop(number)
        reading.generation = generation

    def _noted(
        self, reading: _Reading, pairs: Iterable[tuple[int, bytes]]
    ) -> Iterator[tuple[int, bytes]]:
        for key, vector in pairs:
            reading.note(key)
            yield key, vector

    def _pairs(self, scope: str, since: int) -> Iterator[tuple[int, bytes]]:
        for number, kind, vector, _ in self._vectors.since(scope, self._label, since):
            if len(vector) != 4 * self._dimensions:
                raise CorruptData(
                    f"its vector has {len(vector)} bytes, not {4 * self._dimensions}",
                    where=f"vector of memory number {number}",
                    hint="`hermes db verify` lists every damaged row; restore a backup",
                )
            yield number << 2 | KINDS.index(kind), vector

    def _save(self, scope: str, reading: _Reading, at_least: int) -> bool:
        if reading.unsaved < at_least or not isinstance(reading.held, Graph):
            return False
        head = self._head(scope, reading.generation, len(reading.held))
        reading.held.save(self._path(scope), head)
        reading.unsaved = 0
        return True

    def _head(self, scope: str, generation: int, count: int) -> Head:
        return Head(
            scope=scope,
            embedder=self._label,
            dimensions=self._dimensions,
            generation=generation,
            count=count,
        )

    def _path(self, scope: str) -> Path:
        name = hashlib.sha256(f"{scope}\0{self._label}".encode()).hexdigest()[:32]
        return self._folder / f"{name}.usearch"

    def _read(self, query: bytes) -> NDArray[np.float32]:
        import numpy as np

        return np.frombuffer(query, dtype=np.float32)


def _compared(
    keys: list[int], rows: NDArray[np.float32], query: NDArray[np.float32]
) -> list[tuple[int, float]]:
    """Every key with its cosine, nearest first."""
    cosines = cosines_from(rows, query, None).tolist()
    return sorted(zip(keys, cosines, strict=True), key=lambda pair: -pair[1])

"""Vectors in a usearch graph, for more of them than can be compared one by one.

The graph is a file that can be lost: its first line says what it was made of and the hash of the
rest. Whatever is missing, stale, cut off or altered is made again from the table. The hash is
checked before usearch sees a byte: it trusts what it loads.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hermes.errors import DiskFailed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

Found = list[tuple[int, float]]
_BATCH = 1_024
_LONGEST_HEAD = 4_096
_OVERWRITER = (1 << 62) + 1  # a key no memory has
_SEARCH_WIDTH = 128  # how many neighbours a search keeps in view: recall against time


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """What a graph file was made of; any other answer than the expected one makes it stale."""

    scope: str
    embedder: str
    dimensions: int
    generation: int
    count: int


class Graph:
    """Keys are whole numbers. Not safe to share between threads: its owner holds a lock."""

    def __init__(self, dimensions: int, data: bytes | None = None) -> None:
        _load_onnxruntime_first()
        from usearch.index import Index

        self._index: Any = Index(
            ndim=dimensions, metric="cos", dtype="f16", expansion_search=_SEARCH_WIDTH
        )
        self._dimensions = dimensions
        if data is not None:
            self._index.load(data)

    def __len__(self) -> int:
        return len(self._index)

    def put_all(self, pairs: Iterable[tuple[int, bytes]]) -> int:
        """Add vectors in batches, each in the place of what its key had; how many."""
        import numpy as np

        rest, added = iter(pairs), 0
        while batch := dict(islice(rest, _BATCH)):
            for key in batch:
                if key in self._index:
                    self.drop(key)
            keys = np.fromiter(batch, dtype=np.uint64, count=len(batch))
            rows = np.frombuffer(b"".join(batch.values()), dtype=np.float32)
            self._index.add(keys, rows.reshape(len(batch), self._dimensions), threads=1)
            added += len(batch)
        return added

    def drop(self, key: int) -> None:
        """usearch only marks what is removed, so something else is written over it first."""
        import numpy as np

        if key not in self._index:
            return
        nothing = np.zeros(self._dimensions, dtype=np.float32)
        nothing[0] = 1.0
        self._index.remove(key)
        self._index.add(_OVERWRITER, nothing)
        self._index.remove(_OVERWRITER)

    def all_keys(self) -> list[int]:
        found: list[int] = self._index.keys[:].tolist()
        return found

    def nearest(self, query: Floats, limit: int) -> Found:
        matches = self._index.search(query, min(limit, max(len(self), 1)), threads=1)
        distances = matches.distances.tolist()
        return [(key, 1.0 - far) for key, far in zip(matches.keys.tolist(), distances, strict=True)]

    def rows(self, keys: Sequence[int]) -> tuple[list[int], Floats]:
        """Those of the keys that have a vector, and their vectors."""
        import numpy as np

        held = self._index.get(np.array(keys, dtype=np.uint64)) if keys else ()
        known = [(key, row) for key, row in zip(keys, held, strict=True) if row is not None]
        rows: Floats = np.zeros((len(known), self._dimensions), dtype=np.float32)
        for at, (_, row) in enumerate(known):
            rows[at] = row
        return [key for key, _ in known], rows

    def save(self, path: Path, head: Head) -> None:
        """All of it or nothing: written beside, synced, and put in place."""
        payload = bytes(self._index.save())
        first = {**asdict(head), "blake2b": _digest(payload)}
        beside = path.with_suffix(f".{os.getpid()}.tmp")
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with open(beside, "wb", opener=_private) as file:
                file.write(json.dumps(first).encode() + b"\n")
                file.write(payload)
                file.flush()
                os.fsync(file.fileno())
            os.replace(beside, path)
        except OSError as error:
            with suppress(OSError):
                beside.unlink(missing_ok=True)
            raise DiskFailed(f"{path} cannot be written: {error.strerror}") from error


def load_graph(path: Path, expected: Head) -> tuple[Graph, int] | None:
    """The graph of a file and the generation it is of; None where it has to be made again.

    `expected` carries no generation and no count: those are the file's to say.
    """
    try:
        with path.open("rb") as file:
            first = json.loads(file.readline(_LONGEST_HEAD))
            payload = file.read()
        head = Head(**{name: first[name] for name in Head.__slots__})
        if first["blake2b"] != _digest(payload):
            return None
    except (OSError, ValueError, KeyError, TypeError):
        return None
    same = (expected.scope, expected.embedder, expected.dimensions)
    if (head.scope, head.embedder, head.dimensions) != same:
        return None
    graph = Graph(head.dimensions, payload)
    return (graph, head.generation) if len(graph) == head.count else None


def _load_onnxruntime_first() -> None:
    """Loaded after usearch's C++ library it kills the process; before it, both work."""
    with suppress(ImportError):  # where it is not installed nothing can clash
        import onnxruntime  # noqa: F401


def _digest(payload: bytes) -> str:
    return hashlib.blake2b(payload, digest_size=32).hexdigest()


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)

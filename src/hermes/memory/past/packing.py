"""How a run's passages and vectors lie in a row: flat, so that numpy reads them without parsing.

A term is four bytes of a hash. Two terms may share them; what is shown is looked at again, word by
word, so that such a hit is dropped. A vector is one byte a number: the cosine of two such vectors
is right to two places, and the request, answer and errors of a run cost less than their words.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from hermes.errors import CorruptData
from hermes.records.past import PassageKind
from hermes.rules.past.passages import Passage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Rows = NDArray[Any]

KINDS = tuple(PassageKind)
_PLACE = struct.Struct("<IIIBHH")
_HASH_SIZE = 4
_WORD_SIZE = _HASH_SIZE + 1  # and how often it occurs
_MOST_OCCURRENCES = 255
_MOST_TERMS = (1 << 16) - 1


@lru_cache(maxsize=1 << 16)
def term_hash(term: str) -> int:
    return zlib.crc32(term.encode("utf-8", "surrogatepass"))


def packed(passages: Sequence[tuple[Passage, Mapping[str, int]]]) -> tuple[bytes, bytes]:
    """(places, words) of a run; of the words all hashes first, then all counts."""
    places = bytearray()
    hashes: list[int] = []
    counts: list[int] = []
    for passage, terms in passages:
        length = min(sum(terms.values()), _MOST_TERMS)
        kind = KINDS.index(passage.kind)
        places += _PLACE.pack(passage.step_id, passage.start, passage.end, kind, len(terms), length)
        hashes += map(term_hash, terms)
        counts += [min(count, _MOST_OCCURRENCES) for count in terms.values()]
    return bytes(places), struct.pack(f"<{len(hashes)}I", *hashes) + bytes(counts)


def passages_in(places: bytes) -> list[Passage]:
    """The passages of a row, in their order."""
    return [
        Passage(step, KINDS[kind], start, end)
        for step, start, end, kind, _, _ in _PLACE.iter_unpack(places)
    ]


def place_rows(places: bytes) -> Rows:
    """Fields `step`, `start`, `end`, `kind`, `terms` (how many words follow) and `length`."""
    import numpy as np

    form = [("step", "<u4"), ("start", "<u4"), ("end", "<u4"), ("kind", "u1")]
    return np.frombuffer(places, dtype=np.dtype([*form, ("terms", "<u2"), ("length", "<u2")]))


class Joined(NamedTuple):
    """Many runs side by side: their places, the hashes and counts of their words, and how many
    passages each run has."""

    places: Rows
    hashes: NDArray[np.uint32]
    counts: NDArray[np.uint8]
    sizes: list[int]


def joined_rows(rows: Sequence[tuple[str, bytes, bytes]]) -> Joined:
    """Rows as they lie in the store, side by side.

    Each is given as (trajectory id, places, words). Raises CorruptData where one is not what
    `packed` makes.
    """
    import numpy as np

    for trajectory_id, places, words in rows:
        if len(places) % _PLACE.size or len(words) % _WORD_SIZE:
            raise _corrupt(trajectory_id)
    sizes = [len(places) // _PLACE.size for _, places, _ in rows]
    all_places = place_rows(b"".join(places for _, places, _ in rows))
    split = [(words, len(words) // _WORD_SIZE * _HASH_SIZE) for _, _, words in rows]
    hashes = np.frombuffer(b"".join(words[:at] for words, at in split), dtype="<u4")
    counts = np.frombuffer(b"".join(words[at:] for words, at in split), dtype=np.uint8)
    sums = np.concatenate([[0], np.cumsum(all_places["terms"], dtype=np.int64)])
    ends = np.cumsum(sizes, dtype=np.int64)
    said = np.diff(sums[ends], prepend=0)
    held = np.array([len(words) // _WORD_SIZE for words, _ in split], dtype=np.int64)
    for at in np.flatnonzero(said != held)[:1].tolist():
        raise _corrupt(rows[at][0])
    return Joined(all_places, hashes, counts, sizes)


def _corrupt(trajectory_id: str) -> CorruptData:
    return CorruptData(
        f"the passages of {trajectory_id} are cut off or altered",
        where="table passages",
        hint="restore a backup: hermes db restore FILE",
    )


def packed_vectors(vectors: Sequence[tuple[int, bytes]]) -> bytes:
    """(passage, float32 vector) of some passages of a run; of a vector its direction is kept."""
    import numpy as np

    data = bytearray()
    for passage, vector in vectors:
        numbers = np.frombuffer(vector, dtype=np.float32)
        scale = 127.0 / max(float(np.abs(numbers).max(initial=0.0)), 1e-9)
        data += struct.pack("<H", passage) + np.rint(numbers * scale).astype(np.int8).tobytes()
    return bytes(data)


def vector_rows(rows: Sequence[bytes], dimensions: int) -> tuple[Floats, list[list[int]]]:
    """The vectors of many runs, each of length 1, and for each run the passages they are of."""
    import numpy as np

    whole = np.dtype([("passage", "<u2"), ("numbers", "i1", (dimensions,))])
    for data in rows:
        if len(data) % whole.itemsize:
            raise CorruptData(
                f"{len(data)} bytes are no vectors of {dimensions} numbers",
                where="table passage_vectors",
                hint="restore a backup: hermes db restore FILE",
            )
    held = np.frombuffer(b"".join(rows), dtype=whole)
    vectors = held["numbers"].astype(np.float32)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors /= np.maximum(lengths, np.float32(1e-9))
    ends = np.cumsum([len(data) // whole.itemsize for data in rows])
    passages = np.split(held["passage"], ends[:-1]) if rows else []
    return vectors, [one.tolist() for one in passages]

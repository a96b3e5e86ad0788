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
_PASSAGE_SIZE = 2  # before each vector
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


def is_whole(places: bytes, words: bytes) -> bool:
    """Whether a row is what `packed` makes: not cut off, and of kinds that are known."""
    if len(places) % _PLACE.size or len(words) % _WORD_SIZE:
        return False
    rows = place_rows(places)
    known = bool((rows["kind"] < len(KINDS)).all())
    return known and int(rows["terms"].sum()) * _WORD_SIZE == len(words)


def joined_rows(rows: Sequence[tuple[bytes, bytes]]) -> Joined:
    """Whole rows (places, words), side by side."""
    import numpy as np

    places = place_rows(b"".join(places for places, _ in rows))
    split = [(words, len(words) // _WORD_SIZE * _HASH_SIZE) for _, words in rows]
    hashes = np.frombuffer(b"".join(words[:at] for words, at in split), dtype="<u4")
    counts = np.frombuffer(b"".join(words[at:] for words, at in split), dtype=np.uint8)
    sizes = [len(places) // _PLACE.size for places, _ in rows]
    return Joined(places, hashes, counts, sizes)


def packed_vectors(vectors: Sequence[tuple[int, bytes]]) -> bytes:
    """(passage, float32 vector) of some passages of a run; of a vector its direction is kept."""
    import numpy as np

    data = bytearray()
    for passage, vector in vectors:
        numbers = np.frombuffer(vector, dtype=np.float32)
        scale = 127.0 / max(float(np.abs(numbers).max(initial=0.0)), 1e-9)
        data += struct.pack("<H", passage) + np.rint(numbers * scale).astype(np.int8).tobytes()
    return bytes(data)


def are_vectors(data: bytes, dimensions: int) -> bool:
    """Whether a row holds whole vectors of so many numbers."""
    return len(data) % (_PASSAGE_SIZE + dimensions) == 0


def vector_rows(rows: Sequence[bytes], dimensions: int) -> tuple[Floats, list[list[int]]]:
    """The vectors of many runs, each of length 1, and for each run the passages they are of."""
    import numpy as np

    whole = np.dtype([("passage", "<u2"), ("numbers", "i1", (dimensions,))])
    held = np.frombuffer(b"".join(rows), dtype=whole)
    vectors = held["numbers"].astype(np.float32)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors /= np.maximum(lengths, np.float32(1e-9))
    ends = np.cumsum([len(data) // whole.itemsize for data in rows])
    passages = np.split(held["passage"], ends[:-1]) if rows else []
    return vectors, [one.tolist() for one in passages]

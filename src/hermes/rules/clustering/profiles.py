"""A request and how it was done as one vector, so that how alike two are is one product of numbers.

The vector joins what the sentence means (embedding), what it means without its parameters
(embedding of the masked text, files called by their kinds), what it means together with the
programs that did it (embedding of both in one sentence: so that two tools for one purpose are near
each other), its words (so that typing errors do no harm: hashed in threes of letters), the phrases
of its tool profile (hashed), and signs that tell intents apart: acts, opposites, formats. A sign
counts nothing where both agree or one is silent, and against where they differ; that is one
dimension of negative sign for each kind of sign. The product of two means of vectors is the mean
similarity of their members, which is what makes clustering cheap.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from hermes.rules.clustering.masking import masked, masked_but_kinds
from hermes.rules.clustering.signs import (
    ACT_COUNT,
    FORMAT_COUNT,
    OPPOSITE_COUNT,
    acts,
    formats,
    opposites,
)
from hermes.rules.clustering.telling import spoken, weight
from hermes.rules.similarity.tokens import tokens

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]

Embed = Callable[[Sequence[str]], Sequence[bytes]]
Done = tuple[str, Sequence[str]]
"""What was asked, and the tool profile of how it was done; empty where nobody knows."""

_WHOLE, _MASKED, _JOINED, _WORDS, _PHRASES = 0.25, 0.17, 0.42, 0.08, 0.08
"""How much each reading of a request counts; fitted on the `fit` half of the labelled set."""
_ACTS, _OPPOSITES, _FORMATS = 0.05, 0.10, 0.15
"""How much two requests lose when such signs differ; opposites cost twice their number."""
_WORD_WIDTH, _PHRASE_WIDTH = 1024, 512
_EMBEDDED = 320
"""Characters that are embedded: what follows is detail, and would cost more than it tells."""
_SIGN_KINDS = 3
_SIGNS = ACT_COUNT + OPPOSITE_COUNT + FORMAT_COUNT + _SIGN_KINDS


def width(dimensions: int) -> int:
    """How long a vector is, made with an embedder of so many dimensions."""
    return 3 * dimensions + _WORD_WIDTH + _PHRASE_WIDTH + _SIGNS


def profiles(requests: Sequence[Done], embed: Embed) -> list[Vector]:
    """One vector for each; every request is entirely like itself."""
    import numpy as np

    whole = [text[:_EMBEDDED] for text, _ in requests]
    kinds = [masked_but_kinds(text)[:_EMBEDDED] for text, _ in requests]
    joined = [_joined(text, phrases) for text, phrases in requests]
    embedded = embed([*whole, *kinds, *joined])
    read = [np.frombuffer(one, dtype=np.float32) for one in embedded]
    count = len(requests)
    made = []
    for at, (text, phrases) in enumerate(requests):
        parts = [
            math.sqrt(_JOINED) * read[2 * count + at],
            math.sqrt(_PHRASES) * _hashed({one: weight(one) for one in phrases}, _PHRASE_WIDTH),
            math.sqrt(_WHOLE) * read[at],
            math.sqrt(_MASKED) * read[count + at],
            math.sqrt(_WORDS) * _hashed(dict.fromkeys(_threes(masked(text)), 1.0), _WORD_WIDTH),
            *_signs(text),
        ]
        made.append(_like_itself(np.concatenate(parts).astype(np.float32)))
    return made


def against(vector: Vector) -> Vector:
    """What to multiply other vectors with: the last dimensions count against."""
    turned = vector.copy()
    turned[-_SIGN_KINDS:] *= -1
    return turned


def text_of(vector: Vector) -> Vector:
    """The part of a vector that is about the words of the request, entirely like itself again."""
    dimensions = (len(vector) - _WORD_WIDTH - _PHRASE_WIDTH - _SIGNS) // 3
    return _like_itself(vector[dimensions + _PHRASE_WIDTH :])


def _joined(text: str, phrases: Sequence[str]) -> str:
    """The request and its programs in one sentence, as somebody might add them in brackets."""
    said = spoken(phrases)
    return f"{text[:_EMBEDDED]} ({said})" if said else text[:_EMBEDDED]


def _like_itself(vector: Vector) -> Vector:
    import numpy as np

    product = float(vector @ against(vector))
    return vector / np.float32(math.sqrt(product)) if product > 0 else vector


def _signs(text: str) -> list[Vector]:
    import numpy as np

    found = (
        (_ACTS, _marked(dict.fromkeys(acts(text), 1.0), ACT_COUNT)),
        (_OPPOSITES, _marked(opposites(text), OPPOSITE_COUNT)),
        (_FORMATS, _marked(dict.fromkeys(formats(text), 1.0), FORMAT_COUNT)),
    )
    speaks = [math.sqrt(lost) * float(np.any(signs)) for lost, signs in found]
    parts = [math.sqrt(lost) * signs for lost, signs in found]
    return [*parts, np.array(speaks, dtype=np.float32)]


def _marked(places: Mapping[int, float], count: int) -> Vector:
    import numpy as np

    marked = np.zeros(count, dtype=np.float32)
    marked[list(places)] = list(places.values())
    return _unit(marked)


def _threes(text: str) -> set[str]:
    spaced = (f" {term} " for term in tokens(text))
    return {term[at : at + 3] for term in spaced for at in range(len(term) - 2)}


def _hashed(pieces: Mapping[str, float], count: int) -> Vector:
    """Pieces on fixed places with a fixed sign: no dictionary to keep, none to outgrow."""
    import numpy as np

    hashed = np.zeros(count, dtype=np.float32)
    for piece, counts in pieces.items():
        number = zlib.crc32(piece.encode(errors="replace"))
        hashed[(number >> 1) % count] += counts if number & 1 else -counts
    return _unit(hashed)


def _unit(vector: Vector) -> Vector:
    import numpy as np

    length = float(np.linalg.norm(vector))
    return vector / np.float32(length) if length else vector

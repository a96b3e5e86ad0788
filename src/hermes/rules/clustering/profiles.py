"""A request as one vector, so that how alike two are is one product of numbers.

The vector joins what the sentence means (embedding), what it means without its parameters
(embedding of the masked text, files called by their kinds), its words (so that typing errors do no
harm: hashed in threes of letters), and signs that tell intents apart: acts, opposites, formats,
tools. A sign counts nothing where both agree or one is silent, and against where they differ; that
is one dimension of negative sign for each kind of sign. The product of two means of vectors is the
mean similarity of their members, which is what makes clustering cheap.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from hermes.rules.actions.action import ActionKind
from hermes.rules.actions.reading import action_of
from hermes.rules.clustering.masking import masked, masked_but_kinds
from hermes.rules.clustering.signs import (
    ACT_COUNT,
    FORMAT_COUNT,
    OPPOSITE_COUNT,
    acts,
    formats,
    opposites,
)
from hermes.rules.similarity.tokens import tokens

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]

Embed = Callable[[Sequence[str]], Sequence[bytes]]

_WHOLE, _MASKED, _WORDS = 0.45, 0.25, 0.30
"""How much each reading of a request counts; fitted on the `fit` half of the labelled set."""
_ACTS, _OPPOSITES, _FORMATS, _TOOLS = 0.10, 0.10, 0.20, 0.10
"""How much two requests lose when such signs differ; opposites cost twice their number."""
_WORD_WIDTH, _TOOL_WIDTH = 1024, 32
_EMBEDDED = 320
"""Characters that are embedded: what follows is detail, and would cost more than it tells."""
_SIGN_KINDS = 4


def width(dimensions: int) -> int:
    """How long a vector is, made with an embedder of so many dimensions."""
    signs = ACT_COUNT + OPPOSITE_COUNT + FORMAT_COUNT + _TOOL_WIDTH + _SIGN_KINDS
    return 2 * dimensions + _WORD_WIDTH + signs


def profiles(requests: Sequence[tuple[str, Sequence[str]]], embed: Embed) -> list[Vector]:
    """One vector for each (text, names of the tools that were used)."""
    import numpy as np

    whole = [text[:_EMBEDDED] for text, _ in requests]
    bare = [masked(text) for text, _ in requests]
    kinds = [masked_but_kinds(text)[:_EMBEDDED] for text, _ in requests]
    embedded = embed([*whole, *kinds])
    made = []
    for at, (text, tools) in enumerate(requests):
        parts = [
            math.sqrt(_WHOLE) * np.frombuffer(embedded[at], dtype=np.float32),
            math.sqrt(_MASKED) * np.frombuffer(embedded[len(requests) + at], dtype=np.float32),
            math.sqrt(_WORDS) * _hashed(_threes(bare[at]), _WORD_WIDTH),
            *_signs(text, tools),
        ]
        made.append(np.concatenate(parts).astype(np.float32))
    return made


def against(vector: Vector) -> Vector:
    """What to multiply other vectors with: the last dimensions count against."""
    turned = vector.copy()
    turned[-_SIGN_KINDS:] *= -1
    return turned


def tool_signs(tools: Iterable[str]) -> set[str]:
    """Tools by what they do, so that two agents' shells are one; a foreign tool by its name."""
    kinds = {(action_of(tool, {}).kind, tool.lower()) for tool in tools}
    return {name if kind is ActionKind.OTHER else str(kind) for kind, name in kinds}


def _signs(text: str, tools: Sequence[str]) -> list[Vector]:
    import numpy as np

    found = (
        (_ACTS, _marked(dict.fromkeys(acts(text), 1.0), ACT_COUNT)),
        (_OPPOSITES, _marked(opposites(text), OPPOSITE_COUNT)),
        (_FORMATS, _marked(dict.fromkeys(formats(text), 1.0), FORMAT_COUNT)),
        (_TOOLS, _hashed(tool_signs(tools), _TOOL_WIDTH)),
    )
    speaks = [math.sqrt(weight) * float(np.any(signs)) for weight, signs in found]
    parts = [math.sqrt(weight) * signs for weight, signs in found]
    return [*parts, np.array(speaks, dtype=np.float32)]


def _marked(places: Mapping[int, float], count: int) -> Vector:
    import numpy as np

    marked = np.zeros(count, dtype=np.float32)
    marked[list(places)] = list(places.values())
    return _unit(marked)


def _threes(text: str) -> set[str]:
    spaced = (f" {term} " for term in tokens(text))
    return {term[at : at + 3] for term in spaced for at in range(len(term) - 2)}


def _hashed(pieces: Iterable[str], count: int) -> Vector:
    """Pieces on fixed places with a fixed sign: no dictionary to keep, none to outgrow."""
    import numpy as np

    hashed = np.zeros(count, dtype=np.float32)
    for piece in pieces:
        number = zlib.crc32(piece.encode())
        hashed[(number >> 1) % count] += 1.0 if number & 1 else -1.0
    return _unit(hashed)


def _unit(vector: Vector) -> Vector:
    import numpy as np

    length = float(np.linalg.norm(vector))
    return vector / np.float32(length) if length else vector

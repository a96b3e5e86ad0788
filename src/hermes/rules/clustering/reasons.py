"""Why the members of a pattern belong together, in a sentence a reviewer can check."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from hermes.rules.clustering.masking import masked
from hermes.rules.clustering.telling import telling
from hermes.rules.similarity.tokens import tokens, words_by_token

_MOST_WORDS = 6
_SHARE = 0.5
"""A word or a phrase is shared when at least this part of the members has it."""


def why(texts: Sequence[str], ways: Iterable[Sequence[str]], similarity: float) -> str:
    """`ways` are tool profiles; `similarity` is the mean over all pairs of texts, from 0 to 1."""
    bare = [masked(text) for text in texts]
    words = _shared([set(tokens(text)) for text in bare], len(texts))
    written = words_by_token(" ".join(bare))
    known = [set(telling(phrases)) for phrases in ways if phrases]
    done = _shared(known, len(known))
    said = [f"{len(texts)} requests"]
    if words:
        shown = ", ".join(written.get(word, word).lower() for word in words[:_MOST_WORDS])
        said.append(f"share the words {shown}")
    if done:
        said.append(f"were done with {', '.join(map(_named, done[:_MOST_WORDS]))}")
    said.append(f"are {similarity:.2f} alike on average")
    return f"{said[0]} that {' and '.join(filter(None, [', '.join(said[1:-1]), said[-1]]))}"


def _named(phrase: str) -> str:
    """`runs git tag` as `git tag`, `csv files` as it is."""
    act, _, what = phrase.partition(" ")
    return what if act in ("runs", "imports", "uses") else phrase


def _shared(sets: Sequence[set[str]], count: int) -> list[str]:
    """What most have, the most frequent first; equal ones in the order of the alphabet."""
    counted = Counter(item for items in sets for item in items)
    common = [item for item, times in counted.items() if times >= _SHARE * count]
    return sorted(common, key=lambda item: (-counted[item], item))

"""A light English stemmer: one stem for the forms of a word, so that words match across tenses.

Light on purpose. A stem need not be a word, it only has to be the same for `migrate`, `migrates`,
`migrating` and `migration`. Endings that often belong to the word itself (`-er` in docker, server,
folder) are left alone: a wrong match costs more than a missed one, which the vectors still find.
"""

from __future__ import annotations

from functools import lru_cache

_SHORTEST = 4
_VOWELS = frozenset("aeiouy")
_KEPT_DOUBLE = frozenset("lsz")
_WHOLE = frozenset({"embed", "format", "speed", "breed", "exceed", "proceed", "species", "series"})
"""Words whose own last letters look like an ending."""


@lru_cache(maxsize=1 << 14)
def stem(word: str) -> str:
    """The stem of a lower-case ASCII word; anything else is its own stem."""
    if len(word) < _SHORTEST or not word.isascii() or not word.isalpha():
        return word
    word = _without_tense(_singular(word))
    if word in _WHOLE:
        return word
    if len(word) > 3 and word.endswith("e"):
        word = word[:-1]
    for ending in ("ator", "at"):  # validator, validate, validation
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
            word = word[: -len(ending)]
            break
    return _one_spelling(word)


def _singular(word: str) -> str:
    if not word.endswith("s") or word.endswith(("ss", "us", "is")) or word in _WHOLE:
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    return word[:-1]


def _without_tense(word: str) -> str:
    if word in _WHOLE:
        return word
    if word.endswith("ion") and word[-4:-3] in ("s", "t") and len(word) >= 7:
        return word[:-3]
    for ending in ("ing", "ed"):
        rest = word[: -len(ending)]
        if word.endswith(ending) and len(rest) >= 3 and not _VOWELS.isdisjoint(rest):
            doubled = rest[-1] == rest[-2] and rest[-1] not in _KEPT_DOUBLE
            return rest[:-1] if doubled else rest
    return word


def _one_spelling(word: str) -> str:
    """Summarise and summarize, analyse and analysis, query and queries."""
    if word.endswith("ysis"):
        return word[:-3] + "z"
    if len(word) > 4 and word.endswith(("is", "ys")):
        return word[:-1] + "z"
    if len(word) > 3 and word.endswith("y") and word[-2] not in _VOWELS:
        return word[:-1] + "i"
    return word

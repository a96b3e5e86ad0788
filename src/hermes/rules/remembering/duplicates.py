"""Do two texts say the same? Then one of them is enough."""

from __future__ import annotations

import re
from functools import lru_cache

from hermes.rules.recalling.choosing import says_the_same
from hermes.rules.similarity.tokens import tokens

SAME_MEANING = 0.95
"""Cosine above which two texts with the same numbers and names say the same."""
_SHARED_WORDS = 0.4
"""However near in meaning: with few words in common two texts may speak of two things."""
_INNER_CAPITAL = re.compile(r"(?<=[\w,;)] )([A-Z]\w+)")
_AGAINST_TEXT = """
not no never none without cannot cant wont dont doesnt isnt arent wasnt nobody nothing neither nor
stop avoid disabl off dislik hate
"""
_AGAINST = frozenset(_AGAINST_TEXT.split())


def negations(words: frozenset[str]) -> frozenset[str]:
    """The words that turn a sentence round."""
    return words & _AGAINST


def repeats(old: str, new: str, cosine: float | None) -> bool:
    """Nearly the same words, or the same meaning with the same numbers; never across a `not`."""
    before, after = _words(old), _words(new)
    if negations(before) != negations(after):
        return False
    if says_the_same(before, after):
        return True
    shared = len(before & after) / max(len(before | after), 1)
    if cosine is None or cosine < SAME_MEANING or shared < _SHARED_WORDS:
        return False
    names = _names(old) ^ _names(new)
    return not names and not any(_names_something(word) for word in before ^ after)


@lru_cache(maxsize=128)
def _words(text: str) -> frozenset[str]:
    """Cached for a batch: each new text of one is compared with every other."""
    return frozenset(tokens(text.replace("n't", " not ").replace("’", "'")))


def _names(text: str) -> frozenset[str]:
    """Words with a capital that no sentence begins with: who or where."""
    return frozenset(match[1].lower() for match in _INNER_CAPITAL.finditer(text))


def _names_something(word: str) -> bool:
    """A number, a version, an identifier: what must be equal, however alike the rest is."""
    return any(map(str.isdigit, word)) or "." in word

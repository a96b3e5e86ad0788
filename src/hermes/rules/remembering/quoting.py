"""Is a text only what a person said, in nearly their own words?

An agent that writes down "prefers tabs" after the person said "I prefer tabs" repeats a person;
one that writes down what a web page told it does not, whatever it claims.
"""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W_]+", re.UNICODE)
_SMALL_TEXT = (
    "the a an and or but of to in on at for with by from is are was were be been i me my you your "
    "he she it its we us our they them their this that these those as so do does did not user "
    "users person wants want likes like prefers prefer said says please always"
)
_SMALL = frozenset(_SMALL_TEXT.split())
_SHARE = 0.8


def says_the_same(text: str, said: str) -> bool:
    """Whether nearly every word of weight in the text is a word of what was said."""
    words = [word for word in _WORD.findall(text.lower()) if word not in _SMALL]
    if not words:
        return False
    known = {_stem(word) for word in _WORD.findall(said.lower())}
    return sum(_stem(word) in known for word in words) >= _SHARE * len(words)


def _stem(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") else word

"""Patterns with cues: most text holds none of the words a pattern needs, and costs almost nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

STEM = 4
_WORD = re.compile(r"[a-z0-9]+")
_FOREIGN = re.compile("[\u00c0-\u024f\u0370-\u04ff\u3040-\u30ff\u4e00-\u9fff]")


@lru_cache(maxsize=32)
def _traits(text: str) -> tuple[frozenset[str], bool]:
    """(the first letters of every word, whether there are letters beyond plain English)."""
    stems = frozenset(word[:STEM] for word in _WORD.findall(text.lower()))
    return stems, not text.isascii() and bool(_FOREIGN.search(text))


class Cued:
    """Alternatives of (cues, pattern): a pattern is tried when one of its cues is in the text.

    Cues are the beginnings of words. A pattern without cues is for other alphabets, and is tried
    when there are letters beyond plain English. Patterns are compiled when first needed: most
    packages need few, and compiling all of them costs more than reading a package.
    """

    def __init__(self, *alternatives: tuple[str, str]) -> None:
        self._alternatives = tuple(
            (frozenset(cue[:STEM] for cue in cues.split()), pattern)
            for cues, pattern in alternatives
        )
        self._every_cue = frozenset().union(*(cues for cues, _ in self._alternatives))

    def search(self, text: str) -> re.Match[str] | None:
        for pattern in self._possible(text):
            match = pattern.search(text)
            if match:
                return match
        return None

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        for pattern in self._possible(text):
            yield from pattern.finditer(text)

    def _possible(self, text: str) -> Iterator[re.Pattern[str]]:
        stems, foreign = _traits(text)
        if not foreign and self._every_cue.isdisjoint(stems):
            return
        for cues, pattern in self._alternatives:
            if (foreign and not cues) or not cues.isdisjoint(stems):
                yield _compiled(pattern)


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.DOTALL)

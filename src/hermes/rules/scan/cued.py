"""Patterns with cues: most text holds none of the words a pattern needs, and costs almost nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

STEM = 4


@lru_cache(maxsize=16)
def stems_of(text: str) -> frozenset[str]:
    """The first letters of every word in the text."""
    return frozenset(word[:STEM] for word in re.findall(r"[a-z0-9]+", text.lower()))


class Cued:
    """A pattern, and words of which one must be there for it to match at all.

    The words are English; text with letters beyond ASCII is always searched.
    """

    def __init__(self, cues: str, *patterns: str, verbose: bool = False) -> None:
        self._cues = frozenset(cue[:STEM] for cue in cues.split())
        self._pattern = re.compile(
            "|".join(f"(?:{pattern})" for pattern in patterns),
            re.IGNORECASE | re.DOTALL | (re.VERBOSE if verbose else re.NOFLAG),
        )

    def search(self, text: str) -> re.Match[str] | None:
        return self._pattern.search(text) if self._possible(text) else None

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        return self._pattern.finditer(text) if self._possible(text) else iter(())

    def _possible(self, text: str) -> bool:
        return not text.isascii() or not self._cues.isdisjoint(stems_of(text))

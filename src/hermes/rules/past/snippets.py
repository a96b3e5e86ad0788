"""The few words around a hit, with the words that were asked for marked."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator
from functools import lru_cache

from hermes.records.past import Snippet
from hermes.rules.similarity.tokens import tokens

WIDTH = 240
_WORD = re.compile(r"[^\W_][\w.+#-]*")
_SPACE = re.compile(r"\s+")
_MORE = "…"


def snippet(passage: str, terms: Collection[str], width: int = WIDTH) -> Snippet:
    """The stretch of a passage with the most different words that were asked for, on one line.

    Without any of them (it was found by meaning) its beginning.
    """
    text = unicodedata.normalize("NFC", _SPACE.sub(" ", passage).strip())
    found = list(_places(text, frozenset(terms)))
    start = _best_start(found, width)
    start, end = _at_words(text, start, min(start + width, len(text)))
    before, after = _MORE if start > 0 else "", _MORE if end < len(text) else ""
    shift = len(before) - start
    marks = tuple(
        (one + shift, other + shift) for one, other, _ in found if start <= one and other <= end
    )
    return Snippet(text=f"{before}{text[start:end]}{after}", marks=marks)


def _places(text: str, terms: frozenset[str]) -> Iterator[tuple[int, int, str]]:
    """(start, end, term) of each word that was asked for.

    A word that begins or goes on like none of them is not read for its terms: most are such.
    """
    begins = re.compile("|".join(re.escape(term[: _beginning(term)]) for term in terms) or r"(?!)")
    for match in _WORD.finditer(text):
        if match[0].isascii() and not begins.search(match[0].lower()):
            continue
        asked = [term for term in _terms_of(match[0]) if term in terms]
        if not asked:
            continue
        if match[0].isascii():
            yield match.start(), match.end(), asked[0]
        else:
            yield from _inside(match, asked)


def _beginning(term: str) -> int:
    """How many signs of a term every form of its word has: stemming changes ends."""
    return max(1, min(3, len(term) - 1))


@lru_cache(maxsize=1 << 14)
def _terms_of(word: str) -> tuple[str, ...]:
    """Cached: the words of hits come again and again."""
    return tuple(tokens(word))


def _inside(match: re.Match[str], asked: list[str]) -> Iterator[tuple[int, int, str]]:
    """A script without spaces has no words to mark, so that its pairs of signs are marked."""
    word, until = match[0].lower(), 0
    if len(word) != len(match[0]) or not any(term in word for term in asked):
        yield match.start(), match.end(), asked[0]
        return
    for term in asked:
        at = word.find(term, until)
        if at >= 0:
            until = at + len(term)
            yield match.start() + at, match.start() + until, term


def _best_start(found: list[tuple[int, int, str]], width: int) -> int:
    """Where a window sees the most different terms; a quarter of it stands before the first."""
    best, best_count = 0, 0
    for at, (start, _, _) in enumerate(found):
        seen = {term for one, end, term in found[at:] if end <= start + width * 3 // 4}
        if len(seen) > best_count:
            best, best_count = max(0, start - width // 4), len(seen)
    return best


def _at_words(text: str, start: int, end: int) -> tuple[int, int]:
    """Not in the middle of a word where a space is near."""
    if start > 0:
        space = text.find(" ", start, start + 24)
        start = space + 1 if space >= 0 else start
    if end < len(text):
        space = text.rfind(" ", max(start, end - 24), end)
        end = space if space > start else end
    return start, end

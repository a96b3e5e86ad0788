"""From an ordered list to what is shown: nothing twice in other words, within a token budget."""

from __future__ import annotations

import operator
from collections.abc import Iterable

_CHARACTERS_A_TOKEN = 4
_SAME = 0.85
"""Share of common words above which two items say the same."""


def token_count(text: str) -> int:
    """An estimate that needs no tokenizer: four characters a token, rounded up."""
    return -(-len(text) // _CHARACTERS_A_TOKEN)


class Choosing:
    """Takes items best first; each is kept, a near duplicate of one that was, or too long."""

    def __init__(self, budget: int | None) -> None:
        self._left = budget
        self._kept: list[frozenset[str]] = []
        self.near_duplicates = 0
        self.over_budget = 0

    def take(self, text: str, terms: Iterable[str], *, defines: bool = False) -> bool:
        """Whether this text, which has these terms, is shown.

        One that defines something is hidden by the very same words alone: two tools that differ in
        a word are two tools.
        """
        words = frozenset(terms)
        same = operator.eq if defines else says_the_same
        if any(same(words, other) for other in self._kept):
            self.near_duplicates += 1
            return False
        if self._left is not None:
            cost = token_count(text)
            if cost > self._left:
                self.over_budget += 1  # a shorter one after it may still fit
                return False
            self._left -= cost
        self._kept.append(words)
        return True


def says_the_same(one: frozenset[str], other: frozenset[str]) -> bool:
    """Nearly the same words, and the very same numbers: `port 80` is not `port 81`."""
    if one == other:
        return True
    common, all_words = len(one & other), len(one | other)
    return common >= _SAME * all_words and not any(map(_has_digit, one ^ other))


def _has_digit(word: str) -> bool:
    return any(map(str.isdigit, word))


def shown_words(found: Iterable[str], asked: dict[str, str], most: int = 4) -> tuple[str, ...]:
    """The words of the query that an item has, as the person wrote them."""
    return tuple(dict.fromkeys(asked[term] for term in found if term in asked))[:most]

"""Does a new fact take the place of an old one? Only where both speak of the same thing.

Two sentences contradict when they differ in one place and that place is a value: a number, a name
after a verb that has one object at a time, a `not`. Two likes, two visits, two members are no
contradiction, and neither are two subjects.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from hermes.rules.remembering.duplicates import negations
from hermes.rules.similarity.stemming import stem
from hermes.rules.similarity.tokens import tokens

_WORD = re.compile(r"[^\W_][\w.:/@+#-]*[^\W_]|[^\W_]")
_CHANGE = re.compile(
    r"\b(?:no longer|(?:not )?any ?more|instead of|rather than|renamed|replaced|is now|are now|"
    r"(?:switched|changed|moved|migrated) (?:to|from)|now (?:uses?|runs?|lives?|is)|from now on|"
    r"as of|(?:up|down)graded to|used to)\b",
    re.IGNORECASE,
)
_MANY_AT_ONCE_TEXT = """
like likes liked enjoy love loves has have had own owns know knows visited visit bought read reads
met include includes contain contains support supports wants want plays play also another and
speaks speak tried saw added fixed
"""
_MANY_AT_ONCE = frozenset(map(stem, _MANY_AT_ONCE_TEXT.split()))
"""Verbs that say something besides what was said before."""
_ONE_AT_A_TIME_TEXT = """
is are was were be = uses use using runs run listens lives live prefers prefer goes go requires
require needs need costs takes starts ends begins called named set points returns belongs works
work sits stored kept deploys deploy deployed defaults equals expects opens closes reports leads
lead means writes sends stands serves hosted host located based scheduled due owned ships ship
"""
_ONE_AT_A_TIME = frozenset(map(stem, _ONE_AT_A_TIME_TEXT.split()))
"""Verbs with one object at a time. What differs must come after one: before it is the subject."""
_COPULAS = frozenset({"is", "are", "was", "were", "be", "="})
"""They tie nothing together: everything is something."""
_FILLER_TEXT = """
a an the to of in on at for by with and or that this it its as we our my i you your they their he
she his her will now currently please
"""
_FILLER = frozenset(_FILLER_TEXT.split())
_LONGEST_VALUE = 4
_ENOUGH_COMMON = 0.5


@dataclass(frozen=True, slots=True)
class _Difference:
    """The words before the place where two sentences differ, that place in each, and the rest."""

    head: tuple[str, ...]
    old: tuple[str, ...]
    new: tuple[str, ...]
    tail: tuple[str, ...]


def contradiction(old: str, new: str) -> str | None:
    """Why the new one takes the old one's place; None where both can be true."""
    before, after = _content(old), _content(new)
    if not before or not after or before == after:
        return None
    old_terms, new_terms = frozenset(before), frozenset(after)
    common = len(old_terms & new_terms)
    if common >= 2:
        rest = (old_terms | new_terms) - _turning_words(old_terms | new_terms)
        if common >= 0.6 * len(rest) and _turned(old, new):
            return "it says the opposite"
        if common >= _ENOUGH_COMMON * len(old_terms) and _CHANGE.search(new):
            return "it says that this has changed"
    place = _difference(before, after)
    if place is None or _turned(old, new):
        return None
    return _other_value(place)


def _turned(old: str, new: str) -> bool:
    both = [frozenset(tokens(text.replace("n't", " not "))) for text in (old, new)]
    return bool(negations(both[0])) != bool(negations(both[1])) or _opposites(both[0], both[1])


_OPPOSITES_TEXT = """
enabled/disabled on/off always/never allowed/forbidden public/private required/optional light/dark
open/closed true/false yes/no before/after ascending/descending likes/dislikes loves/hates
accepted/rejected up/down sync/async
"""
_OPPOSITES = tuple(frozenset(map(stem, pair.split("/"))) for pair in _OPPOSITES_TEXT.split())


def _opposites(old: frozenset[str], new: frozenset[str]) -> bool:
    differing = old ^ new
    return any(pair <= differing and len(pair & old) == 1 for pair in _OPPOSITES)


_EITHER_SIDE = frozenset(word for pair in _OPPOSITES for word in pair)


def _turning_words(words: frozenset[str]) -> frozenset[str]:
    return negations(words) | _EITHER_SIDE


@lru_cache(maxsize=2)
def _content(text: str) -> tuple[str, ...]:
    """Cached for two: one new text is compared with one old text after another."""
    words = (word.lower() for word in _WORD.findall(text[:600]))
    return tuple(stem(word) for word in words if word not in _FILLER)


def _difference(before: tuple[str, ...], after: tuple[str, ...]) -> _Difference | None:
    """Where the two differ, if it is in one short place only."""
    head = 0
    while head < min(len(before), len(after)) and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < min(len(before), len(after)) - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    place = _Difference(
        before[:head],
        before[head : len(before) - tail],
        after[head : len(after) - tail],
        before[len(before) - tail :],
    )
    fits = 1 <= len(place.old) <= _LONGEST_VALUE and 1 <= len(place.new) <= _LONGEST_VALUE
    return place if fits else None


def _other_value(place: _Difference) -> str | None:
    common = sum(word not in _COPULAS for word in (*place.head, *place.tail))
    if not _ONE_AT_A_TIME & set(place.head) or common < len(place.new) or common < len(place.old):
        return None  # it differs in the subject, or too little ties the two together
    if _MANY_AT_ONCE & {*place.head, *place.tail}:
        return None
    old, new = " ".join(place.old), " ".join(place.new)
    numeric = [any(map(str.isdigit, value)) for value in (old, new)]
    if all(numeric) or (common >= 2 and not any(numeric)):
        return f"it gives another value: {new} for {old}"
    return None

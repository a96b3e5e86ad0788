"""Which differing values are parameters, and which only follow from another value.

A place is one spot of a step where examples differ. The same values in the same examples are one
parameter. `jan_clean.csv` beside `jan.csv`, in every example, is no second parameter but a text
made from the first; only where no such rule holds in all of them is a value independent.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from hermes.records.codec import Json
from hermes.rules.mine.forms import FORMS, Form
from hermes.rules.mine.usage import PATH, Role, Usage, identifier
from hermes.rules.mine.worked import PLACEHOLDER

Values = Mapping[int, Json]
"""Example → what it had there."""

_WORDS = re.compile(rf"{PLACEHOLDER.pattern}|\w+|\W")
_LABEL = re.compile(r"([A-Za-z_]\w+)['\"]?\s*[:=]\s*['\"]?$")
_PROGRAM = re.compile(r"[\s{}$;|]")
_DEEPEST = 3
_MOST_PARTS = 4


@dataclass(frozen=True, slots=True)
class Term:
    """A base in one of its forms; as part of a text it is turned into text."""

    base: int
    form: Form


Filling = tuple[str | Term, ...]
"""What stands at a place: one term alone is the value itself, anything else is a text."""


@dataclass(frozen=True, slots=True)
class Place:
    values: Values
    usage: Usage
    step: int


@dataclass(slots=True)
class Base:
    """An independent value: what becomes a parameter."""

    values: dict[int, Json]
    usages: list[Usage] = field(default_factory=list)
    step: int = 0


@dataclass(slots=True)
class Solved:
    bases: list[Base] = field(default_factory=list)
    fillings: list[Filling] = field(default_factory=list)


def solve(places: Sequence[Place]) -> Solved:
    """A filling for each place, in their order; inputs are bases before anything else is."""
    made = [place.values for place in places if place.usage.role is Role.OUTPUT]
    solved = Solved(fillings=[()] * len(places))
    order = sorted(range(len(places)), key=lambda at: (_rank(places[at], made), at))
    for at in order:
        place = places[at]
        filling = _explained(place.values, solved.bases, 0)
        solved.fillings[at] = filling if filling is not None else _new(place, solved.bases)
        for part in solved.fillings[at]:
            if isinstance(part, Term) and part.form is FORMS[0] and len(solved.fillings[at]) == 1:
                solved.bases[part.base].usages.append(place.usage)
    return solved


def _rank(place: Place, made: Sequence[Values]) -> int:
    """A file that a step reads is an input unless an earlier one made it."""
    if place.usage.role is Role.INPUT and not any(_equal(place.values, one) for one in made):
        return 0
    return 1 if place.usage.role is Role.NONE else 2


def _explained(values: Values, bases: Sequence[Base], depth: int) -> Filling | None:
    """The values as a text made from bases; None where no one rule gives all of them."""
    for at, base in enumerate(bases):
        if _equal(values, base.values):
            return (Term(at, FORMS[0]),)
    texts = {key: value for key, value in values.items() if isinstance(value, str)}
    if len(texts) != len(values) or depth > _DEEPEST:
        return None
    first = next(iter(texts.values()), "")
    if depth and len(set(texts.values())) == 1 and not PLACEHOLDER.search(first):
        return (first,) if first else ()
    best: Filling | None = None
    for at, base in enumerate(bases):
        for form in FORMS:
            split = _split_at(texts, base, form)
            if split is None:
                continue
            before = _explained(split[0], bases, depth + 1)
            after = _explained(split[1], bases, depth + 1)
            if before is None or after is None:
                continue
            filling = (*before, Term(at, form), *after)
            if best is None or _plainness(filling) < _plainness(best):
                best = filling
    return best


def _split_at(
    texts: Mapping[int, str], base: Base, form: Form
) -> tuple[dict[int, str], dict[int, str]] | None:
    """What stands before and after the form of the base, where every text has it once."""
    before: dict[int, str] = {}
    after: dict[int, str] = {}
    seen: set[str] = set()
    for key, text in texts.items():
        value = base.values.get(key)
        part = form.of(value) if isinstance(value, str) else ""
        if isinstance(value, int | float) and form is FORMS[0]:
            part = str(value)
        if not part or text.count(part) != 1:
            return None
        seen.add(part)
        before[key], after[key] = text.split(part)
    if len(texts) > 1 and len(seen) == 1:
        return None
    if len(texts) == 1 and min(map(len, seen)) < 3:
        return None
    return before, after


def _plainness(filling: Filling) -> tuple[int, int, int]:
    """Fewest terms, then least text of its own, then the simplest form."""
    terms = [part for part in filling if isinstance(part, Term)]
    own = sum(len(part) for part in filling if isinstance(part, str))
    return len(terms), own, sum(FORMS.index(term.form) for term in terms)


def _new(place: Place, bases: list[Base]) -> Filling:
    """A new base for the whole value, or one for each part of a text that differs."""
    parts = differing_parts(place.values)
    if parts is None:
        bases.append(Base(dict(place.values), [], place.step))
        return (Term(len(bases) - 1, FORMS[0]),)
    filling: list[str | Term] = []
    for part in parts:
        if isinstance(part, str):
            filling.append(part)
            continue
        known = _explained(part, bases, 1)
        if known is None:
            before = filling[-1] if filling and isinstance(filling[-1], str) else ""
            bases.append(Base(dict(part), [Usage(_kind(part) or _label(before))], place.step))
            known = (Term(len(bases) - 1, FORMS[0]),)
        filling += known
    return tuple(filling)


def differing_parts(values: Values) -> list[str | dict[int, str]] | None:
    """A text with blanks or braces word by word, where examples differ in a few of its words."""
    texts = {key: value for key, value in values.items() if isinstance(value, str)}
    if len(texts) != len(values):
        return None
    if any(PATH.fullmatch(text) or not _PROGRAM.search(text) for text in texts.values()):
        return None
    words = {key: _WORDS.findall(text) for key, text in texts.items()}
    if len({len(one) for one in words.values()}) != 1:
        return None
    parts: list[str | dict[int, str]] = []
    differing = 0
    for column in zip(*words.values(), strict=True):
        if len(set(column)) == 1 and not PLACEHOLDER.fullmatch(column[0]):
            if parts and isinstance(parts[-1], str):
                parts[-1] += column[0]
            else:
                parts.append(column[0])
        else:
            differing += 1
            parts.append(dict(zip(words, column, strict=True)))
    count = len(next(iter(words.values())))
    return parts if 0 < differing <= min(_MOST_PARTS, count // 2) else None


def _kind(values: Values) -> str:
    """What a redactor took them for; empty for anything else."""
    kinds = {str(value).strip("<>").rsplit("_", 1)[0] for value in values.values()}
    hidden = all(PLACEHOLDER.fullmatch(str(value)) for value in values.values())
    return kinds.pop() if hidden and len(kinds) == 1 else ""


def _label(before: str) -> str:
    """`"port": ` says what stands after it."""
    found = _LABEL.search(before)
    return identifier(found[1]) if found else "value"


def _equal(one: Values, two: Values) -> bool:
    """The same in every example that has both; one example is enough only if it is all there is."""
    shared = one.keys() & two.keys()
    if not shared or len(shared) < min(2, len(one)):
        return False
    return all(one[key] == two[key] and type(one[key]) is type(two[key]) for key in shared)

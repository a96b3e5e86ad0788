"""Bases → parameters: a name of their class, a type, a default where one value dominates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from hermes.ids import canonical_json
from hermes.records.codec import Json
from hermes.records.procedure import Clue
from hermes.records.skill import Parameter
from hermes.rules.mine.fillings import Base
from hermes.rules.mine.forms import FORMS
from hermes.rules.mine.sketch import Surroundings
from hermes.rules.mine.spelling import Names
from hermes.rules.mine.usage import Role, Usage, type_of
from hermes.rules.mine.worked import PLACEHOLDER, Worked

_DOMINANT = 0.6
_MOST_OBSERVED = 10
_FEW = 3
_OFTEN = 0.8
_WHAT = {
    "path": "A file or folder.",
    "column": "The name of a column.",
    "number": "A number.",
    "date": "A date.",
    "enum": "One of a few known values.",
    "list": "A list of values.",
    "text": "A text.",
}

_WHAT_BY_NAME = {
    "value_column": "The column whose values are computed with.",
    "date_column": "The column that holds the date.",
    "filter_column": "The column that decides which rows count.",
    "group_column": "The column that rows are grouped by.",
    "sort_column": "The column that rows are ordered by.",
    "count": "How many of them.",
    "threshold": "The value that decides which rows count.",
}


def names_of(bases: Sequence[Base], taken: Collection[str]) -> Names:
    """A name for each base that no program uses for something else."""
    used = set(taken)
    chosen: dict[int, str] = {}
    for at, base in enumerate(bases):
        name = next(
            name
            for name in _candidates(_usage(base))
            if not any(f"{name}{form.suffix}" in used for form in FORMS)
        )
        used.add(name)
        chosen[at] = name
    return Names(chosen)


def parameters_of(bases: Sequence[Base], names: Names) -> tuple[Parameter, ...]:
    return tuple(_parameter(base, names.of[at]) for at, base in enumerate(bases))


def clues_of(
    bases: Sequence[Base], names: Names, examples: Sequence[Worked], around: Surroundings
) -> tuple[Clue, ...]:
    """How each value was found, by where the examples had it from."""
    return tuple(
        Clue(parameter=names.of[at], how=_how(base, examples, around))
        for at, base in enumerate(bases)
    )


def is_output(base: Base) -> bool:
    return any(usage.role is Role.OUTPUT for usage in base.usages)


def is_input(base: Base) -> bool:
    return not is_output(base) and any(usage.role is Role.INPUT for usage in base.usages)


def _usage(base: Base) -> Usage:
    """The one that says most: what a file is for, then any name at all."""
    for role in (Role.OUTPUT, Role.INPUT):
        for usage in base.usages:
            if usage.role is role:
                return usage
    telling = [usage for usage in base.usages if usage.name not in ("", "text", "value", "number")]
    return (telling or base.usages or [Usage("value")])[0]


def _candidates(usage: Usage) -> Iterable[str]:
    name = usage.name or "value"
    yield name
    if not name.endswith(("path", "column", "value")):
        yield f"{name}_value"
    number = 2
    while True:
        yield f"{name}_{number}"
        number += 1


def _parameter(base: Base, name: str) -> Parameter:
    usage = _usage(base)
    values = [value for value in base.values.values() if not _is_placeholder(value)]
    counts = Counter(canonical_json(value) for value in values)
    distinct = _distinct(values)
    kind = type_of(base.values.values(), usage)
    if kind == "text" and len(values) > _FEW and len(distinct) <= len(values) // 2:
        kind = "enum"
    default: Json = None
    if len(values) >= _FEW or (len(values) == 2 and len(distinct) == 1):
        most, times = counts.most_common(1)[0]
        always = times == len(base.values)
        if always or (times / len(base.values) >= _DOMINANT and not is_input(base)):
            default = next(value for value in values if canonical_json(value) == most)
    return Parameter(
        name=name,
        type=kind,
        description=_described(base, kind, name),
        required=default is None,
        default=default,
        observed=tuple(distinct[:_MOST_OBSERVED]),
    )


def _described(base: Base, kind: str, name: str) -> str:
    if is_output(base):
        return "The file that is written."
    if is_input(base):
        return "The file that is read."
    return _WHAT_BY_NAME.get(name, _WHAT[kind])


def _how(base: Base, examples: Sequence[Worked], around: Surroundings) -> str:
    keys = list(base.values)
    asked = [key for key in keys if _is_asked_for(key, base.values[key], around)]
    if keys and len(asked) >= _OFTEN * len(keys):
        return "the file that the request names" if is_input(base) else "named in the request"
    shown = [key for key in keys if _was_shown(examples[key], base.values[key])]
    if keys and len(shown) >= _OFTEN * len(keys):
        return "look at the start of the input file: it is shown there"
    if asked:
        return "often named in the request; otherwise as in the examples"
    return "choose one; the observed values show the form"


def _is_asked_for(key: int, value: Json, around: Surroundings) -> bool:
    if isinstance(value, str) and "/" in value:
        return around.mentions(key, value) or around.mentions(key, value.rsplit("/", 1)[-1])
    return around.mentions(key, value)


def _was_shown(worked: Worked, value: Json) -> bool:
    return any(str(value) in (move.output or "") for move in worked.moves)


def _is_placeholder(value: Json) -> bool:
    return isinstance(value, str) and PLACEHOLDER.search(value) is not None


def _distinct(values: Iterable[Json]) -> list[Json]:
    return list({canonical_json(value): value for value in values}.values())

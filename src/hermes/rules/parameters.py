"""What a person typed for a skill's parameters → values of the types that these have.

Everything that is wrong is told at once: nobody wants to be sent back three times.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from hermes.records.codec import Json
from hermes.records.skill import Parameter
from hermes.rules.procedures import defaults_of

_WHOLE = re.compile(r"[+-]?[0-9]{1,300}")
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?")
_YES = frozenset(("true", "yes", "on", "1"))
_NO = frozenset(("false", "no", "off", "0"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Filling:
    """`values` are complete where nothing is missing and nothing is wrong."""

    values: Mapping[str, Json]
    missing: tuple[Parameter, ...] = ()
    problems: tuple[str, ...] = ()


def fill(parameters: Sequence[Parameter], given: Mapping[str, str]) -> Filling:
    """Read each text as its parameter's type; what was not given has its default."""
    known = {one.name: one for one in parameters}
    values = defaults_of(parameters)
    problems = [
        f"there is no parameter '{name}': {_those(known)}" for name in given if name not in known
    ]
    for name, text in given.items():
        if name not in known:
            continue
        try:
            values[name] = _value(known[name], text)
        except ValueError as error:
            problems.append(f"{name}: {error}")
    missing = tuple(one for one in parameters if one.name not in values and one.name not in given)
    return Filling(values=values, missing=missing, problems=tuple(problems))


def _value(parameter: Parameter, text: str) -> Json:
    """The text as the parameter's type; a type that we do not know takes any text."""
    if "\0" in text:
        raise ValueError("a value has no NUL in it")
    read = _READERS.get(parameter.type)
    return read(parameter, text) if read else text


def _number(_: Parameter, text: str) -> Json:
    if _WHOLE.fullmatch(text):
        return int(text)
    if _DECIMAL.fullmatch(text) and math.isfinite(float(text)):
        return float(text)
    raise ValueError(f"a number is wanted, not {text!r}")


def _integer(_: Parameter, text: str) -> Json:
    if _WHOLE.fullmatch(text):
        return int(text)
    raise ValueError(f"a whole number is wanted, not {text!r}")


def _flag(_: Parameter, text: str) -> Json:
    if text.lower() in _YES | _NO:
        return text.lower() in _YES
    raise ValueError(f"true or false is wanted, not {text!r}")


def _date(parameter: Parameter, text: str) -> Json:
    """Strict only where every value that was seen is an ISO date too."""
    strict = parameter.observed and all(_is_date(one) for one in parameter.observed)
    if strict and not _is_date(text):
        raise ValueError(f"a date such as {parameter.observed[0]} is wanted, not {text!r}")
    return text


def _is_date(value: Json) -> bool:
    try:
        return isinstance(value, str) and bool(date.fromisoformat(value))
    except ValueError:
        return False


def _no_constant(name: str) -> Json:
    raise ValueError(f"{name} is not JSON")


def _structure(_: Parameter, text: str) -> Json:
    try:
        return json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"JSON is wanted: {error}") from error


_READERS: Mapping[str, Callable[[Parameter, str], Json]] = {
    "number": _number,
    "float": _number,
    "integer": _integer,
    "int": _integer,
    "boolean": _flag,
    "bool": _flag,
    "date": _date,
    "list": _structure,
    "object": _structure,
    "json": _structure,
}


def _those(known: Mapping[str, Parameter]) -> str:
    return f"it has {', '.join(known)}" if known else "it has none"

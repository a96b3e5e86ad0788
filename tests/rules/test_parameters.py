"""What a person types for parameters: read as its type, or told what is wrong, all at once."""

from __future__ import annotations

import pytest

from hermes.records.codec import Json
from hermes.records.skill import Parameter
from hermes.rules.parameters import fill


def one(kind: str, **fields: Json) -> list[Parameter]:
    return [Parameter(name="x", type=kind, **fields)]


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("number", "3", 3),
        ("number", "-2.5e3", -2500.0),
        ("integer", "12", 12),
        ("boolean", "Yes", True),
        ("bool", "off", False),
        ("date", "2026-01-31", "2026-01-31"),
        ("list", '["a", 1]', ["a", 1]),
        ("path", "a b.csv", "a b.csv"),
        ("column", "=1+1", "=1+1"),
        ("something new", "any", "any"),
    ],
)
def test_a_text_becomes_its_type(kind: str, text: str, value: Json) -> None:
    filling = fill(one(kind), {"x": text})
    assert (filling.values, filling.missing, filling.problems) == ({"x": value}, (), ())


@pytest.mark.parametrize(
    ("kind", "text", "told"),
    [
        ("number", "three", "x: a number is wanted, not 'three'"),
        ("number", "1e999", "x: a number is wanted"),
        ("number", "1_000", "x: a number is wanted"),
        ("number", "nan", "x: a number is wanted"),
        ("integer", "1.5", "x: a whole number is wanted, not '1.5'"),
        ("boolean", "maybe", "x: true or false is wanted, not 'maybe'"),
        ("list", "[1,", "x: JSON is wanted"),
        ("json", "[NaN]", "x: JSON is wanted"),
        ("path", "a\0b", "x: a value has no NUL in it"),
    ],
)
def test_a_wrong_type_is_named(kind: str, text: str, told: str) -> None:
    filling = fill(one(kind), {"x": text})
    assert filling.problems[0].startswith(told)
    assert filling.missing == ()


def test_a_date_is_strict_where_every_date_seen_is() -> None:
    seen = one("date", observed=("2026-01-31",))
    assert fill(seen, {"x": "soon"}).problems == (
        "x: a date such as 2026-01-31 is wanted, not 'soon'",
    )
    assert fill(one("date", observed=("31.1.",)), {"x": "28.2."}).problems == ()


def test_all_that_is_wrong_is_told_at_once() -> None:
    parameters = [
        Parameter(name="a", type="path"),
        Parameter(name="b", type="number"),
        Parameter(name="c", type="text", default="d"),
        Parameter(name="e", type="text", required=False),
    ]
    filling = fill(parameters, {"b": "x", "z": "1"})
    assert [one.name for one in filling.missing] == ["a"]
    assert filling.problems == (
        "there is no parameter 'z': it has a, b, c, e",
        "b: a number is wanted, not 'x'",
    )
    assert filling.values == {"c": "d", "e": None}

"""A value put into a code template stays a value, wherever it goes and whatever it says."""

from __future__ import annotations

import ast
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hermes.errors import WrongCall
from hermes.rules.templates import bind
from hermes.testing.strategies import JSON

HOSTILE = [
    "'); import os; os.system('id'); ('",
    '"""); raise SystemExit  # ',
    "{__import__('os').getcwd()}",
    "{{p}}",
    "{p}",
    "\\",
    "\\'",
    "a\nb\r\n\tc",
    "'''\"\"\"\\",
    "\u202e\x00\ud800",
    "#",
]
VALUES = st.one_of(st.sampled_from(HOSTILE), st.text(), JSON)

SALES = """\
import pandas as pd
import matplotlib.pyplot as plt

# {file_path} is read once; {date_column} orders it.
df = pd.read_csv('{file_path}')
df['{date_column}'] = pd.to_datetime(df['{date_column}'])
df = df.sort_values("{date_column}")
df['rolling'] = df['{value_column}'].rolling(window=7).mean()
change = df.set_index('{date_column}')['{value_column}'].resample('ME').sum().pct_change()
fig, axes = plt.subplots(2, 1, figsize=(12, 8))
labels = {'rolling': 'mean of {value_column}', 'change': f'{change.iloc[-1]:.1%}'}
axes[0].plot(df['{date_column}'], df['rolling'], **{'label': labels['rolling']})
plt.savefig('{output_path}')
print(f"Saved {output_path} with {len(df)} rows of {{value_column}}")
"""


def run(program: str) -> dict[str, Any]:
    space: dict[str, Any] = {}
    exec(compile(program, "template", "exec"), {"__builtins__": {}}, space)
    return space


@given(VALUES)
@settings(max_examples=100, deadline=None)
def test_where_a_literal_goes_the_value_is_itself(value: Any) -> None:
    assert run(bind("x = {p}\ny = [{p}, {p}]", {"p": value})) == {"x": value, "y": [value, value]}


@given(VALUES)
@settings(max_examples=100, deadline=None)
def test_in_a_string_the_value_is_its_text(value: Any) -> None:
    program = bind("x = 'a{p}b'\ny = '''{p}\n''' \"{p}\"\nz = rb'{p}'", {"p": value})
    text = str(value)
    assert run(program) == {"x": f"a{text}b", "y": f"{text}\n{text}", "z": b"{p}"}


@given(VALUES)
@example("plain")
@settings(max_examples=100, deadline=None)
def test_in_an_f_string_the_value_is_its_text_or_it_is_refused(value: Any) -> None:
    try:
        program = bind("n = 3\nx = f'a{p}b{{p}}{n}{n:>{p}}'.upper", {"p": value})
    except WrongCall:
        assert any(one in str(value) for one in "'\"\\{}\n\r\t\x00") or not str(value).isprintable()
        return
    tree = ast.parse(program)
    (joined,) = (one for one in ast.walk(tree.body[1]) if _is_outer(one))
    assert joined.values[0].value == f"a{value}b{{p}}"


def _is_outer(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) and len(node.values) == 3


@given(VALUES, VALUES)
@settings(max_examples=100, deadline=None)
def test_no_value_adds_or_removes_code(one: Any, two: Any) -> None:
    """Whatever the values, the program does what it does with harmless ones."""
    template = "f('{a}', [{b}], k={a}).g('{b}{a}')\nif {a}:\n    h({b}, '{other}', {a, b})"
    assert _code(bind(template, {"a": one, "b": two})) == _code(bind(template, {"a": 1, "b": 1}))


def _code(program: str) -> list[str]:
    """What a program does, without its literals: names, attributes, calls, statements."""
    nodes = list(ast.walk(ast.parse(program)))
    names = [node.id for node in nodes if isinstance(node, ast.Name)]
    attributes = [node.attr for node in nodes if isinstance(node, ast.Attribute)]
    doing = [type(node).__name__ for node in nodes if isinstance(node, ast.stmt | ast.Call)]
    return sorted(names + attributes + doing)


def test_only_known_placeholders_are_touched() -> None:
    template = (
        "# {p} stays in a comment\n"
        "a = {'p': 1, **{}}\n"
        "b = {p, q}; c = {q}; d = '{q} {{p}} {p!r} { p } {p.x} {}'\n"
        "e = b'{p}'   ;  f = [x for x in {1, 2}]\n"
    )
    assert bind(template, {"p": 7}) == template
    assert bind(template, {}) == template
    assert bind("x = '{p}' # {p}\ny={p}", {"p": 7}) == "x = '7' # {p}\ny=7"


def test_the_published_template_is_filled() -> None:
    values = {
        "file_path": "sales 'q1'.csv",
        "date_column": "day",
        "value_column": 'net "€"',
        "output_path": "out/{day}.png",
    }
    program = bind(SALES, values)
    compile(program, "template", "exec")
    assert "# {file_path} is read once; {date_column} orders it." in program
    assert (
        "labels = {'rolling': 'mean of net \"€\"', 'change': f'{change.iloc[-1]:.1%}'}" in program
    )
    assert """pd.read_csv("sales 'q1'.csv")""" in program
    assert "Saved out/{{day}}.png with {len(df)} rows of {{value_column}}" in program
    assert "figsize=(12, 8)" in program


def test_a_value_is_not_filled_again() -> None:
    assert run(bind("x = '{a}{b}'", {"a": "{b}", "b": "{a}"})) == {"x": "{b}{a}"}


def test_a_negative_number_keeps_its_sign_to_itself() -> None:
    assert run(bind("x = {n} ** 2", {"n": -3})) == {"x": 9}


def test_columns_are_found_behind_letters_of_several_bytes() -> None:
    assert run(bind("x, y = 'ä€😀{p}', ['é', {p}]", {"p": "ü"})) == {"x": "ä€😀ü", "y": ["é", "ü"]}


def test_lines_may_end_as_on_any_system() -> None:
    assert run(bind("x = {p}\r\ny = '''a\r\n{p}'''\r", {"p": 1})) == {"x": 1, "y": "a\n1"}


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("def {p}(): pass", "not Python: line 1"),
        ("import {p}", "not Python"),
        ("x = 'open", "not Python: line 1"),
        ("x = 1\n\0", "not Python"),
        ("(" * 1000, "not Python"),
        ("+".join("a" * 50_000), "too deeply"),
        ("-" * 100_000 + "1", "too deeply"),
        ("x = 1\n" * 50_000, "more than"),
        ("x = '\ud800'", "not Python"),
        ("x = {p}.real", "does not fit"),
    ],
)
def test_what_is_no_template_is_refused(template: str, said: str) -> None:
    with pytest.raises(WrongCall, match=said):
        bind(template, {"p": 7})


@pytest.mark.parametrize("value", [float("inf"), float("nan"), b"x", {1}, object(), [float("inf")]])
def test_what_is_not_json_is_refused(value: object) -> None:
    with pytest.raises(WrongCall, match="'p' is not JSON"):
        bind("x = {p}", {"p": value})

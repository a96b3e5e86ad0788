"""A code template and values → a program in which no value can be anything but a value.

A template is Python in which `{name}` stands for a parameter, in one of three places:

    read_csv({file_path})        where a literal goes   → read_csv('a.csv')
    df['{date_column}']          in a string            → df['when']
    print(f"saved {output_path}")  in an f-string       → print(f'saved out.png')

Only `{name}` of a known parameter is touched; every other brace, comment and blank stays as it is.
Before substitution such a text is already valid Python, so the places are found in its syntax tree
and only there: a value has no way to become code. The result is parsed again and must be the tree
that was meant, or the value is refused.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import NamedTuple

from hermes.errors import WrongCall
from hermes.ids import canonical_json
from hermes.records.codec import Json

_LONGEST = 200_000  # characters; what is longer was not written to be filled in


def bind(template: str, values: Mapping[str, Json]) -> str:
    """The program; raises WrongCall where the template or a value does not allow one."""
    for name, value in values.items():
        _check_json(name, value)
    source = template.replace("\r\n", "\n").replace("\r", "\n")
    binding = _Binding(values)
    try:
        meant = binding.visit(_parsed(source))
        program = _edited(source, binding.edits)
        is_meant = _is_tree(program, meant)
    except RecursionError as error:
        raise WrongCall("the template is nested too deeply") from error
    except ValueError as error:  # how `ast.unparse` says that this Python has no such f-string
        raise WrongCall(f"a value does not fit into its f-string: {error}") from error
    if not is_meant:
        raise WrongCall(
            "a value does not fit where the template has it",
            hint="assign the parameter to a variable first, and use that",
        )
    return program


def _check_json(name: str, value: Json) -> None:
    """What is not JSON has no literal: that of an infinite number, say, is a variable's name."""
    try:
        canonical_json(value)
    except (TypeError, ValueError) as error:
        raise WrongCall(f"the value of parameter '{name}' is not JSON: {error}") from error


def _parsed(source: str) -> ast.Module:
    if len(source) > _LONGEST:
        raise WrongCall(f"the template has more than {_LONGEST:,} characters")
    try:
        return ast.parse(source)
    except SyntaxError as error:
        raise WrongCall(f"it is not Python: line {error.lineno}: {error.msg}") from error
    except MemoryError as error:  # more brackets than the parser holds
        raise WrongCall("it is not Python: nested too deeply") from error
    except ValueError as error:  # a NUL
        raise WrongCall(f"it is not Python: {error}") from error


def _is_tree(program: str, meant: ast.Module) -> bool:
    try:
        return ast.dump(ast.parse(program)) == ast.dump(meant)
    except SyntaxError:
        return False


class _Edit(NamedTuple):
    """Text to put in the place of a node, by line and byte, both from 0."""

    start: tuple[int, int]
    end: tuple[int, int]
    text: str


class _Binding(ast.NodeTransformer):
    """Replaces placeholders in the tree, and notes for each outermost one what to write there."""

    def __init__(self, values: Mapping[str, Json]) -> None:
        self.edits: list[_Edit] = []
        self._values = values
        names = "|".join(map(re.escape, sorted(values, key=len, reverse=True)))
        # A doubled brace is an escape of `str.format`, and so not a placeholder.
        self._placeholder = re.compile(rf"(?<!{{){{({names})}}(?!}})" if names else r"(?!)")
        self._strings = 0

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if not isinstance(node.value, str):
            return node
        text = self._placeholder.sub(lambda found: str(self._values[found[1]]), node.value)
        if text == node.value:
            return node
        return self._replaced(node, ast.Constant(text, kind=node.kind))

    def visit_Set(self, node: ast.Set) -> ast.expr:
        """`{name}` where a literal goes reads as a set of one name."""
        match node.elts:
            case [ast.Name(id=name)] if name in self._values:
                return self._replaced(node, _literal(self._values[name]))
        self.generic_visit(node)
        return node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        """Its own text is left alone: braces that are in it were doubled on purpose."""
        before = ast.dump(node)
        self._strings += 1
        parts = [part for value in node.values for part in self._part(value)]
        self._strings -= 1
        filled = ast.JoinedStr(_merged(parts))
        return node if ast.dump(filled) == before else self._replaced(node, filled)

    def _part(self, value: ast.expr) -> list[ast.expr]:
        match value:
            case ast.FormattedValue(value=ast.Name(id=name), conversion=-1, format_spec=None) if (
                name in self._values
            ):
                return [ast.Constant(str(self._values[name]))]
            case ast.FormattedValue():
                return [self.generic_visit(value)]  # type: ignore[list-item]
        return [value]

    def _replaced(self, old: ast.expr, new: ast.expr) -> ast.expr:
        if not self._strings:
            assert old.end_lineno is not None
            assert old.end_col_offset is not None
            start = (old.lineno - 1, old.col_offset)
            self.edits.append(_Edit(start, (old.end_lineno - 1, old.end_col_offset), _text(new)))
        return new


def _literal(value: Json) -> ast.expr:
    return ast.parse(repr(value), mode="eval").body


def _text(node: ast.expr) -> str:
    text = ast.unparse(node)
    return f"({text})" if isinstance(node, ast.UnaryOp) else text  # -3 ** 2 is not (-3) ** 2


def _merged(parts: list[ast.expr]) -> list[ast.expr]:
    """Neighbouring texts as one and empty ones gone, as the parser would have them."""
    merged: list[ast.expr] = []
    for part in parts:
        match (merged[-1] if merged else None, part):
            case (_, ast.Constant(value="")):
                continue
            case (ast.Constant(value=str(before)), ast.Constant(value=str(after))):
                merged[-1] = ast.Constant(before + after)
            case _:
                merged.append(part)
    return merged


def _edited(source: str, edits: list[_Edit]) -> str:
    lines = [line.encode() for line in source.split("\n")]
    for start, end, text in sorted(edits, reverse=True):  # from the end: earlier places stay put
        before, after = lines[start[0]][: start[1]], lines[end[0]][end[1] :]
        lines[start[0] : end[0] + 1] = [before + text.encode() + after]
    return b"\n".join(lines).decode()

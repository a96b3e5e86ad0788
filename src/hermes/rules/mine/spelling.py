"""Fillings as Python expressions, as text for a reader, and as code that is run."""

from __future__ import annotations

import ast
import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from hermes.rules.mine.fillings import Filling, Term
from hermes.rules.mine.forms import FORMS


@dataclass(frozen=True, slots=True)
class Names:
    """Base → the parameter's name."""

    of: Mapping[int, str] = field(default_factory=dict)

    def variable(self, term: Term) -> str:
        return f"{self.of[term.base]}{term.form.suffix}"

    def text(self, filling: Filling) -> str:
        """As a reader sees it: `{input_path_stem}_clean.csv`."""
        return "".join(
            part if isinstance(part, str) else f"{{{self.variable(part)}}}" for part in filling
        )

    def expression(self, filling: Filling) -> ast.expr:
        """For the program: a variable, a text, or an f-string of both."""
        return self._spelled(filling, hole=False)

    def hole(self, filling: Filling) -> ast.expr:
        """For a step's own text: a value that is a parameter is `{name}`."""
        return self._spelled(filling, hole=True)

    def _spelled(self, filling: Filling, *, hole: bool) -> ast.expr:
        match filling:
            case (Term() as term,):
                name = ast.Name(self.variable(term), ast.Load())
                return ast.Set([name]) if hole and term.form is FORMS[0] else name
            case ():
                return ast.Constant("")
            case (str(text),):
                return ast.Constant(text)
        return ast.JoinedStr([self._part(part) for part in filling])

    def _part(self, part: str | Term) -> ast.expr:
        if isinstance(part, str):
            return ast.Constant(part)
        return ast.FormattedValue(ast.Name(self.variable(part), ast.Load()), -1)


def rebuilt(node: ast.AST, instead: Mapping[int, ast.expr]) -> ast.AST:
    """A copy of a tree with other expressions in the place of some of its nodes, by their id."""
    if id(node) in instead:
        return copy.deepcopy(instead[id(node)])
    if isinstance(node, ast.JoinedStr):
        return ast.JoinedStr(_joined(node.values, instead))
    fields = {name: _field(getattr(node, name, None), instead) for name in node._fields}
    return type(node)(**fields)


def _field(value: object, instead: Mapping[int, ast.expr]) -> object:
    if isinstance(value, list):
        return [_field(item, instead) for item in value]
    return rebuilt(value, instead) if isinstance(value, ast.AST) else value


def _joined(values: Sequence[ast.expr], instead: Mapping[int, ast.expr]) -> list[ast.expr]:
    """Inside an f-string a hole is one more formatted value."""
    parts: list[ast.expr] = []
    for value in values:
        part = rebuilt(value, instead)
        if isinstance(part, ast.JoinedStr) and isinstance(value, ast.Constant):
            parts += part.values
        elif isinstance(part, ast.Set) and isinstance(value, ast.Constant):
            parts.append(ast.FormattedValue(part.elts[0], -1))
        elif isinstance(part, ast.Name) and isinstance(value, ast.Constant):
            parts.append(ast.FormattedValue(part, -1))
        else:
            assert isinstance(part, ast.expr)
            parts.append(part)
    return parts

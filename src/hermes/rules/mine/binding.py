"""The values that an example itself used for a procedure's parameters.

First its deeds are laid on the procedure's steps: where one is the other with values in it, the
values are read off. An example that did the same by another program is read by use: what it read is
the input, what it grouped by is the column to group by. What neither tells has its default, or
there is no binding.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hermes.records.codec import Json
from hermes.records.procedure import Procedure, ProcedureStep
from hermes.records.skill import Parameter
from hermes.rules.mine.deed import Deed, DeedKind
from hermes.rules.mine.deeds import done_in
from hermes.rules.mine.forms import FORMS
from hermes.rules.mine.matching import match_programs, text_pattern
from hermes.rules.mine.python_sketch import values_by_usage
from hermes.rules.mine.python_tree import Program, literal, program_of
from hermes.rules.mine.shell_places import split_words
from hermes.rules.mine.sketch import Surroundings
from hermes.rules.mine.usage import INPUT, OUTPUT, word_usage
from hermes.rules.mine.worked import Worked

_KIND_OF = {"python": DeedKind.PYTHON, "bash": DeedKind.SHELL, "text": DeedKind.WRITE}
_NUMBERED = re.compile(r"(.+?)(?:_value)?(?:_(\d+))?")
_Bound = dict[str, Json]


@dataclass(frozen=True, slots=True)
class NotBound:
    """Which parameter has no value in an example, and why."""

    reason: str


@dataclass(frozen=True, slots=True)
class _Holes:
    names: frozenset[str]
    computed: frozenset[str]


def bind(procedure: Procedure, worked: Worked) -> Mapping[str, Json] | NotBound:
    """A value for every parameter."""
    deeds = list(done_in(worked).deeds)
    if not deeds:
        return NotBound("the example has no step that leads to a result")
    names = frozenset(parameter.name for parameter in procedure.parameters)
    computed = frozenset(f"{name}{form.suffix}" for name in names for form in FORMS[1:])
    bound: _Bound = {}
    waiting = list(deeds)
    for step in procedure.steps:
        for deed in waiting:
            found = _fitted(step, deed, _Holes(names, computed))
            if found is not None:
                bound = {**found, **bound}
                waiting.remove(deed)
                break
    by_use = _by_use(deeds)
    for parameter in procedure.parameters:
        if parameter.name in bound:
            continue
        value = _told(parameter, by_use, worked)
        if value is None and parameter.default is not None:
            value = (parameter.default,)
        if value is None:
            return NotBound(f"no step of the example shows one value for '{parameter.name}'")
        bound[parameter.name] = value[0]
    return {parameter.name: bound[parameter.name] for parameter in procedure.parameters}


def _fitted(step: ProcedureStep, deed: Deed, holes: _Holes) -> _Bound | None:
    """What the holes of a step are in a deed; None where the deed is another one."""
    if not step.code or _KIND_OF.get(step.language) is not deed.kind:
        return None
    if deed.kind is DeedKind.PYTHON:
        return _fitted_program(step.code, deed, holes)
    if deed.kind is DeedKind.SHELL:
        return _fitted_command(step.code, deed, holes)
    pattern = text_pattern(step.code, holes.names, holes.computed)
    found = pattern.fullmatch(deed.text) if pattern else None
    if found is None:
        return {} if step.code == deed.text else None
    return dict(found.groupdict())


def _fitted_program(code: str, deed: Deed, holes: _Holes) -> _Bound | None:
    pattern = _pattern(code)
    other = program_of(deed.text, deed.argv)
    matched = match_programs(pattern, other, holes=holes.names, computed=holes.computed)
    return None if matched is None else dict(matched.bound)


def _pattern(code: str) -> Program:
    """The step's program; the line that sets its arguments is its command line again."""
    tree = ast.parse(code)
    match tree.body:
        case [
            ast.Import(names=[ast.alias(name="sys")]),
            ast.Assign(targets=[ast.Attribute(attr="argv")], value=ast.List(elts=words)),
            *rest,
        ]:
            program = program_of(ast.unparse(ast.Module(body=rest, type_ignores=[])))
            program.argv = tuple(_argument(word) for word in words[1:])
            return program
    return program_of(code)


def _argument(word: ast.expr) -> str:
    match word:
        case ast.Set(elts=[ast.Name(id=name)]) | ast.Name(id=name):
            return f"{{{name}}}"
        case ast.JoinedStr(values=values):
            return "".join(_argument(value) for value in values)
        case ast.FormattedValue(value=value):
            return _argument(value)
    spelled = literal(word)
    return str(spelled[0]) if spelled else ""


def _fitted_command(code: str, deed: Deed, holes: _Holes) -> _Bound | None:
    pattern, words = split_words(code), split_words(deed.text)
    if pattern is None or words is None or len(pattern) != len(words):
        return {} if code == deed.text else None
    bound: _Bound = {}
    for one, two in zip(pattern, words, strict=True):
        hole = text_pattern(one.text, holes.names, holes.computed)
        if one.operator != two.operator or (hole is None and one.text != two.text):
            return None
        found = hole.fullmatch(two.text) if hole else None
        if hole is not None and found is None:
            return None
        for name, value in (found.groupdict() if found else {}).items():
            if bound.setdefault(name, value) != value:
                return None
    return bound


def _by_use(deeds: Sequence[Deed]) -> dict[str, list[Json]]:
    """Everything the deeds spell, by its use; a file that an earlier deed made is no input."""
    found: dict[str, list[Json]] = {}
    for deed in deeds:
        for name, value in _uses(deed):
            made = found.get(OUTPUT.name, [])
            values = found.setdefault(name, [])
            if value and value not in values and not (name == INPUT.name and value in made):
                values.append(value)
    return found


def _uses(deed: Deed) -> list[tuple[str, Json]]:
    uses: list[tuple[str, Json]] = [(INPUT.name, deed.stdin)]
    if deed.kind is DeedKind.PYTHON:
        known = values_by_usage(program_of(deed.text, deed.argv))
        uses += [(name, value) for name, values in known.items() for value in values]
    elif deed.kind is DeedKind.SHELL:
        tokens = split_words(deed.text) or []
        uses += [
            (word_usage(tokens, at).name, token.text)
            for at, token in enumerate(tokens)
            if not token.operator
        ]
    return [*uses, (OUTPUT.name, deed.stdout or deed.path)]


def _told(
    parameter: Parameter, by_use: Mapping[str, Sequence[Json]], worked: Worked
) -> tuple[Json] | None:
    """The one value with this use; of several, the one that the request names."""
    match = _NUMBERED.fullmatch(parameter.name)
    assert match is not None
    values = by_use.get(parameter.name) or by_use.get(match[1]) or ()
    if match[2] and len(values) >= int(match[2]):
        return (values[int(match[2]) - 1],)
    if len(values) == 1:
        return (values[0],)
    around = Surroundings(examples=1, tasks={0: worked.task})
    named = [value for value in values if around.mentions(0, value)]
    return (named[0],) if len(named) == 1 else None

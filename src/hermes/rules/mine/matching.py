"""Two Python programs side by side: are they one program with different values in it?

The pattern is a program, or a template in which `{name}` is a hole. Names that the authors chose do
not matter as long as each stands for one other; values may differ and are collected by the node of
the pattern they belong to.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from hermes.records.codec import Json
from hermes.rules.mine.python_tree import IMPORTED, Program, literal

_SKIPPED = frozenset({"ctx", "annotation", "returns", "type_comment", "type_params", "kind"})
_ABOUT_TEXT = frozenset({"encoding", "newline", "errors"})
_MARK = "\0"


@dataclass(slots=True)
class Matched:
    """`values` are the other program's, by the id of the pattern's node; `bound` by hole.

    A node of a statement that the other program does not have is not among them.
    """

    values: dict[int, Json] = field(default_factory=dict)
    bound: dict[str, Json] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    arguments: dict[int, str] = field(default_factory=dict)

    def copy(self) -> Matched:
        return Matched(dict(self.values), dict(self.bound), dict(self.names), dict(self.arguments))


def match_programs(
    pattern: Program,
    other: Program,
    *,
    holes: Collection[str] = (),
    computed: Collection[str] = (),
) -> Matched | None:
    """What the other program has where the pattern differs; None where they are two programs.

    `holes` are the names that stand for a value, `computed` those that follow from such values.
    """
    if len(pattern.argv) != len(other.argv):
        return None
    matching = _Matching(pattern, other, frozenset(holes), frozenset(computed))
    if not matching.block(pattern.tree.body, other.tree.body):
        return None
    for at, (one, two) in enumerate(zip(pattern.argv, other.argv, strict=True)):
        if not matching.argument(at, one, two):
            return None
    return matching.state


class _Matching:
    def __init__(
        self,
        pattern: Program,
        other: Program,
        holes: frozenset[str],
        computed: frozenset[str],
    ) -> None:
        self.state = Matched()
        self._ours = pattern.bound
        self._theirs = other.bound
        self._holes = holes
        self._computed = computed

    def block(self, pattern: Sequence[ast.AST], other: Sequence[ast.AST]) -> bool:
        """Statements in order; one that only tells something may be missing on either side."""
        left, right = list(pattern), list(other)
        while left or right:
            if left and right and self._tried(left[0], right[0]):
                left, right = left[1:], right[1:]
            elif right and _only_tells(right[0]):
                right = right[1:]
            elif left and _only_tells(left[0]):
                left = left[1:]
            else:
                return False
        return True

    def argument(self, at: int, one: str, two: str) -> bool:
        """An argument of the command line: a flag has to be the same flag."""
        hole = text_pattern(one, self._holes, self._computed)
        if hole is not None:
            return self._fits(hole, two)
        if one != two and (self._holes or one.startswith("--") or two.startswith("--")):
            return False
        self.state.arguments[at] = two
        return True

    def _tried(self, one: ast.AST, two: ast.AST) -> bool:
        before = self.state.copy()
        if self._node(one, two):
            return True
        self.state = before
        return False

    def _node(self, one: ast.AST, two: ast.AST) -> bool:
        match one, two:
            case ast.Set(elts=[ast.Name(id=name)]), _ if name in self._holes:
                return self._bind(name, literal(two))
            case ast.Name(id=name), _ if name in self._computed and name not in self._ours:
                return literal(two) is not None
            case ast.JoinedStr(), ast.Constant() | ast.JoinedStr() if self._holes:
                return self._texts(one, two)
            case ast.Name(id=mine), ast.Name(id=theirs):
                return self._same_name(mine, theirs)
            case ast.Call(), ast.Call():
                return self._calls(one, two)
        spelled, said = literal(one), literal(two)
        if spelled is not None and said is not None:
            return self._values(one, two, spelled[0], said[0])
        if type(one) is not type(two):
            return False
        return all(
            self._field(getattr(one, name, None), getattr(two, name, None))
            for name in one._fields
            if name not in _SKIPPED
        )

    def _field(self, one: object, two: object) -> bool:
        if isinstance(one, list) and isinstance(two, list):
            if any(isinstance(item, ast.stmt) for item in (*one, *two)):
                return self.block(one, two)
            return len(one) == len(two) and all(map(self._field, one, two))
        if isinstance(one, ast.AST) and isinstance(two, ast.AST):
            return self._node(one, two)
        if isinstance(one, str) and isinstance(two, str) and one != two:
            return self._same_name(one, two)
        return one == two

    def _calls(self, one: ast.Call, two: ast.Call) -> bool:
        """Keyword arguments in any order; how a text is decoded may be said by one alone."""
        ours, theirs = _keywords(one), _keywords(two)
        for name in _ABOUT_TEXT & (ours.keys() ^ theirs.keys()):
            ours.pop(name, None)
            theirs.pop(name, None)
        if ours.keys() != theirs.keys():
            return False
        return (
            self._node(one.func, two.func)
            and self._field(one.args, two.args)
            and all(self._node(value, theirs[name]) for name, value in ours.items())
        )

    def _same_name(self, mine: str, theirs: str) -> bool:
        if mine.startswith(IMPORTED) or theirs.startswith(IMPORTED):
            return mine == theirs
        if mine not in self._ours and theirs not in self._theirs:
            return mine == theirs
        if mine not in self._ours or theirs not in self._theirs:
            return False
        known = self.state.names.get(mine)
        if known is None and theirs not in self.state.names.values():
            self.state.names[mine] = theirs
            return True
        return known == theirs

    def _values(self, one: ast.AST, two: ast.AST, mine: Json, theirs: Json) -> bool:
        """Every value of the other program is kept, also where it is the same."""
        self.state.values[id(one)] = theirs
        if isinstance(one, ast.List) and isinstance(two, ast.List):
            if len(one.elts) == len(two.elts):
                return self._field(one.elts, two.elts)
            return not self._holes
        if isinstance(mine, bool) or isinstance(theirs, bool):
            return mine is theirs
        if type(mine) is type(theirs) and mine == theirs:
            return True
        if isinstance(mine, list) or isinstance(theirs, list):
            return not self._holes
        if isinstance(mine, str) != isinstance(theirs, str):
            return False
        if isinstance(mine, str) and (hole := text_pattern(mine, self._holes, self._computed)):
            return self._fits(hole, str(theirs))
        return not self._holes

    def _bind(self, name: str, said: tuple[Json] | None) -> bool:
        if said is None:
            return False
        return bool(self.state.bound.setdefault(name, said[0]) == said[0])

    def _fits(self, pattern: re.Pattern[str], text: str) -> bool:
        found = pattern.fullmatch(text)
        return found is not None and all(
            self._bind(name, (value,)) for name, value in found.groupdict().items()
        )

    def _texts(self, one: ast.JoinedStr, two: ast.expr) -> bool:
        """An f-string with holes in it; what else it computes has to be computed there too."""
        known = self._holes | self._computed
        pattern, computed = _flattened(one, known)
        text, theirs = _flattened(two, frozenset())
        hole = text_pattern(pattern, self._holes, self._computed)
        if len(computed) != len(theirs) or not all(map(self._node, computed, theirs)):
            return False
        return text == pattern if hole is None else self._fits(hole, text)


def _flattened(node: ast.expr, known: frozenset[str]) -> tuple[str, list[ast.expr]]:
    """A text with `{name}` for what is known and a mark for each other expression."""
    text = ""
    computed: list[ast.expr] = []
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    for part in parts:
        match part:
            case ast.Constant(value=value):
                text += str(value)
            case ast.FormattedValue(value=ast.Name(id=name), conversion=-1) if name in known:
                text += f"{{{name}}}"
            case _:
                text += _MARK
                computed.append(part)
    return text, computed


def text_pattern(
    text: str, holes: Collection[str], computed: Collection[str]
) -> re.Pattern[str] | None:
    """`{name}_clean.csv` as a pattern that captures; None where there is no hole in the text."""
    if not holes:
        return None
    seen: set[str] = set()
    pattern = ""
    parts = re.split(r"\{([A-Za-z_]\w*)\}", text)
    for at, part in enumerate(parts):
        if at % 2 == 0:
            pattern += re.escape(part)
        elif part in computed:
            pattern += "(?:.+?)"
        elif part not in holes:
            pattern += re.escape(f"{{{part}}}")
        else:
            pattern += f"(?P={part})" if part in seen else f"(?P<{part}>.+?)"
            seen.add(part)
    if not seen and not (set(parts[1::2]) & set(computed)):
        return None
    return re.compile(pattern, re.DOTALL)


def _keywords(call: ast.Call) -> dict[str, ast.expr]:
    """By name; those that are unpacked from a mapping have none and are told apart by place."""
    return {keyword.arg or f"**{at}": keyword.value for at, keyword in enumerate(call.keywords)}


def _only_tells(node: ast.AST) -> bool:
    """Printing, asserting and nothing: what the result does not depend on."""
    match node:
        case ast.Expr(value=ast.Call(func=ast.Name(id="print"))) | ast.Assert() | ast.Pass():
            return True
    return False

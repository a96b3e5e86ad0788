"""A Python program in the one form in which two authors' programs can be compared.

Taken out, because authors differ in them and the result does not: docstrings, annotations, how a
module is imported, a `main()` that is only called, and names for values that never change. What is
left still runs, and does the same.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from hermes.records.codec import Json

IMPORTED = "import:"
"""Starts the id of a name that comes from an import: no identifier can look like that."""

_ARGV = f"{IMPORTED}sys.argv"
_Body = list[ast.stmt]


@dataclass(slots=True)
class Program:
    """`aliases` are the author's names of what is imported; `hints` those of inlined values.

    `bound` are the names that the program itself gives to something.
    """

    tree: ast.Module
    argv: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()
    aliases: Mapping[str, str] = field(default_factory=dict)
    hints: dict[int, str] = field(default_factory=dict)
    bound: Mapping[str, int] = field(default_factory=dict)


def program_of(text: str, argv: Sequence[str] = ()) -> Program:
    """Raises SyntaxError for what is no Python."""
    tree = ast.parse(text)
    aliases, imports = _imported(tree)
    names = {alias: f"{IMPORTED}{dotted}" for dotted, alias in aliases.items()}
    _Plain(names).visit(tree)
    tree.body = _flat(tree.body)
    kept = tuple(argv)
    if _argv_is_plain(tree, len(argv)):
        _Argv(argv).visit(tree)
        kept = ()
    inlining = _Inlining(_constants(tree))
    inlining.visit(tree)
    ast.fix_missing_locations(tree)
    return Program(tree, kept, imports, aliases, inlining.hints, bound_names(tree))


def as_written(tree: ast.Module, aliases: Mapping[str, str]) -> ast.Module:
    """The tree with the author's names for imported things again."""
    _Unresolved(aliases).visit(tree)
    return ast.fix_missing_locations(tree)


def literal(node: ast.AST) -> tuple[Json] | None:
    """The JSON value that a node spells, in a tuple; None where it spells none."""
    match node:
        case ast.Constant(value=str() | int() | float() as value):
            return (value,)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return (-value,)
        case ast.List(elts=items):
            values = [literal(item) for item in items]
            return None if None in values else ([value[0] for value in values if value],)
    return None


def in_order(node: ast.AST) -> Iterator[ast.AST]:
    """A node and everything in it, as they are read."""
    yield node
    for child in ast.iter_child_nodes(node):
        yield from in_order(child)


def bound_names(tree: ast.AST) -> Counter[str]:
    """Every name that a program gives to something, and how often."""
    found: Counter[str] = Counter()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                found[name] += 1
            case ast.arg(arg=name) | ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found[name] += 1
            case ast.AugAssign(target=ast.Name(id=name)):
                found[name] += 2
            case ast.ExceptHandler(name=str(name)) | ast.alias(asname=str(name)):
                found[name] += 1
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                found.update(dict.fromkeys(names, 2))
    return found


def _imported(tree: ast.Module) -> tuple[dict[str, str], tuple[str, ...]]:
    """Dotted name → the author's name for it, and the import lines."""
    aliases: dict[str, str] = {}
    lines: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for one in node.names:
                root = one.name.split(".")[0]
                aliases[one.name if one.asname else root] = one.asname or root
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            if node.module == "__future__":
                continue
            for one in node.names:
                aliases[f"{node.module}.{one.name}"] = one.asname or one.name
        else:
            continue
        lines.append(ast.unparse(node))
    return aliases, tuple(dict.fromkeys(lines))


class _Plain(ast.NodeTransformer):
    """Without imports, docstrings and annotations; imported names by where they come from."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names

    def visit(self, node: ast.AST) -> ast.AST:
        visited: ast.AST = super().visit(node)
        for name in ("body", "finalbody"):
            body = getattr(visited, name, None)
            if body == [] and not isinstance(visited, ast.Module) and name == "body":
                visited.body = [ast.Pass()]  # type: ignore[attr-defined]
        return visited

    def visit_Import(self, node: ast.Import) -> None:
        return None

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        return None

    def visit_Expr(self, node: ast.Expr) -> ast.Expr | None:
        if isinstance(node.value, ast.Constant):
            return None
        self.generic_visit(node)
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.returns = None
        self.generic_visit(node)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt | None:
        self.generic_visit(node)
        if node.value is None:
            return None
        return ast.Assign(targets=[node.target], value=node.value)

    def visit_Call(self, node: ast.Call) -> ast.Call:
        """Reading is what `open` does by itself."""
        self.generic_visit(node)
        match node:
            case ast.Call(func=ast.Name(id="open"), args=[_, ast.Constant(value="r" | "rt")]):
                node.args = node.args[:1]
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.stmt | list[ast.stmt]:
        """`a, b = 1, 2` as two assignments, where neither value can depend on the other name."""
        self.generic_visit(node)
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)) if (
                len(names) == len(values)
                and all(isinstance(name, ast.Name) for name in names)
                and all(isinstance(value, ast.Constant) or _is_argument(value) for value in values)
            ):
                return [
                    ast.Assign(targets=[name], value=value)
                    for name, value in zip(names, values, strict=True)
                ]
        return node

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self._names.get(node.id, node.id), node.ctx)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.value.id.startswith(IMPORTED):
            return ast.Name(f"{node.value.id}.{node.attr}", node.ctx)
        return node


def _flat(body: _Body) -> _Body:
    """The guard of a script opened, and a function that is only called put where it is called."""
    opened: _Body = []
    for statement in body:
        is_guard = isinstance(statement, ast.If) and _is_guard(statement.test)
        opened += statement.body if is_guard and isinstance(statement, ast.If) else [statement]
    for function in opened:
        if not isinstance(function, ast.FunctionDef) or not _only_called(function, opened):
            continue
        return [
            part
            for statement in opened
            if statement is not function
            for part in (function.body if _calls(statement, function.name) else [statement])
        ]
    return opened


def _is_guard(test: ast.expr) -> bool:
    match test:
        case ast.Compare(left=ast.Name(id="__name__"), ops=[ast.Eq()]):
            return True
    return False


def _only_called(function: ast.FunctionDef, body: _Body) -> bool:
    arguments = function.args
    if function.decorator_list or arguments.args or arguments.kwonlyargs or arguments.vararg:
        return False
    if any(isinstance(node, ast.Return | ast.Yield | ast.Global) for node in ast.walk(function)):
        return False
    uses = [
        node
        for statement in body
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and node.id == function.name
    ]
    return len(uses) == 1 and any(_calls(statement, function.name) for statement in body)


def _calls(statement: ast.stmt, name: str) -> bool:
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Name(id=called), args=[], keywords=[])):
            return called == name
    return False


def _is_argument(node: ast.AST) -> bool:
    match node:
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=int())):
            return name == _ARGV
    return False


def _argv_is_plain(tree: ast.Module, count: int) -> bool:
    """Whether every use of the arguments is `sys.argv[n]` with an n that was given."""
    places = uses = 0
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id == _ARGV:
            uses += 1
        if isinstance(node, ast.Name) and node.id.startswith(f"{IMPORTED}argparse"):
            return False
        match node:
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=int(at))) if (
                name == _ARGV and 1 <= at <= count
            ):
                places += 1
    return uses == places


class _Argv(ast.NodeTransformer):
    def __init__(self, argv: Sequence[str]) -> None:
        self._argv = argv

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=int(at))) if (
                name == _ARGV
            ):
                return ast.Constant(self._argv[at - 1])
        return node


def _constants(tree: ast.Module) -> dict[str, Json]:
    """Names that are given one plain value, once."""
    bound = bound_names(tree)
    found: dict[str, Json] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if bound[name] == 1:
                spelled = literal(value)
                if spelled and not isinstance(spelled[0], list | bool):
                    found[name] = spelled[0]
    return found


class _Inlining(ast.NodeTransformer):
    """Puts such values where their names are used, and remembers the names."""

    def __init__(self, constants: Mapping[str, Json]) -> None:
        self._constants = constants
        self.hints: dict[int, str] = {}
        self._kept: list[ast.AST] = []  # an id means something only while its node lives

    def visit_Assign(self, node: ast.Assign) -> ast.stmt | None:
        match node.targets:
            case [ast.Name(id=name)] if name in self._constants:
                return None
        self.generic_visit(node)
        return node

    def visit(self, node: ast.AST) -> ast.AST:
        visited: ast.AST = super().visit(node)
        if getattr(visited, "body", None) == [] and not isinstance(visited, ast.Module):
            visited.body = [ast.Pass()]  # type: ignore[attr-defined]
        return visited

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self._constants or not isinstance(node.ctx, ast.Load):
            return node
        constant = ast.Constant(self._constants[node.id])
        self.hints[id(constant)] = node.id
        self._kept.append(constant)
        return constant

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        """A known text inside an f-string is text like the rest of it."""
        self.generic_visit(node)
        parts: list[ast.expr] = []
        for value in node.values:
            match value:
                case ast.FormattedValue(
                    value=ast.Constant(value=str() | int() as plain), conversion=-1
                ) if value.format_spec is None:
                    value = ast.Constant(str(plain))
            match (parts[-1] if parts else None, value):
                case (ast.Constant(value=str(before)), ast.Constant(value=str(after))):
                    parts[-1] = ast.Constant(before + after)
                case _:
                    parts.append(value)
        if len(parts) == 1 and isinstance(parts[0], ast.Constant):
            return parts[0]
        return ast.JoinedStr(parts)


class _Unresolved(ast.NodeTransformer):
    def __init__(self, aliases: Mapping[str, str]) -> None:
        self._aliases = aliases

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if not node.id.startswith(IMPORTED):
            return node
        parts = node.id.removeprefix(IMPORTED).split(".")
        for end in range(len(parts), 0, -1):
            alias = self._aliases.get(".".join(parts[:end]))
            if alias is not None:
                return ast.parse(".".join([alias, *parts[end:]]), mode="eval").body
        return node

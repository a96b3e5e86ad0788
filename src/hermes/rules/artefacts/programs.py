"""Which files a Python program opens, read from its text; it is never run.

Only names that the text spells out count: a constant, a variable that is set once to one, an
argument of the command line. A file that a program finds by itself stays unknown.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

_LONGEST = 65_536  # characters of a program that are read

_READERS = frozenset(("loadtxt", "genfromtxt", "imread", "load_workbook", "scan_csv", "from_file"))
_WRITERS = frozenset(("savefig", "savetxt", "imsave", "savez", "sink_csv"))
_READ_METHODS = frozenset(("read_text", "read_bytes"))
_WRITE_METHODS = frozenset(("write_text", "write_bytes", "touch"))
_COPIERS = frozenset(("copy", "copy2", "copyfile", "move", "rename", "replace"))
_TOUCHES = re.compile(
    "|".join(("open", "read_", "to_", *sorted(_READERS | _WRITERS | _WRITE_METHODS | _COPIERS)))
)
_PATH_MAKERS = frozenset(("Path", "PurePath", "str", "fspath", "abspath", "expanduser", "resolve"))


@dataclass(frozen=True, slots=True)
class ProgramFiles:
    """Names as the program spells them. What it writes before it reads it is no read."""

    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()


def files_of_program(code: str, argv: Sequence[str] = ()) -> ProgramFiles:
    """`argv` is what `sys.argv` would be; nothing is known of a text that is no Python."""
    if len(code) > _LONGEST or (code.isascii() and _TOUCHES.search(code) is None):
        return ProgramFiles()
    return _files_of(code, tuple(argv))


@lru_cache(maxsize=64)  # a script is run again and again while it is worked on
def _files_of(code: str, argv: tuple[str, ...]) -> ProgramFiles:
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ProgramFiles()
    names = _Names(tree, argv)
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    reads: list[str] = []
    writes: list[str] = []
    for node in sorted(calls, key=lambda node: (node.lineno, node.col_offset)):
        found: list[str] = []
        _read_call(node, names, found, writes)
        reads += [path for path in found if path not in writes]
    return ProgramFiles(tuple(dict.fromkeys(reads)), tuple(dict.fromkeys(writes)))


def _read_call(node: ast.Call, names: _Names, reads: list[str], writes: list[str]) -> None:
    called = _called(node.func)
    first = names.value(node.args[0]) if node.args else names.keyword(node)
    if called == "open":
        owner = names.value(node.func.value) if isinstance(node.func, ast.Attribute) else None
        path = owner if owner is not None else first
        mode = _mode(node, 0 if owner is not None else 1)
        _add(path, writes if set(mode) & set("wax+") else reads)
    elif called in _READ_METHODS | _WRITE_METHODS and isinstance(node.func, ast.Attribute):
        path = names.value(node.func.value)
        _add(path, writes if called in _WRITE_METHODS else reads)
    elif called.startswith("read_") or called in _READERS:
        _add(first, reads)
    elif called.startswith("to_") or called in _WRITERS:
        _add(first, writes)
    elif called in _COPIERS and len(node.args) == 2:
        _add(first, reads)
        _add(names.value(node.args[1]), writes)


def _add(path: str | None, found: list[str]) -> None:
    if path and "\n" not in path and "://" not in path:
        found.append(path)


def _called(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _mode(node: ast.Call, position: int) -> str:
    given = node.args[position] if len(node.args) > position else None
    for keyword in node.keywords:
        if keyword.arg == "mode":
            given = keyword.value
    return given.value if isinstance(given, ast.Constant) and isinstance(given.value, str) else "r"


class _Names:
    """What an expression spells, given the variables that are set exactly once."""

    def __init__(self, tree: ast.Module, argv: Sequence[str]) -> None:
        self._argv = argv
        self._set: dict[str, ast.expr | None] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    if isinstance(target, ast.Name):
                        self._set[target.id] = None if target.id in self._set else node.value

    def keyword(self, node: ast.Call) -> str | None:
        for one in node.keywords:
            if one.arg in ("path", "file", "path_or_buf", "fname", "filepath_or_buffer"):
                return self.value(one.value)
        return None

    def value(self, node: ast.expr | None, depth: int = 0) -> str | None:
        if node is None or depth > 8:
            return None
        if isinstance(node, ast.Constant):
            return node.value if isinstance(node.value, str) else None
        if isinstance(node, ast.Name):
            return self.value(self._set.get(node.id), depth + 1)
        if isinstance(node, ast.Subscript):
            return self._argument(node)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            parts = (self.value(node.left, depth + 1), self.value(node.right, depth + 1))
            return f"{parts[0]}/{parts[1]}" if parts[0] and parts[1] else None
        if isinstance(node, ast.Call):
            called = _called(node.func)
            if called in _PATH_MAKERS and len(node.args) == 1:
                return self.value(node.args[0], depth + 1)
            if called == "join" and node.args:
                pieces = [self.value(one, depth + 1) for one in node.args]
                return "/".join(piece for piece in pieces if piece) if all(pieces) else None
        return None

    def _argument(self, node: ast.Subscript) -> str | None:
        index = node.slice
        is_argv = isinstance(node.value, ast.Attribute) and node.value.attr == "argv"
        if not (is_argv and isinstance(index, ast.Constant) and isinstance(index.value, int)):
            return None
        known = -len(self._argv) <= index.value < len(self._argv)
        return self._argv[index.value] if known else None

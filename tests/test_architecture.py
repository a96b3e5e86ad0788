"""The walls of the house: import rules, no cycles, and the size budgets of the design."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "hermes"
FILES = sorted(SOURCE.rglob("*.py"))

MAX_LINES = 400
MAX_FUNCTION = 60
MAX_PARAMETERS = 7
MAX_PUBLIC_NAMES = 20
ONE_PER_WORD = {"errors.py"}  # an error per fault


def test_import_rules_hold() -> None:
    command = [Path(sys.executable).with_name("lint-imports"), "--config", ".importlinter"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


def test_there_are_no_import_cycles() -> None:
    graph = grimp.build_graph("hermes", cache_dir=None)
    edges = {m: graph.find_modules_directly_imported_by(m) for m in graph.modules}
    done: set[str] = set()

    def visit(module: str, path: tuple[str, ...]) -> None:
        assert module not in path, " → ".join((*path[path.index(module) :], module))
        if module not in done:
            for imported in edges[module]:
                if not imported.startswith(f"{module}."):  # a package's __init__ names its parts
                    visit(imported, (*path, module))
            done.add(module)

    for module in sorted(graph.modules):
        visit(module, ())


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(SOURCE)))
def test_file_keeps_its_budget(file: Path) -> None:
    text = file.read_text()
    assert len(text.splitlines()) <= MAX_LINES
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            assert length <= MAX_FUNCTION, f"{node.name} has {length} lines"
            arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            named = [one for one in arguments if one.arg not in ("self", "cls")]
            assert len(named) <= MAX_PARAMETERS, f"{node.name} has {len(named)} parameters"
    public = [
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_")
    ]
    assert len(public) <= MAX_PUBLIC_NAMES or file.name in ONE_PER_WORD, public


def test_no_file_is_a_drawer_for_everything() -> None:
    forbidden = {"utils", "helpers", "manager", "common", "misc"}
    assert not [file for file in FILES if file.stem in forbidden or file.stem.endswith("_v2")]

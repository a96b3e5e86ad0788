"""Several examples' Python programs as one program with places for what differs."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from hermes.records.codec import Json
from hermes.rules.mine.deed import Deed
from hermes.rules.mine.exploring import runs_text
from hermes.rules.mine.fillings import Filling, Place
from hermes.rules.mine.matching import Matched, match_programs
from hermes.rules.mine.python_tree import (
    IMPORTED,
    Program,
    as_written,
    in_order,
    literal,
    program_of,
)
from hermes.rules.mine.sketch import Surroundings
from hermes.rules.mine.spelling import Names, rebuilt
from hermes.rules.mine.usage import INPUT, OUTPUT, Role, Usage, argument_usage, usages
from hermes.rules.mine.worked import PLACEHOLDER

_Spot = tuple[str, int]
"""Where a place is: ("node", id), ("argument", index), ("stdin", 0) or ("stdout", 0)."""

_SCRIPT_NAME = "program.py"


class PythonSketch:
    """The reference is the program that most of the others are, with other values."""

    language = "python"

    def __init__(self, deeds: Mapping[int, Deed], step: int, around: Surroundings) -> None:
        self.deeds = deeds
        self._programs = {key: program_of(deed.text, deed.argv) for key, deed in deeds.items()}
        self.reference, matched = self._best_reference()
        self.members = (self.reference, *matched)
        self._program = self._programs[self.reference]
        self._spots: dict[_Spot, tuple[dict[int, Json], Usage]] = {}
        self._usages = usages(self._program)
        self._made: dict[int, frozenset[str]] = {}
        self._differing(matched)
        self._always(around)
        if len(self.members) == 1:
            self._alone(around)
        self.places = [Place(values, usage, step) for values, usage in self._spots.values()]
        self.why_not = deeds[self.reference].outside or self._unfit()

    def taken(self) -> frozenset[str]:
        names = set(self._program.bound) | set(self._program.aliases.values())
        for node in ast.walk(self._program.tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                names.update(part.split("}")[0] for part in node.value.split("{")[1:])
            elif isinstance(node, ast.Name):
                names.add(node.id)
        return frozenset(names)

    def outputs(self, example: int) -> frozenset[str]:
        if example not in self._made:
            made = values_by_usage(self._programs[example]).get(OUTPUT.name, [])
            self._made[example] = frozenset(map(str, made)) | {self.deeds[example].stdout}
        return self._made[example] - {""}

    def title(self, names: Names, fillings: Sequence[Filling]) -> str:
        calls = dict.fromkeys(self._calls())
        shown = ", ".join(f"`{name}`" for name in list(calls)[:4])
        return f"Run a Python program ({shown})" if shown else "Run a Python program"

    def text(self, names: Names, fillings: Sequence[Filling]) -> str:
        tree = self._filled([names.hole(filling) for filling in fillings])
        lines = [*self._program.imports, ast.unparse(tree)]
        head = self._argv_line([names.hole(filling) for filling in fillings])
        return "\n".join([*head, *lines]).strip() + "\n"

    def program(self, names: Names, fillings: Sequence[Filling]) -> str:
        spelled = [names.expression(filling) for filling in fillings]
        body = ast.unparse(self._filled(spelled))
        deed = self.deeds[self.reference]
        where = dict(zip(self._spots, spelled, strict=True))
        lines = [*self._program.imports, *self._argv_line(spelled)]
        if deed.stdin:
            source = ast.unparse(where.get(("stdin", 0), ast.Constant(deed.stdin)))
            lines += ["import sys", f"sys.stdin = open({source})"]
        if not deed.stdout:
            return "\n".join([*lines, body]).strip()
        target = ast.unparse(where.get(("stdout", 0), ast.Constant(deed.stdout)))
        indented = "\n".join(f"    {line}" if line else line for line in body.split("\n"))
        opening = f"with open({target}, 'w') as captured, contextlib.redirect_stdout(captured):"
        return "\n".join(["import contextlib", *lines, opening, indented])

    def _best_reference(self) -> tuple[int, dict[int, Matched]]:
        best: tuple[int, dict[int, Matched]] | None = None
        for key, program in self._programs.items():
            matched = {
                other: found
                for other, theirs in self._programs.items()
                if other != key and self._same_call(key, other)
                if (found := match_programs(program, theirs)) is not None
            }
            if best is None or len(matched) > len(best[1]):
                best = (key, matched)
            if len(matched) == len(self._programs) - 1:
                break
        assert best is not None
        return best

    def _same_call(self, one: int, other: int) -> bool:
        left, right = self.deeds[one], self.deeds[other]
        return bool(left.stdin) == bool(right.stdin) and bool(left.stdout) == bool(right.stdout)

    def _differing(self, matched: Mapping[int, Matched]) -> None:
        inside: set[int] = set()
        for node in in_order(self._program.tree):
            spelled = literal(node)
            if spelled is None or id(node) in inside:
                continue
            values = {
                key: one.values[id(node)] for key, one in matched.items() if id(node) in one.values
            }
            if not any(_differs(spelled[0], value) for value in values.values()):
                continue
            inside.update(id(child) for child in ast.walk(node))
            usage = self._usages.get(id(node), Usage("value"))
            self._spots["node", id(node)] = ({self.reference: spelled[0], **values}, usage)
        for at, word in enumerate(self._program.argv):
            values = {key: one.arguments.get(at, word) for key, one in matched.items()}
            if any(value != word or PLACEHOLDER.search(word) for value in values.values()):
                usage = argument_usage(self._program, at)
                self._spots["argument", at] = ({self.reference: word, **values}, usage)

    def _always(self, around: Surroundings) -> None:
        """What is read is a parameter even if every example read a file of one name."""
        made = around.made.get(self.reference, frozenset())
        for node, value, usage in self._literals():
            if usage.role is Role.INPUT and value not in made:
                values = dict.fromkeys(self.members, value)
                self._spots.setdefault(("node", id(node)), (values, usage))
        for at, word in enumerate(self._program.argv):
            usage = argument_usage(self._program, at)
            if usage.role is Role.INPUT and word not in made and not word.startswith("-"):
                values = dict.fromkeys(self.members, word)
                self._spots.setdefault(("argument", at), (values, usage))
        for name, usage in (("stdin", INPUT), ("stdout", OUTPUT)):
            values = {key: getattr(self.deeds[key], name) for key in self.members}
            if any(values.values()) and (usage is INPUT or len(set(values.values())) > 1):
                self._spots.setdefault((name, 0), (values, usage))

    def _alone(self, around: Surroundings) -> None:
        """One program: its parameters are what its request or another example's use tells."""
        known = self._told_by_others()
        for node, value, usage in self._literals():
            if not isinstance(value, str | int | float) or isinstance(value, bool):
                continue
            others = known.get(usage.name, {})
            if (
                usage.role is Role.OUTPUT
                or around.singles_out(self.reference, value)
                or (isinstance(value, str) and PLACEHOLDER.search(value))
                or (usage.type == "column" and any(one != value for one in others.values()))
            ):
                values = {self.reference: value, **others}
                self._spots.setdefault(("node", id(node)), (values, usage))
        for spot, (values, usage) in self._spots.items():
            others = known.get(usage.name, {}) if usage.role is not Role.NONE else {}
            self._spots[spot] = ({**others, **values}, usage)

    def _told_by_others(self) -> dict[str, dict[int, Json]]:
        """Usage → example → the value that the other programs have for it, where it is one."""
        told: dict[str, dict[int, Json]] = {}
        for key, program in self._programs.items():
            if key == self.reference:
                continue
            for name, values in values_by_usage(program).items():
                if len(values) == 1:
                    told.setdefault(name, {})[key] = values[0]
        return {name: values for name, values in told.items() if len(values) == len(self.deeds) - 1}

    def _literals(self) -> Iterator[tuple[ast.AST, Json, Usage]]:
        for node in in_order(self._program.tree):
            usage = self._usages.get(id(node))
            spelled = literal(node)
            if usage is not None and spelled is not None:
                yield node, spelled[0], usage

    def _filled(self, spelled: Sequence[ast.expr]) -> ast.Module:
        instead = {
            spot[1]: expression
            for spot, expression in zip(self._spots, spelled, strict=True)
            if spot[0] == "node"
        }
        tree = rebuilt(self._program.tree, instead)
        assert isinstance(tree, ast.Module)
        return as_written(tree, self._program.aliases)

    def _argv_line(self, spelled: Sequence[ast.expr]) -> list[str]:
        if not self._program.argv:
            return []
        where = dict(zip(self._spots, spelled, strict=True))
        words = [
            where.get(("argument", at), ast.Constant(word))
            for at, word in enumerate(self._program.argv)
        ]
        line = ast.unparse(ast.List([ast.Constant(_SCRIPT_NAME), *words], ast.Load()))
        return ["import sys", f"sys.argv = {line}"]

    def _unfit(self) -> str:
        """Why this program cannot be one among others; empty where it can."""
        for node in ast.walk(self._program.tree):
            match node:
                case ast.Name(id=name) if name == f"{IMPORTED}sys.stdin":
                    return "" if self.deeds[self.reference].stdin else "it reads standard input"
                case ast.Call(func=ast.Name(id="input")):
                    return "it asks a person"
                case ast.Call(args=[command, *_]) if runs_text(node):
                    fixed = isinstance(command, ast.Constant)
                    if not fixed or ("node", id(command)) in self._spots:
                        return "a value would become part of a command"
        return ""

    def _calls(self) -> Iterator[str]:
        for node in in_order(self._program.tree):
            match node:
                case ast.Call(func=ast.Attribute(attr=name)):
                    yield name
                case ast.Call(func=ast.Name(id=name)) if name.startswith(IMPORTED):
                    yield name.rsplit(".", 1)[-1].removeprefix(IMPORTED)


def _differs(mine: Json, theirs: Json) -> bool:
    """A list differs as a whole only by its length; else its items are looked at."""
    if isinstance(mine, list) and isinstance(theirs, list):
        return len(mine) != len(theirs)
    return bool(mine != theirs) or (isinstance(mine, str) and bool(PLACEHOLDER.search(mine)))


def values_by_usage(program: Program) -> dict[str, list[Json]]:
    """Everything a program spells, by what it is used for; each value once."""
    found: dict[str, list[Json]] = {}
    known = usages(program)
    for node in ast.walk(program.tree):
        spelled = literal(node)
        if spelled is not None and id(node) in known:
            values = found.setdefault(known[id(node)].name, [])
            if spelled[0] not in values:
                values.append(spelled[0])
    for at, word in enumerate(program.argv):
        values = found.setdefault(argument_usage(program, at).name, [])
        if word not in values:
            values.append(word)
    return found

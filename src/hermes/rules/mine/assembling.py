"""The steps as one Python program: first a line for each parameter, then what uses them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from hermes.rules.mine.fillings import Filling, Term
from hermes.rules.mine.forms import FORMS
from hermes.rules.mine.spelling import Names

_EXITS = re.compile(r"\b(?:sys\.exit|exit|quit|raise SystemExit)\b")
_IMPORT = re.compile(r"(?:import|from) \S.*")


def assembled(names: Names, programs: Sequence[str], fillings: Iterable[Filling]) -> str:
    """`programs` are the steps in order, already spelled with the parameters' names."""
    head = [f"{name} = {{{name}}}" for name in names.of.values()]
    computed = _computed(names, fillings)
    modules = [name for name in ("pathlib", "re") if any(f"{name}." in one for one in computed)]
    seen: set[str] = set()
    parts = ["\n".join([*(f"import {name}" for name in modules), *computed])]
    for at, program in enumerate(programs):
        text = _without_repeated_imports(program, seen)
        if at < len(programs) - 1 and _EXITS.search(text):
            text = _surviving_exit(text)
        if at and "subprocess.run(" in text:
            text = f"print(end='', flush=True)\n{text}"
        parts.append(text)
    body = "\n\n".join(part.strip("\n") for part in parts if part.strip())
    return "\n".join([*head, body]).rstrip() + "\n"


def body_of(template: str, parameters: int) -> str:
    """The program without the lines that set its parameters."""
    return "\n".join(template.split("\n")[parameters:])


def _computed(names: Names, fillings: Iterable[Filling]) -> list[str]:
    """What follows from a parameter, once each."""
    terms = {part for filling in fillings for part in filling if isinstance(part, Term)}
    derived = [term for term in terms if term.form is not FORMS[0]]
    derived.sort(key=lambda term: (term.base, FORMS.index(term.form)))
    return [
        f"{names.variable(term)} = {term.form.code.format(names.of[term.base])}" for term in derived
    ]


def _without_repeated_imports(program: str, seen: set[str]) -> str:
    lines = []
    for line in program.split("\n"):
        if _IMPORT.fullmatch(line):
            if line in seen:
                continue
            seen.add(line)
        lines.append(line)
    return "\n".join(lines)


def _surviving_exit(program: str) -> str:
    """A program that ends itself must not end the steps after it."""
    indented = "\n".join(f"    {line}" if line else line for line in program.split("\n"))
    return f"try:\n{indented}\nexcept SystemExit as ended:\n    if ended.code:\n        raise"

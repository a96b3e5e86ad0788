"""A shell command that does nothing but start one Python program."""

from __future__ import annotations

import re
from dataclasses import dataclass

from hermes.rules.mine.shell_text import tokens_of

_PYTHON = re.compile(r"(?:\S*/)?python(?:3(?:\.\d+)?)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramCall:
    """`code` is the program where the command itself holds it, `path` the file it lies in."""

    code: str = ""
    path: str = ""
    argv: tuple[str, ...] = ()
    stdin: str = ""
    stdout: str = ""


def program_call(command: str) -> ProgramCall | None:
    """None for a pipeline, for another interpreter, and for `python -m`."""
    tokens = tokens_of(command)
    if tokens is None:
        return None
    words: list[str] = []
    files = {"<": "", ">": ""}
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if not token.operator:
            if token.expands:
                return None
            words.append(token.text)
            at += 1
        elif token.text == "2>&1":
            at += 1
        elif token.text in ("<", ">", "1>", "2>") and at + 1 < len(tokens):
            if token.text != "2>":
                files[token.text[-1]] = tokens[at + 1].text
            at += 2
        else:
            return None
    return _started(words, stdin=files["<"], stdout=files[">"])


def _started(words: list[str], *, stdin: str, stdout: str) -> ProgramCall | None:
    if words[:2] == ["uv", "run"]:
        words = words[2:]
        if words and words[0].endswith(".py"):
            words = ["python", *words]
    if not words or not _PYTHON.fullmatch(words[0]):
        return None
    rest = words[1:]
    while rest and re.fullmatch(r"-[uBIEsSqO]+", rest[0]):
        rest = rest[1:]
    if rest[:1] == ["-c"] and len(rest) > 1:
        return ProgramCall(code=rest[1], argv=tuple(rest[2:]), stdin=stdin, stdout=stdout)
    if rest and rest[0] != "-" and rest[0].startswith("-"):
        return None
    path = rest[0] if rest else ""
    return ProgramCall(path=path, argv=tuple(rest[1:]), stdin=stdin, stdout=stdout)

"""Deed: what one example did to get its result, without the looking around and the false starts."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class DeedKind(StrEnum):
    """PYTHON is a program we can read; CALL is a tool that nothing here can stand for."""

    PYTHON = "python"
    SHELL = "shell"
    WRITE = "write"
    CALL = "call"


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """`text` is the final program, command or content; `path` the file that a WRITE makes.

    A program was called with `argv`, fed from the file `stdin`, its output put into the file
    `stdout`. `writes` is False for what only prints. `outside` says why it cannot be replayed.
    """

    kind: DeedKind
    tool: str
    text: str
    steps: tuple[int, ...]
    path: str = ""
    argv: tuple[str, ...] = ()
    stdin: str = ""
    stdout: str = ""
    writes: bool = True
    outside: str = ""
    output: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """The deeds of one example, in order, and the checks that passed after the last of them."""

    deeds: tuple[Deed, ...]
    checks: tuple[Deed, ...] = ()
    written: frozenset[str] = frozenset()

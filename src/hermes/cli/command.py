"""What a command is made of. A command's file holds one `COMMAND`: a Command, or a mapping of
subcommand names to Commands. Only the parser of the one that was called is ever built.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import import_module
from typing import NoReturn

from hermes.cli.exits import DONE, UsageError
from hermes.cli.output import Output
from hermes.cli.table import Entry, not_a_command
from hermes.settings import Settings, load


@dataclass(kw_only=True)
class Call:
    """One call of a command: what was asked, and everything the command may use to answer."""

    out: Output
    environ: Mapping[str, str] | None = None
    home: str | None = None
    args: Namespace = field(default_factory=Namespace)

    @cached_property
    def settings(self) -> Settings:
        """Read on first use, so that help and checks of arguments work with a broken config."""
        return load(self.environ, home=self.home)

    @property
    def json(self) -> bool:
        return bool(getattr(self.args, "json", False))

    def confirm(self, question: str, *, instead: str) -> bool:
        """Ask a person; where there is none, fail and name the option that answers."""
        if sys.stdin is None or not sys.stdin.isatty():
            raise UsageError(f"{question} Nobody is there to answer", hint=f"pass {instead}")
        self.out.note(f"{question} [y/N] ", end="")
        return sys.stdin.readline().strip().lower() in ("y", "yes")


def no_arguments(parser: ArgumentParser) -> None:
    """For a command that takes none."""


@dataclass(frozen=True, kw_only=True)
class Command:
    """`run` answers the call and returns its exit code, None for done.

    A command of a group gives its own summary and example; those of a command that stands alone
    are in the table.
    """

    run: Callable[[Call], int | None]
    arguments: Callable[[ArgumentParser], None] = no_arguments
    summary: str = ""
    example: str = ""
    json: bool = False
    """Whether a program would read the answer: it then has --json."""


class Parser(ArgumentParser):
    """argparse, with our words: one line for an error, help through Output."""

    def __init__(self, prog: str, command: Command, out: Output) -> None:
        super().__init__(
            prog=prog,
            description=f"{command.summary[:1].upper()}{command.summary[1:]}.",
            epilog=f"example: {command.example}",
            formatter_class=_formatter,
            allow_abbrev=False,  # an abbreviation breaks on the day an option is added
        )
        self.color = (
            False  # Output decides what a terminal is sent (argparse has its own from 3.14)
        )
        self._out = out

    def print_help(self, file: object = None) -> None:
        self._out.block(self.format_help())

    def error(self, message: str) -> NoReturn:
        raise UsageError(message, hint=f"see `{self.prog} --help`")


def _formatter(prog: str) -> RawDescriptionHelpFormatter:
    """With its width given: argparse imports shutil, for 8 ms, to ask for it at every option."""
    try:
        columns = os.get_terminal_size().columns
    except OSError:  # stdout is no terminal
        columns = 80
    return RawDescriptionHelpFormatter(prog, width=max(columns - 2, 20))


def invoke(name: str, entry: Entry, words: Sequence[str], call: Call) -> int:
    """Run the command on the words behind its name; the exit code."""
    target: Command | Mapping[str, Command] = import_module(entry.module).COMMAND
    prog = f"hermes {name}"
    if isinstance(target, Command):
        announced = replace(target, summary=entry.summary, example=entry.example)
        return _run(prog, announced, words, call)
    if not words:
        raise UsageError(f"{prog} {'|'.join(target)}: which one?", hint=f"see `{prog} --help`")
    if words[0] in ("-h", "--help"):
        call.out.block(_group_help(prog, entry, target))
        return DONE
    if words[0] not in target:
        raise not_a_command(words[0], target, prog)
    return _run(f"{prog} {words[0]}", target[words[0]], words[1:], call)


def _run(prog: str, command: Command, words: Sequence[str], call: Call) -> int:
    parser = Parser(prog, command, call.out)
    command.arguments(parser)
    if command.json:
        parser.add_argument("--json", action="store_true", help="print one line of JSON")
    # main has taken it from the words already; it stands here to be found in the help.
    parser.add_argument("--home", metavar="PATH", help="instead of HERMES_HOME")
    try:
        call.args = parser.parse_args(words)
    except SystemExit:  # how argparse ends after --help
        return DONE
    return command.run(call) or DONE


def _group_help(prog: str, entry: Entry, commands: Mapping[str, Command]) -> str:
    margin = max(map(len, commands)) + 2
    lines = [
        f"usage: {prog} COMMAND ...",
        "",
        f"{entry.summary[:1].upper()}{entry.summary[1:]}.",
        "",
        *(f"  {name:<{margin}}{command.summary}" for name, command in commands.items()),
        "",
        f"example: {entry.example}",
    ]
    return "\n".join(lines)

"""`hermes memory add`: keep a text, and say what became of it."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from hermes.app import open_home
from hermes.app.remembering import quick_remember, trust_of_caller
from hermes.app.scopes import scope_named
from hermes.cli.arguments import days
from hermes.cli.command import Call, Command
from hermes.cli.memory.arguments import kind_of, kind_option, scope_option
from hermes.errors import Refused, WrongCall
from hermes.ids import now

if TYPE_CHECKING:
    from hermes.records.recall import Remembered

_MOST_BYTES = 4 * 50_000  # of UTF-8; what is longer is refused anyway, and is not read to its end


def add(call: Call) -> None:
    from hermes.records.memory import Trust

    piped = call.args.text == "-"
    text = _from_stdin() if piped else _from_words(call.args.text)
    scope = scope_named(call.settings, call.args.scope or "user", Path.cwd())
    expires = now() + timedelta(days=call.args.expires) if call.args.expires else None
    with open_home(call.settings) as home:
        trust = Trust.TOOL_OUTPUT if piped else trust_of_caller(home, at_terminal=_at_terminal())
        remembered = quick_remember(home).add(
            text,
            kind_of(call),
            scope=scope,
            source="stdin" if piped else "cli",
            trust=trust,
            expires_at=expires,
        )
    if call.json:
        call.out.json(remembered)
    if remembered.refused is not None:
        raise Refused(f"this is not remembered: {remembered.refused}")
    if not call.json:
        _tell(call, remembered)


def _tell(call: Call, remembered: Remembered) -> None:
    memory = remembered.memory
    if memory is None:
        call.out.line(f"{remembered.merged_into} says so already; it is stronger now")
        return
    if remembered.waits_for_approval is not None:
        call.out.line(f"{memory.id} waits for approval: {remembered.waits_for_approval}")
        call.out.note(f"`hermes memory approve {memory.id} --by NAME` lets it be recalled")
        return
    until = f", until {memory.expires_at:%Y-%m-%d}" if memory.expires_at else ""
    call.out.line(f"{memory.id} is kept ({memory.kind}, {memory.scope}){until}")
    for old in remembered.superseded:
        call.out.line(f"it supersedes {old}, which is kept and marked")


def _from_words(text: str) -> str:
    """A shell can hand over bytes that are no text."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise WrongCall("TEXT is not UTF-8", hint="convert it, or pass it by stdin as -") from error
    return text


def _from_stdin() -> str:
    data = sys.stdin.buffer.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise Refused(
            "this is not remembered: it is longer than 50,000 characters",
            hint="save it as a file, and remember where it is",
        )
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise WrongCall(
            f"stdin is not UTF-8: {error.reason} at byte {error.start}",
            hint="convert it first, as in `iconv -f latin1 -t utf-8`",
        ) from error


def _at_terminal() -> bool:
    return sys.stdin is not None and not sys.stdin.closed and sys.stdin.isatty()


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("text", metavar="TEXT", help="what to remember; - reads it from stdin")
    kind_option(parser, "what happened, a fact, or a definition; found out if not given")
    scope_option(parser, "whose it is (user)")
    parser.add_argument("--expires", type=days, metavar="AGE", help="for so long only: 30d, 12w")


COMMANDS = {
    "add": Command(
        run=add,
        arguments=_arguments,
        json=True,
        summary="remember a text, unless it is known or not worth it",
        example='hermes memory add "the staging database listens on port 5433"',
    )
}

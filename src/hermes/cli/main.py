"""`hermes`: choose the command, run it, and turn every ending into an exit code and one line.

Start-up is a feature: help and version import nothing but this, the table and the output.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence

from hermes import __version__
from hermes.cli.exits import (
    DONE,
    FAILED,
    INTERRUPTED,
    READER_GONE,
    WRONG_USAGE,
    ReaderGone,
    UsageError,
)
from hermes.cli.output import Output
from hermes.cli.table import COMMANDS, Entry, not_a_command
from hermes.cli.text import visible
from hermes.errors import HermesError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO


def main(
    argv: Sequence[str] | None = None,
    environ: Mapping[str, str] | None = None,
    commands: Mapping[str, Entry] = COMMANDS,
) -> int:
    """The `hermes` command; `argv` and `environ` are those of the process unless given."""
    words = list(sys.argv[1:] if argv is None else argv)
    home: str | None = None
    try:
        out = Output(_writable(sys.stdout), _writable(sys.stderr))
        home, words = _take_home(words)
        code = _dispatch(words, commands, out, environ, home)
        out.flush()
    except UsageError as error:
        return _fail(error, WRONG_USAGE)
    except HermesError as error:
        return _fail(error, FAILED)
    except KeyboardInterrupt:
        return INTERRUPTED
    except ReaderGone:
        return READER_GONE
    except Exception as error:  # noqa: BLE001 - the last resort: told, written down, exit code 1
        from hermes.cli.crash import record

        return _fail(record(error, words, environ, home), FAILED)
    return code


def _take_home(words: list[str]) -> tuple[str | None, list[str]]:
    """Take `--home PATH` out of the words, wherever it stands: whoever crashes has to know it."""
    home, rest = None, []
    coming = iter(words)
    for word in coming:
        name, is_joined, value = word.partition("=")
        if word == "--":
            rest += [word, *coming]
        elif name != "--home":
            rest.append(word)
        elif (home := value if is_joined else next(coming, None)) is None:
            raise UsageError("--home needs a PATH")
    return home, rest


def _dispatch(
    words: list[str],
    commands: Mapping[str, Entry],
    out: Output,
    environ: Mapping[str, str] | None,
    home: str | None,
) -> int:
    if not words or words[0].partition("=")[0] == "--resume":
        return _chat(words, commands, out, environ, home)
    if words[0] in ("-h", "--help") or words == ["help"]:
        out.block(_help(commands))
        return DONE
    if words[0] in ("-V", "--version"):
        out.line(f"hermes-loop {__version__}")
        return DONE
    if words[0] == "help":
        words = [*words[1:], "--help"]
    name = words[0]
    if name.startswith("-"):
        raise UsageError(f"{name} is not an option of `hermes`", hint="see `hermes --help`")
    if name not in commands:
        raise not_a_command(name, commands, "hermes")
    from hermes.cli.command import Call, invoke

    return invoke(name, commands[name], words[1:], Call(out=out, environ=environ, home=home))


def _chat(
    words: list[str],
    commands: Mapping[str, Entry],
    out: Output,
    environ: Mapping[str, str] | None,
    home: str | None,
) -> int:
    """`hermes` by itself, or `hermes --resume [ID]`: a conversation."""
    if words[1:] in (["-h"], ["--help"]):
        out.block(_help(commands))
        return DONE
    if len(words) > 2:
        raise UsageError("--resume takes one session", hint="hermes --resume session_0c8xk2")
    resume = None
    if words:
        _, joined, value = words[0].partition("=")
        resume = value if joined else (words[1] if len(words) > 1 else "")
    from hermes.cli.chat.loop import chat
    from hermes.cli.command import Call

    def run(inner: Sequence[str]) -> int:
        return main([*(("--home", home) if home else ()), *inner], environ, commands)

    return chat(Call(out=out, environ=environ, home=home), resume, run)


def _help(commands: Mapping[str, Entry]) -> str:
    margin = max(map(len, commands)) + 2
    lines = [
        "usage: hermes [--home PATH] [--resume [ID] | COMMAND ...]",
        "",
        "Finished work becomes skills that are proven, versioned, approved and watched.",
        "",
        "  hermes                a conversation in the terminal",
        "  hermes --resume [ID]  go on with the last one, or with that one",
        "",
        "commands:",
        *(f"  {name:<{margin}}{entry.summary}" for name, entry in commands.items()),
        "",
        "options:",
        "  --home PATH  work in this folder instead of HERMES_HOME or ~/.hermes",
        "  --version    print the version",
        "  --help       print this; `hermes COMMAND --help` explains a command by example",
    ]
    return "\n".join(lines)


def _fail(error: Exception, code: int) -> int:
    """One line on stderr, whatever is in the message."""
    line = visible(f"hermes: {'; '.join(str(error).splitlines())}")
    print(line, file=_writable(sys.stderr))
    return code


def _writable(stream: TextIO | None) -> TextIO:
    """The stream, unable to fail on a character its encoding lacks; a closed one takes all."""
    if stream is None:
        return open(os.devnull, "w")
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(errors="backslashreplace")
    return stream

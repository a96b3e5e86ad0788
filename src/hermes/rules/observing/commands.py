"""A shell script as the simple commands it is made of, as far as reading it needs.

Not a shell: no expansion, no loops. What cannot be split by quotes is split by blanks, because a
command that is read a little wrong is better than one that is not read.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import PurePosixPath

LONGEST = 20_000
"""Characters of a script that are read; what is longer carries data."""

_HEREDOC = re.compile(r"<<-?\s*(['\"]?)(\w+)\1[^\n]*\n.*?(?:^\s*\2\s*$|\Z)", re.S | re.M)
_OPERATORS = frozenset({"&&", "||", ";", "|", "&", "|&", ";;"})
_ASSIGNMENT = re.compile(r"^\w+=")
_WRAPPERS = frozenset(
    {"sudo", "time", "env", "nohup", "exec", "command", "npx", "bunx", "xvfb-run"}
)
_RUNNERS = frozenset({"uv", "poetry", "pipenv", "pdm", "hatch", "rye", "bundle", "conda"})
_TIMED = frozenset({"timeout", "nice", "stdbuf"})
_PYTHON = re.compile(r"^python(?:\d(?:\.\d+)?)?$")


@dataclass(frozen=True, slots=True)
class SimpleCommand:
    """`program` is what does the work, wrappers aside; `after` the operator that follows it."""

    program: str
    arguments: tuple[str, ...]
    after: str


def commands_of(script: str) -> tuple[SimpleCommand, ...]:
    """The commands in the order they are written; here-documents are data and left out."""
    text = _HEREDOC.sub("\n", script[:LONGEST]).replace("\\\n", " ")
    found: list[SimpleCommand] = []
    words: list[str] = []
    for word in _words(text):
        if word not in _OPERATORS:
            words.append(word)
            continue
        if words:
            found.append(_command(words, word))
            words = []
    if words:
        found.append(_command(words, ""))
    return tuple(one for one in found if one.program)


def stops_at_failure(script: str) -> bool:
    """Whether the script was told to end at its first failure, also inside a pipe."""
    return bool(re.search(r"\bset\s+-\w*e\w*|\bpipefail\b", script))


def _words(text: str) -> list[str]:
    lexer = shlex.shlex(text, posix=True, punctuation_chars=";|&<>()\n")
    lexer.whitespace = " \t\r"
    lexer.commenters = ""
    try:
        raw = list(lexer)
    except ValueError:  # a quote that never closes
        raw = re.findall(r"&&|\|\||[;|\n]|[^\s;|&]+", text)
    return [part for word in raw for part in _operators(word)]


def _operators(word: str) -> list[str]:
    """Line ends separate like `;`; a run of signs such as `)\\n` is taken apart."""
    if not word or set(word) - set(";|&<>()\n"):
        return [word]
    return re.findall(r"&&|\|\||\|&|;;|[;|&]|>>|<<|[<>()]", word.replace("\n", ";"))


def _command(words: list[str], after: str) -> SimpleCommand:
    words = [word for word in words if word not in ("(", ")")]
    while words and (_ASSIGNMENT.match(words[0]) or _program(words[0]) in _WRAPPERS):
        words = words[1:]
    if words and _program(words[0]) in _TIMED:
        words = [word for at, word in enumerate(words[1:]) if at or not word[:1].isdigit()]
    if len(words) > 2 and _program(words[0]) in _RUNNERS and words[1] in ("run", "exec"):
        words = words[2:]
    if len(words) > 2 and _PYTHON.match(_program(words[0])) and words[1] == "-m":
        words = words[2:]
    if not words:
        return SimpleCommand("", (), after)
    return SimpleCommand(_program(words[0]), tuple(words[1:]), after)


def _program(word: str) -> str:
    return PurePosixPath(word).name

"""A shell script as plain commands, as far as it can be read without running it.

This is no shell. A word that a shell would fill in (`$x`, `*.csv`) is marked as not literal, and
a script with loops, conditions or subshells is not read at all: a wrong guess about a file would
be worse than none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

_LONGEST = 262_144  # characters of a script that are read
_PLAIN = re.compile(r"[^\s\"'\\$`*?\[\]{}~;|&<>()#!=]+")
_CONTROL = frozenset(("if", "for", "while", "until", "case", "function", "select", "{", "[[", "!"))
_REDIRECT = re.compile(r"(\d*|&)(<<<|<<-|<<|>>|>\||>&|>|<)")
_DOUBLE_END = re.compile(r'["\\$`]')


@dataclass(frozen=True, slots=True)
class Word:
    """`literal` is False where a shell would put something else in its place."""

    text: str
    literal: bool = True


@dataclass(frozen=True, slots=True)
class Redirect:
    """`stream` is what was written before the sign: empty, a number, or & for both outputs."""

    stream: str
    sign: str
    target: Word


@dataclass(slots=True)
class Command:
    """`document` is the text of a here-document; None where it has none or a shell would fill it.

    `fed` and `feeds` say whether a pipe leads in and out.
    """

    words: list[Word] = field(default_factory=list)
    redirects: list[Redirect] = field(default_factory=list)
    document: str | None = None
    fed: bool = False
    feeds: bool = False

    @property
    def name(self) -> str:
        return self.words[0].text.rsplit("/", 1)[-1] if self.words else ""

    @property
    def arguments(self) -> Sequence[Word]:
        return self.words[1:]


class _Unclear(Exception):
    """The script does what only a shell can tell."""


def commands_of(script: str) -> list[Command] | None:
    """The commands in their order; None where that cannot be told."""
    if len(script) > _LONGEST:
        return None
    try:
        return _Script(script).commands()
    except _Unclear:
        return None


@dataclass(slots=True)
class _Waiting:
    """A here-document whose body begins on the next line."""

    command: Command
    end: str
    quoted: bool
    strip_tabs: bool


class _Script:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._done: list[Command] = []
        self._now = Command()
        self._waiting: list[_Waiting] = []

    def commands(self) -> list[Command]:
        text = self._text
        while self._at < len(text):
            char = text[self._at]
            if char == "\n":
                self._at += 1
                self._finish()
                self._read_documents()
            elif char.isspace():
                self._at += 1
            elif char == "#":
                end = text.find("\n", self._at)
                self._at = end if end != -1 else len(text)
            elif char == "\\" and text[self._at + 1 : self._at + 2] == "\n":
                self._at += 2
            elif char in ";|&" and not text.startswith("&>", self._at):
                self._separator(char)
            elif char in "()":
                raise _Unclear
            elif redirect := _REDIRECT.match(text, self._at):
                self._redirect(redirect)
            else:
                self._now.words.append(self._word())
        self._finish()
        if self._waiting:  # the script ends before its here-document does
            raise _Unclear
        return self._done

    def _separator(self, char: str) -> None:
        double = self._text.startswith(char * 2, self._at)
        self._at += 2 if double else 1
        if char == "|" and not double:
            self._at += self._text.startswith("&", self._at)
            self._now.feeds = True
            self._finish()
            self._now.fed = True
        elif char == "&" and not double:
            raise _Unclear  # it goes on in the background
        else:
            self._finish()

    def _finish(self) -> None:
        command = self._now
        while command.words and re.fullmatch(r"[A-Za-z_]\w*=.*", command.words[0].text, re.DOTALL):
            command.words.pop(0)  # X=1 command
        if command.words or command.redirects:
            if command.name in _CONTROL or command.name in ("do", "then", "done", "fi", "}"):
                raise _Unclear
            self._done.append(command)
            self._now = Command()

    def _redirect(self, match: re.Match[str]) -> None:
        stream, sign = match.groups()
        self._at = match.end()
        if sign == ">&" and self._text[self._at : self._at + 1] in ("1", "2", "-"):
            self._at += 1
            return
        while self._text[self._at : self._at + 1] in (" ", "\t"):
            self._at += 1
        start = self._at
        target = self._word()
        if sign in ("<<", "<<-"):
            quoted = any(quote in self._text[start : self._at] for quote in "'\"\\")
            self._waiting.append(_Waiting(self._now, target.text, quoted, sign == "<<-"))
        elif sign == "<<<":
            self._now.document = f"{target.text}\n" if target.literal else None
        else:
            self._now.redirects.append(Redirect(stream, sign, target))

    def _read_documents(self) -> None:
        for waiting in self._waiting:
            lines = []
            while True:
                if self._at >= len(self._text):
                    raise _Unclear
                end = self._text.find("\n", self._at)
                end = len(self._text) if end == -1 else end
                line = self._text[self._at : end]
                self._at = end + 1
                bare = line.lstrip("\t") if waiting.strip_tabs else line
                if bare == waiting.end:
                    break
                lines.append(bare)
            body = "".join(f"{line}\n" for line in lines)
            if waiting.quoted or not re.search(r"[$`\\]", body):
                waiting.command.document = body
        self._waiting = []

    def _word(self) -> Word:
        parts: list[str] = []
        literal = True
        text = self._text
        while self._at < len(text):
            char = text[self._at]
            if plain := _PLAIN.match(text, self._at):
                parts.append(plain[0])
                self._at = plain.end()
            elif char.isspace() or char in ";|&<>()":
                break
            elif char == "'":
                parts.append(self._until("'"))
            elif char == '"':
                piece, filled = self._double()
                parts.append(piece)
                literal = literal and not filled
            elif char == "\\":
                parts.append(text[self._at + 1 : self._at + 2])
                self._at += 2
            else:
                literal = literal and char in "#!=]}"
                if text.startswith("$(", self._at) or char == "`":
                    raise _Unclear
                parts.append(char)
                self._at += 1
        return Word("".join(parts), literal)

    def _until(self, quote: str) -> str:
        end = self._text.find(quote, self._at + 1)
        if end == -1:
            raise _Unclear
        piece = self._text[self._at + 1 : end]
        self._at = end + 1
        return piece

    def _double(self) -> tuple[str, bool]:
        """The text between double quotes, and whether a shell would fill something in."""
        parts: list[str] = []
        filled = False
        self._at += 1
        while stop := _DOUBLE_END.search(self._text, self._at):
            parts.append(self._text[self._at : stop.start()])
            self._at = stop.end()
            if stop[0] == '"':
                return "".join(parts), filled
            if stop[0] == "\\":
                after = self._text[self._at : self._at + 1]
                parts.append(after if after in '"\\$`' else f"\\{after}")
                self._at += 1
            else:
                filled = True
                parts.append(stop[0])
        raise _Unclear

"""What the person sees while the agent works: its words as they come, its deeds as dim lines.

Everything that is shown was written by a model or a tool, so nothing of it may command the
terminal: what is not plainly visible is written as its escape.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, TextIO

from hermes.cli.text import visible, width

if TYPE_CHECKING:
    from hermes.records.tool_answer import ToolAnswer

_COLUMNS = 80  # where the terminal does not say how wide it is
_DIM, _RED, _OFF = "\x1b[2m", "\x1b[31m", "\x1b[0m"
_ERASE = "\r\x1b[K"
_WAITING = "  …"


class Screen:
    """Satisfies ports.Listener. Used by one thread at a time."""

    def __init__(self, stream: TextIO | None = None, *, drawn: bool = True) -> None:
        """`drawn` allows colours and lines that vanish; a dumb terminal has neither."""
        self._stream = stream or sys.stdout
        self._drawn = drawn
        self._in_line = False
        self._is_waiting = False

    def text(self, piece: str) -> None:
        self._write(visible(piece, keep_lines=True))

    def thought(self, piece: str) -> None:
        """Thoughts are in the record; here they would be in the way."""

    def calling(self, tool: str, line: str) -> None:
        self._line(_DIM, f"  · {self._cut(visible(line), 4)}")
        self.waiting()

    def called(self, tool: str, answer: ToolAnswer) -> None:
        if answer.failed:
            first = next((one for one in answer.text.splitlines() if one.strip()), "it failed")
            self._line(_RED, f"    {self._cut(visible(first.strip()), 4)}")
        self.waiting()

    def note(self, line: str) -> None:
        """Something to know, said quietly."""
        self._line(_DIM, visible(line))

    def say(self, text: str) -> None:
        """Words of the program itself."""
        self.fresh_line()
        self._write(visible(text, keep_lines=True) + "\n")

    def complain(self, text: str) -> None:
        self._line(_RED, visible(text, keep_lines=True))

    def waiting(self) -> None:
        """Show that something is awaited; whatever is written next takes its place."""
        if self._drawn and not self._is_waiting:
            self.fresh_line()
            self._write(f"{_DIM}{_WAITING}{_OFF}")
            self._is_waiting = True

    def fresh_line(self) -> None:
        """End the line that the agent was in the middle of."""
        if self._is_waiting:
            self._write("")
        elif self._in_line:
            self._write("\n")

    def _line(self, style: str, text: str) -> None:
        self.fresh_line()
        self._write((f"{style}{text}{_OFF}" if self._drawn else text) + "\n")

    def _write(self, text: str) -> None:
        if self._is_waiting:
            self._is_waiting = self._in_line = False
            self._stream.write(_ERASE)
        self._stream.write(text)
        self._stream.flush()
        if text:
            self._in_line = not text.endswith("\n")

    def _cut(self, text: str, margin: int) -> str:
        """As much of a line as fits; the record has all of it."""
        room = self.columns - margin
        if width(text) <= room:
            return text
        shown = text[: room - 1]
        while width(shown) > room - 1:
            shown = shown[:-1]
        return f"{shown}…"

    @property
    def columns(self) -> int:
        try:
            return os.get_terminal_size(self._stream.fileno()).columns or _COLUMNS
        except (OSError, ValueError):  # a stream that is no terminal, or no file at all
            return _COLUMNS


def is_drawn(environ: Mapping[str, str]) -> bool:
    """Whether this terminal is to be sent colours."""
    return not environ.get("NO_COLOR") and environ.get("TERM", "dumb") != "dumb"

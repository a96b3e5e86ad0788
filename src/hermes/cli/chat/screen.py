"""What the person sees while the agent works: its words as they come, its deeds as dim lines.

Everything that is shown was written by a model or a tool, so nothing of it may command the
terminal: what is not plainly visible is written as its escape.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TextIO

from hermes.cli.text import visible

if TYPE_CHECKING:
    from hermes.records.tool_answer import ToolAnswer

_LINE = 160
_DIM, _RED, _BOLD, _OFF = "\x1b[2m", "\x1b[31m", "\x1b[1m", "\x1b[0m"


class Screen:
    """Satisfies ports.Listener. Colours only where the stream is a terminal."""

    def __init__(self, stream: TextIO | None = None, *, colours: bool = True) -> None:
        self._stream = stream or sys.stdout
        self._colours = colours
        self._in_line = False

    def text(self, piece: str) -> None:
        self._write(visible(piece, keep_lines=True))

    def thought(self, piece: str) -> None:
        """Thoughts are in the record; here they would be in the way."""

    def calling(self, tool: str, line: str) -> None:
        self.fresh_line()
        self._write(self._styled(_DIM, f"  · {visible(line)[:_LINE]}") + "\n")

    def called(self, tool: str, answer: ToolAnswer) -> None:
        if answer.failed:
            first = next((one for one in answer.text.splitlines() if one.strip()), "it failed")
            self._write(self._styled(_RED, f"    {visible(first)[:_LINE]}") + "\n")

    def note(self, line: str) -> None:
        self.fresh_line()
        self._write(self._styled(_DIM, visible(line)) + "\n")

    def say(self, line: str) -> None:
        """A line of the program itself."""
        self.fresh_line()
        self._write(visible(line, keep_lines=True) + "\n")

    def complain(self, line: str) -> None:
        self.fresh_line()
        self._write(self._styled(_RED, visible(line, keep_lines=True)) + "\n")

    def fresh_line(self) -> None:
        """End the line that the agent was in the middle of."""
        if self._in_line:
            self._write("\n")

    def _styled(self, style: str, text: str) -> str:
        return f"{style}{text}{_OFF}" if self._colours else text

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()
        if text:
            self._in_line = not text.endswith("\n")

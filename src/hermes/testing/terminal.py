"""`hermes` in a real terminal of its own: keys go in, and what a person would see comes out."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Self

import pexpect
import pyte

PATIENCE = 60.0
"""Seconds for a busy machine."""
_PIECE = 65_536
_FAINT, _GREY = b"\x1b[2m", b"\x1b[90m"  # the drawn terminal knows no faint letters
ENTER, ALT_ENTER, TAB, UP = "\r", "\x1b\r", "\t", "\x1b[A"
CTRL_C, CTRL_D = "\x03", "\x04"


class _Screen(pyte.Screen):
    """Answers when it is asked where its cursor is, as real terminals do."""

    def __init__(self, columns: int, lines: int, answer: Callable[[str], object]) -> None:
        self._answer = answer
        super().__init__(columns, lines)

    def write_process_input(self, data: str) -> None:
        self._answer(data)


class Terminal:
    """One process on a pseudo-terminal. `raw` is every byte that it has sent."""

    def __init__(
        self,
        environ: Mapping[str, str],
        cwd: Path,
        *words: str,
        program: tuple[str, ...] = ("-m", "hermes"),
        size: tuple[int, int] = (120, 40),
    ) -> None:
        columns, lines = size
        self._child = pexpect.spawn(
            sys.executable,
            [*program, *words],
            cwd=str(cwd),
            env={**os.environ, "TERM": "xterm-256color", **environ},
            dimensions=(lines, columns),
            echo=True,
        )
        self._child.delaybeforesend = None
        self.screen = _Screen(columns, lines, self._child.send)
        self._stream = pyte.ByteStream(self.screen)
        self.raw = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._child.close(force=True)

    @property
    def pid(self) -> int:
        return int(self._child.pid)

    @property
    def lines(self) -> list[str]:
        """What is on the screen, without the empty lines at its end."""
        shown = [line.rstrip() for line in self.screen.display]
        while shown and not shown[-1]:
            shown.pop()
        return shown

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    @property
    def cursor_line(self) -> str:
        return str(self.screen.display[self.screen.cursor.y]).rstrip()

    def press(self, keys: str) -> None:
        self._child.send(keys)

    def type(self, text: str) -> None:
        """Type, and wait until it is on the screen."""
        self.press(text)
        tail = text.split("\n")[-1][-10:]
        self.until(lambda: tail in self.cursor_line, f"{text!r} to be shown")

    def enter(self, line: str) -> None:
        """Type a line and send it."""
        self.type(line)
        before = self.cursor_line
        self.press(ENTER)
        self.until(lambda: self.cursor_line != before, "the line to be taken")

    def ask(self, line: str) -> str:
        """Send a line and wait for the next prompt; what stands between the two."""
        self.prompt()
        self.enter(line)
        self.prompt()
        shown = self.lines
        sent = max(at for at, one in enumerate(shown) if one.startswith(f"hermes> {line}"[:60]))
        return "\n".join(shown[sent + 1 : -1])

    def prompt(self) -> None:
        """Wait for an empty prompt."""
        self.until(lambda: self.cursor_line == "hermes>", "the prompt")

    def wait(self, text: str) -> None:
        self.until(lambda: text in self.text, f"{text!r} to be shown")

    def until(self, reached: Callable[[], bool], what: str) -> None:
        end = time.monotonic() + PATIENCE
        while not reached():
            assert time.monotonic() < end, f"waited for {what}; the screen was:\n{self.text}"
            goes_on = self._hear()
            assert goes_on or reached(), f"it ended before {what}; the screen was:\n{self.text}"

    def _hear(self) -> bool:
        """Take in what it sends; False once it has ended."""
        try:
            piece = self._child.read_nonblocking(_PIECE, timeout=0.2)
        except pexpect.TIMEOUT:
            return True
        except pexpect.EOF:
            return False
        self.raw += piece
        self._stream.feed(piece.replace(_FAINT, _GREY))
        return True

    def ended(self) -> int:
        """Wait for the end of the process; its exit code."""
        self.until(lambda: not self._hear(), "its end")
        self._child.close()
        return int(self._child.exitstatus if self._child.exitstatus is not None else -1)

    def kill(self) -> None:
        """As a crash would: no handler, no goodbye."""
        os.kill(self.pid, signal.SIGKILL)
        self._child.wait()

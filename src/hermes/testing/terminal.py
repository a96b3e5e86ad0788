"""`hermes` in a real terminal of its own: keys go in, and what a person would see comes out."""

from __future__ import annotations

import errno
import fcntl
import os
import select
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Self

import pyte

from hermes.testing.forked import Forked, forked

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
    """One process on a pseudo-terminal. `raw` is every byte that it has sent.

    It is forked with everything loaded; `program` is started as Python itself would start it.
    """

    def __init__(
        self,
        environ: Mapping[str, str],
        cwd: Path,
        *words: str,
        program: tuple[str, ...] = (),
        size: tuple[int, int] = (120, 40),
    ) -> None:
        columns, lines = size
        self._process: Forked | subprocess.Popen[bytes]
        self._end, its_end = os.openpty()
        termios.tcsetwinsize(its_end, (lines, columns))
        environ = {**os.environ, "TERM": "xterm-256color", **environ}
        try:
            if program:
                self._process = _started([sys.executable, *program, *words], environ, cwd, its_end)
            else:
                stdio = (its_end, its_end, its_end)
                self._process = forked(["hermes", *words], environ, cwd, stdio, is_terminal=True)
        finally:
            os.close(its_end)
        self.screen = _Screen(columns, lines, self.press)
        self._stream = pyte.ByteStream(self.screen)
        self.raw = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Close the window, as a person would; whoever does not heed it is killed."""
        self._close()
        try:
            self._process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            self.kill()

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
        os.write(self._end, keys.encode())

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
        if not select.select([self._end], [], [], 0.2)[0]:
            return True
        try:
            piece = os.read(self._end, _PIECE)
        except OSError as error:
            if error.errno != errno.EIO:  # how a terminal says that nobody is left on it
                raise
            return False
        self.raw += piece
        self._stream.feed(piece.replace(_FAINT, _GREY))
        return bool(piece)

    def ended(self) -> int:
        """Wait for the end of the process; its exit code."""
        self.until(lambda: not self._hear(), "its end")
        self._close()
        return self._process.wait(timeout=PATIENCE)

    def kill(self) -> None:
        """As a crash would: no handler, no goodbye."""
        self._process.kill()
        self._process.wait()

    def _close(self) -> None:
        if self._end >= 0:
            os.close(self._end)
            self._end = -1


def _started(
    words: Sequence[str], environ: Mapping[str, str], cwd: Path, end: int
) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        words,
        cwd=cwd,
        env=environ,
        stdin=end,
        stdout=end,
        stderr=end,
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    )

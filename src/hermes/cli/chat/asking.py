"""Asks the person in front of the terminal. Anything but a clear yes is a no."""

from __future__ import annotations

from collections.abc import Callable

from hermes.cli.chat.screen import Screen

_BAR = "  │ "


class AskInChat:
    """Satisfies ports.Asker. `read` reads one line that is typed after it was called."""

    def __init__(self, screen: Screen, read: Callable[[str], str]) -> None:
        self._screen = screen
        self._read = read

    def allows(self, question: str) -> bool | None:
        """What the question quotes stands behind a bar, so no line of it passes for one of ours."""
        self._screen.say("\n".join(f"{_BAR}{line}" for line in question.split("\n")))
        try:
            answer = self._read("  [y/N] ")
        except EOFError:
            return False
        allowed = answer.strip().lower() in ("y", "yes")
        self._screen.waiting()
        return allowed


def read_line(question: str) -> str:
    """One line from the terminal. What was typed before the question was shown is no answer."""
    import sys
    import termios

    termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
    return input(question)

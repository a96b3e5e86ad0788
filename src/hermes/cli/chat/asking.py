"""Asks the person in front of the terminal. Anything but a clear yes is a no."""

from __future__ import annotations

from collections.abc import Callable

from hermes.cli.chat.screen import Screen


class AskInChat:
    """Satisfies ports.Asker. `read` reads one line from the person."""

    def __init__(self, screen: Screen, read: Callable[[str], str]) -> None:
        self._screen = screen
        self._read = read

    def allows(self, question: str) -> bool | None:
        self._screen.say(question)
        try:
            return self._read("[y/N] ").strip().lower() in ("y", "yes")
        except EOFError:
            return False

"""The line at which a person types: history, several lines, names of commands and skills."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

from hermes.cli.chat.history import QuietHistory


class SlashNames(Completer):
    """Offers what may stand behind a slash at the beginning of a line."""

    def __init__(self, names: Callable[[], Iterable[str]]) -> None:
        self._names = names

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterable[Completion]:
        typed = document.text_before_cursor
        if not typed.startswith("/") or " " in typed or "\n" in typed:
            return
        for name in self._names():
            if name.startswith(typed[1:]):
                yield Completion(f"/{name}", start_position=-len(typed))


def prompt_session(history: Path, names: Callable[[], Iterable[str]]) -> PromptSession[str]:
    """Enter sends, Alt-Enter and a backslash at the end of the line make a new line."""
    keys = KeyBindings()

    @keys.add("escape", "enter")
    def _(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text("\n")

    @keys.add("enter", filter=_after_backslash())
    def _(event: KeyPressEvent) -> None:
        event.current_buffer.delete_before_cursor()
        event.current_buffer.insert_text("\n")

    return PromptSession(
        history=QuietHistory(history),
        completer=SlashNames(names),
        complete_while_typing=True,
        complete_in_thread=True,
        key_bindings=keys,
        enable_open_in_editor=False,
        mouse_support=False,
    )


def _after_backslash() -> Condition:
    return Condition(lambda: get_app().current_buffer.document.text_before_cursor.endswith("\\"))

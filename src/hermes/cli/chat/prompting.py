"""The line at which a person types: history, several lines, names of commands and skills."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app, run_in_terminal
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.patch_stdout import patch_stdout
from prompt_toolkit.styles import Style

from hermes.cli.chat.history import QuietHistory
from hermes.cli.text import visible

PROMPT = "hermes> "
_STYLE = Style.from_dict(
    {  # no colours of our own: it has to be read on a dark terminal and on a bright one
        "completion-menu": "noinherit",
        "completion-menu.completion": "noinherit",
        "completion-menu.completion.current": "noinherit reverse",
        "completion-menu.meta.completion": "noinherit ansibrightblack",
        "completion-menu.meta.completion.current": "noinherit ansibrightblack",
        "scrollbar.background": "noinherit",
        "scrollbar.button": "noinherit reverse",
    }
)
_LONGEST_MEANING = 60
Act = Callable[[], None]


class SlashNames(Completer):
    """Offers what may stand behind a slash at the beginning of a line, with what it means."""

    def __init__(self, names: Callable[[], Mapping[str, str]]) -> None:
        self._names = names

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterable[Completion]:
        typed = document.text_before_cursor
        if not typed.startswith("/") or " " in typed or "\n" in typed:
            return
        for name, meaning in self._names().items():
            if name.startswith(typed[1:]):
                yield Completion(
                    f"/{name}",
                    start_position=-len(typed),
                    display_meta=visible(meaning)[:_LONGEST_MEANING],
                )


class Prompt:
    """Enter sends; Alt-Enter, or a backslash at the end of the line, makes a new line."""

    def __init__(
        self,
        history: Path,
        names: Callable[[], Mapping[str, str]],
        when_shown: Act,
        note: Callable[[str], None],
    ) -> None:
        """`when_shown` is called once, when the prompt is ready for typing."""
        self._waiting: deque[Act] = deque()
        self._when_shown: Act | None = when_shown
        self._session: PromptSession[str] = PromptSession(
            FormattedText([("bold", PROMPT)]),
            history=QuietHistory(history, lambda line: self.above(lambda: note(line))),
            completer=SlashNames(names),
            # Room for the popup is made only where one can come.
            complete_while_typing=Condition(lambda: get_app().current_buffer.text[:1] == "/"),
            complete_in_thread=True,
            key_bindings=_keys(),
            style=_STYLE,
            prompt_continuation=lambda width, number, is_wrapped: " " * width,
            enable_suspend=True,
        )
        self._session.app.after_render.add_handler(self._shown)

    def read(self) -> str | None:
        """None when the person has left. Ctrl-C clears what was typed."""
        while True:
            self._show_waiting()
            try:
                with patch_stdout(raw=True):
                    return self._session.prompt()
            except KeyboardInterrupt:
                continue
            except EOFError:
                return None

    def above(self, show: Act) -> None:
        """Show something above the prompt, from any thread; before the next one if none is there.

        What is typed at the moment stays as it is.
        """
        self._waiting.append(show)
        loop = self._session.app.loop
        if loop is not None:
            with suppress(RuntimeError):  # it ended just now: the next prompt shows it
                loop.call_soon_threadsafe(lambda: run_in_terminal(self._show_waiting))

    def _show_waiting(self) -> None:
        while self._waiting:
            self._waiting.popleft()()

    def _shown(self, _: object) -> None:
        act, self._when_shown = self._when_shown, None
        if act is not None:
            act()


def _keys() -> KeyBindings:
    keys = KeyBindings()

    @keys.add("escape", "enter")
    def _(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text("\n")

    @keys.add("enter", filter=Condition(_is_after_backslash))
    def _(event: KeyPressEvent) -> None:
        event.current_buffer.delete_before_cursor()
        event.current_buffer.insert_text("\n")

    return keys


def _is_after_backslash() -> bool:
    document = get_app().current_buffer.document
    return document.is_cursor_at_the_end and document.text.endswith("\\")

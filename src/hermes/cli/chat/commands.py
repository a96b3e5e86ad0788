"""A line that begins with a slash: a command, a skill called by its name, or only a path."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hermes.app import os_user
from hermes.cli.chat.asking import read_line
from hermes.cli.chat.slash import COMMANDS, Around, help_page, split, words_of
from hermes.cli.exits import INTERRUPTED

if TYPE_CHECKING:
    from hermes.app import Home
    from hermes.app.agent import Request
    from hermes.cli.chat.names import Names
    from hermes.cli.chat.screen import Screen
    from hermes.settings import Settings

_NEAR = 3
_DECIDES = "/review approve lets it live; /review reject WHY turns it down"


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """What a slash line needs of the conversation around it."""

    run: Callable[[Sequence[str]], int]
    """A command of the command line, in this process; it complains by itself."""
    ask: Callable[[Request], None]
    drop_session: Callable[[], None]
    last_run: Callable[[], str | None]
    settings: Callable[[], Settings]


class SlashLines:
    def __init__(self, home: Home, names: Names, screen: Screen, talk: Talk) -> None:
        self._home = home
        self._names = names
        self._screen = screen
        self._talk = talk

    def does(self, line: str) -> bool | None:
        """Whether to go on; None where it is no command, but words that begin with a slash."""
        name, rest = split(line)
        if name == "quit":
            return False
        if name == "help":
            self._screen.say(help_page(self._names.skills(), self._screen.columns))
        elif name in COMMANDS:
            self._command(name, words_of(rest))
        elif not self._apply_skill(name, rest):
            if _is_no_name(name):
                return None
            self._complain(name)
        return True

    def waiting(self) -> Mapping[str, str]:
        """The candidates that wait for a person → their skills."""
        return {one.id: one.skill_name for one in self._home.ledger.candidates.awaiting()}

    def _command(self, name: str, words: Sequence[str]) -> None:
        around = Around(
            trajectory_id=self._talk.last_run(),
            user=os_user(),
            waiting=self.waiting,
            ask=read_line,
        )
        inner = COMMANDS[name].words(words, around)
        model = self._talk.settings().model
        if self._talk.run(inner) == INTERRUPTED:
            self._screen.note("stopped")
        elif inner[:2] == ["review", "show"]:
            self._screen.note(_DECIDES)
        if self._talk.settings().model != model:
            self._talk.drop_session()

    def _apply_skill(self, name: str, words: str) -> bool:
        """Whether there is such a skill, live or waiting; then it was applied."""
        from hermes.app.applying import skill_request

        request, note = skill_request(self._home, name, words)
        if request is None:
            return False
        if note:
            self._screen.note(note)
        self._talk.ask(request)
        return True

    def _complain(self, name: str) -> None:
        from difflib import get_close_matches

        near = get_close_matches(name, self._names.all(), n=_NEAR)
        hint = f"did you mean {' or '.join('/' + one for one in near)}? " if near else ""
        self._screen.complain(f"there is no /{name} ({hint}/help shows what there is)")


def _is_no_name(name: str) -> bool:
    """A path, a comment, or anything else that no command and no skill could be called."""
    plain = name.replace("-", "").replace("_", "")
    return not (plain.isascii() and plain.isalnum()) or os.path.exists(f"/{name}")

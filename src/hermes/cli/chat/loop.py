"""The conversation: read a line, do what it says, show what comes of it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from hermes.app import open_home
from hermes.app.skills import sweeper
from hermes.cli.chat.asking import AskInChat, read_line
from hermes.cli.chat.commands import SlashLines, Talk
from hermes.cli.chat.names import Names
from hermes.cli.chat.notices import Notices
from hermes.cli.chat.screen import Screen, is_drawn
from hermes.cli.chat.session import Ready
from hermes.cli.exits import DONE, UsageError
from hermes.errors import HermesError

if TYPE_CHECKING:
    from hermes.app import Home
    from hermes.app.agent import AgentSession, Request
    from hermes.cli.command import Call
    from hermes.records.turn import Turn
    from hermes.settings import Settings

HISTORY_FILE = "chat_history"
Run = Callable[[Sequence[str]], int]


def chat(call: Call, resume: str | None, run: Run) -> int:
    """Talk until the person leaves. `run` runs a command of the command line.

    `resume` is as much of a session's id as a person gave, empty for the last one.
    """
    if not _is_terminal():
        raise UsageError(
            "a conversation needs a terminal",
            hint='in a script: hermes run "what to do", or hermes run - to read it from stdin',
        )
    with open_home(call.settings) as home:
        chatting = Chat(call, home, run)
        try:
            chatting.open(resume)
            chatting.talk()
        finally:
            is_closed = chatting.close()
    if not is_closed:
        _leave_at_once()
    return DONE


def _leave_at_once() -> NoReturn:
    """Whoever leaves does not wait for libraries that are still being loaded, and an interpreter
    that ends around them may crash. Everything of ours is closed and on disk by now."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(DONE)


def _is_terminal() -> bool:
    return bool(sys.stdin and sys.stdin.isatty() and sys.stdout and sys.stdout.isatty())


class Chat:
    """One conversation in one terminal."""

    def __init__(self, call: Call, home: Home, run: Run) -> None:
        self._call = call
        self._home = home
        environ = os.environ if call.environ is None else call.environ
        self._screen = Screen(drawn=is_drawn(environ))
        self._names = Names(home)
        self._ready = Ready(self._build)
        self._session_id: str | None = None
        self._trajectory_id: str | None = None
        self._notices: Notices | None = None
        self._sweeper = sweeper(home)
        self._slash = SlashLines(
            home,
            self._names,
            self._screen,
            Talk(
                run=run,
                ask=self._ask,
                drop_session=self._drop_session,
                last_run=lambda: self._trajectory_id,
                settings=self._settings,
            ),
        )

    def open(self, resume: str | None) -> None:
        """The prompt first; everything that takes time behind it."""
        self._greet()
        if resume is not None:
            self._take_up(resume)

    def talk(self) -> None:
        from hermes.cli.chat.prompting import Prompt

        history = self._home.settings.paths.data_dir / HISTORY_FILE
        prompt = Prompt(history, self._names.all, self._begin, self._screen.note)
        self._notices = Notices(
            self._slash.waiting, lambda line: prompt.above(lambda: self._screen.note(line))
        )
        while (line := prompt.read()) is not None:
            if line.strip() and not self._answer(line.strip()):
                break
        if self._session_id is not None and self._trajectory_id is not None:
            self._screen.note(f"hermes --resume {self._session_id} goes on with this")

    def close(self) -> bool:
        """Whether nothing of it goes on in the background."""
        self._sweeper.stop()
        if self._notices is not None:
            self._notices.close()
        return self._ready.close()

    def _begin(self) -> None:
        """Once the prompt is there: what is to be ready soon, and what is to be seen meanwhile."""
        self._ready.begin()
        self._sweeper.start()
        if self._notices is not None:
            self._notices.begin()

    def _greet(self) -> None:
        model = self._home.settings.model
        self._screen.note(f"Hermes Loop · {model or 'no model yet'} · /help, Ctrl-D ends")
        if model is None:
            self._screen.note("/model NAME chooses a model; `hermes model pull` gets one")

    def _take_up(self, resume: str) -> None:
        """Whether it can be resumed is told before the prompt, and where it stood."""
        from hermes.app.agent import close_dead_runs
        from hermes.app.resuming import find_session, last_place

        close_dead_runs(self._home)
        session = find_session(self._home, resume)
        place = last_place(self._home, session.id, {})
        self._session_id = session.id
        self._trajectory_id = place.trajectory.id if place.trajectory else None
        self._screen.note(f"going on with {session.id}")
        for step in [one for one in place.steps if one.metadata.get("role")][-2:]:
            who = "you" if step.metadata["role"] == "user" else "then"
            line = next((one for one in step.content.splitlines() if one.strip()), "")
            self._screen.note(f"  {who}: {line[:200]}")

    def _build(self) -> AgentSession:
        """In the background at first, so nothing is shown from here."""
        from hermes.app.agent import AgentOptions, close_dead_runs, open_agent
        from hermes.app.jobs import detach_worker

        close_dead_runs(self._home)
        detach_worker(self._home, self._call.environ)  # what an earlier process left waiting
        options = AgentOptions(
            project=Path.cwd(), model=self._settings().model, resume=self._session_id
        )
        session = open_agent(self._home, options, AskInChat(self._screen, read_line))
        session.warm()
        return session

    def _settings(self) -> Settings:
        """As they are now: another model may have been chosen since the home was opened."""
        from hermes.settings import load

        return load(self._call.environ, home=self._call.home)

    def _drop_session(self) -> None:
        self._session_id = self._ready.drop() or self._session_id
        self._ready.begin()

    def _answer(self, line: str) -> bool:
        """Whether to go on. Whatever goes wrong is told, and the conversation goes on."""
        try:
            if line.startswith("/") and (goes_on := self._slash.does(line)) is not None:
                return goes_on
            from hermes.app.agent import Request

            self._ask(Request(text=line))
        except HermesError as error:
            self._screen.complain(str(error))
        except KeyboardInterrupt:
            self._screen.note("stopped")
        except Exception as error:  # noqa: BLE001 - written down, told in a line, and survived
            from hermes.cli.crash import record

            told = record(error, ["chat"], self._call.environ, self._call.home)
            self._screen.complain(str(told))
        return True

    def _ask(self, request: Request) -> None:
        from hermes.app.jobs import detach_worker

        self._screen.waiting()
        session = self._ready.get()
        self._session_id = session.session_id
        try:
            self._tell_end(session.ask(request, self._screen))
        finally:
            self._trajectory_id = session.trajectory_id or self._trajectory_id
            detach_worker(self._home, self._call.environ)

    def _tell_end(self, turn: Turn) -> None:
        from hermes.records.turn import TurnEnd

        self._screen.fresh_line()
        if turn.answer.end is TurnEnd.INTERRUPTED:
            self._screen.note("stopped; what was done is recorded, and you can go on")
        elif turn.answer.end is not TurnEnd.ANSWERED:
            self._screen.complain(f"{turn.answer.end}: {turn.answer.reason}")

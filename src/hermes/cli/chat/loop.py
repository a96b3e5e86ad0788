"""The conversation: read a line, do what it says, show what comes of it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from hermes.app import open_home, os_user
from hermes.cli.chat.asking import AskInChat
from hermes.cli.chat.screen import Screen
from hermes.cli.chat.session import Ready
from hermes.cli.chat.slash import COMMANDS, OWN, Around, help_page, split
from hermes.cli.exits import DONE, UsageError
from hermes.errors import HermesError

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession

    from hermes.app import Home
    from hermes.app.agent import AgentSession, Request
    from hermes.cli.command import Call
    from hermes.records.turn import Turn

PROMPT = "hermes> "
_GREETING = "Hermes Loop. /help shows what there is; Ctrl-D ends."
Run = Callable[[Sequence[str]], int]


def chat(call: Call, resume: str | None, run: Run) -> int:
    """Talk until the person leaves. `run` runs a command of the command line."""
    if not (sys.stdin and sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError(
            "a conversation needs a terminal", hint='in a script: hermes run "what to do"'
        )
    with open_home(call.settings) as home:
        chatting = Chat(call, home, run)
        try:
            chatting.open(resume)
            chatting.talk()
        finally:
            chatting.close()
    return DONE


class Chat:
    def __init__(self, call: Call, home: Home, run: Run) -> None:
        self._call = call
        self._home = home
        self._run = run
        self._screen = Screen()
        self._resume: str | None = None
        self._ready = Ready(self._build)
        self._prompt: PromptSession[str] | None = None

    def open(self, resume: str | None) -> None:
        """The prompt first; everything that takes time behind it."""
        from hermes.app.agent import close_dead_runs

        close_dead_runs(self._home)
        if resume is not None:
            from hermes.app.resuming import find_session

            self._resume = find_session(self._home, resume).id
            self._screen.note(f"going on with {self._resume}")
        from hermes.cli.chat.prompting import prompt_session

        data = self._home.settings.paths.data_dir
        self._prompt = prompt_session(data / "chat_history", self._names)
        self._ready.begin()

    def talk(self) -> None:
        from hermes.cli.chat.notices import Notices

        assert self._prompt is not None
        self._screen.note(_GREETING)
        notices = Notices(self._waiting, self._above_prompt)
        notices.begin()
        try:
            while (line := self._read()) is not None:
                if line.strip() and not self._answer(line.strip()):
                    return
        finally:
            notices.close()

    def close(self) -> None:
        self._ready.close()

    def _build(self) -> AgentSession:
        from hermes.app.agent import AgentOptions, open_agent

        options = AgentOptions(project=Path.cwd(), resume=self._resume)
        return open_agent(self._home, options, AskInChat(self._screen, input))

    def _read(self) -> str | None:
        """None when the person has left. Ctrl-C clears what was typed."""
        from prompt_toolkit.patch_stdout import patch_stdout

        assert self._prompt is not None
        while True:
            try:
                with patch_stdout(raw=True):
                    return self._prompt.prompt(PROMPT)
            except KeyboardInterrupt:
                continue
            except EOFError:
                return None

    def _answer(self, line: str) -> bool:
        """Whether to go on."""
        try:
            if line.startswith("/") and (done := self._slash(line)) is not None:
                return done
            from hermes.app.agent import Request

            self._ask(Request(text=line))
        except HermesError as error:
            self._screen.complain(str(error))
        except KeyboardInterrupt:
            self._screen.note("stopped")
        return True

    def _slash(self, line: str) -> bool | None:
        """Whether to go on; None where it is no command, but words that begin with a slash."""
        name, words = split(line)
        if name == "quit":
            return False
        if name == "help":
            self._screen.say(help_page(self._skills()))
        elif name in COMMANDS:
            self._command(name, words)
        elif self._apply_skill(name, line.partition(" ")[2].strip()):
            pass
        elif "/" in name or not name.isascii() or line.startswith("//"):
            return None
        else:
            near = get_close_matches(name, self._names(), n=3)
            hint = f" (did you mean {', '.join('/' + one for one in near)}?)" if near else ""
            self._screen.complain(f"there is no /{name}{hint}; /help shows what there is")
        return True

    def _command(self, name: str, words: Sequence[str]) -> None:
        """A command of the command line, in this process; it complains by itself."""
        session = self._ready.now
        around = Around(trajectory_id=session.trajectory_id if session else None, user=os_user())
        self._run(COMMANDS[name].words(words, around))
        if name == "model":
            self._resume = session.session_id if session and session.trajectory_id else self._resume
            self._ready.drop()

    def _apply_skill(self, name: str, words: str) -> bool:
        """Whether there is such a skill, live or waiting; then it was applied."""
        from hermes.app.applying import skill_request

        request, note = skill_request(self._home, name, words)
        if request is None:
            return False
        if note:
            self._screen.note(note)
        self._ask(request)
        return True

    def _ask(self, request: Request) -> None:
        from hermes.app.jobs import detach_worker

        turn = self._ready.get().ask(request, self._screen)
        self._tell_end(turn)
        detach_worker(self._home, self._call.environ)

    def _tell_end(self, turn: Turn) -> None:
        from hermes.records.turn import TurnEnd

        self._screen.fresh_line()
        if turn.answer.end is TurnEnd.INTERRUPTED:
            self._screen.note("stopped; what was done is recorded, and you can go on")
        elif turn.answer.end is not TurnEnd.ANSWERED:
            self._screen.complain(f"{turn.answer.end}: {turn.answer.reason}")

    def _skills(self) -> list[tuple[str, str]]:
        shown = [skill for skill in self._home.ledger.skills.all() if skill.is_shown]
        return [(skill.name, skill.description) for skill in sorted(shown, key=lambda s: s.name)]

    def _names(self) -> list[str]:
        return [*COMMANDS, *OWN, *(name for name, _ in self._skills())]

    def _waiting(self) -> int:
        return len(self._home.ledger.candidates.awaiting())

    def _above_prompt(self, line: str) -> None:
        self._screen.note(line)

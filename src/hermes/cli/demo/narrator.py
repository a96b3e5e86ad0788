"""Narrator: shows a command, runs it for real, and checks what is claimed about it."""

from __future__ import annotations

import io
import shlex
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import chdir, contextmanager, nullcontext, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from hermes.app import Home, agent_caller, manage_tool, open_home
from hermes.cli.exits import DONE
from hermes.cli.output import Output
from hermes.settings import load

if TYPE_CHECKING:
    from hermes.settings import Settings

SESSION = "session_demo"
_WIDTH = 88
_HEAD, _TAIL = 5, 4  # lines of a long text that are shown


class Narrator:
    """One page of output and the claims made on it."""

    def __init__(self, out: Output, home: Path) -> None:
        self.out = out
        self.environ = {"HERMES_HOME": str(home), "HOME": str(home)}
        self.skills = home / "skills"
        self.claims = 0
        self.broken: list[str] = []

    @property
    def settings(self) -> Settings:
        return load(self.environ)

    @contextmanager
    def open(self) -> Iterator[Home]:
        """The home as a program uses it, to look behind what the commands say."""
        with open_home(self.settings) as home:
            yield home

    def chapter(self, number: int, title: str, text: str) -> None:
        self.out.line()
        self.out.heading(f"{number}. {title}")
        self.say(text)

    def say(self, text: str) -> None:
        for line in textwrap.wrap(text, _WIDTH):
            self.out.line(line)

    def hermes(self, *words: str, cwd: Path | None = None) -> str:
        """Run one command as if it were typed, in that folder; what it printed."""
        from hermes.cli.main import main

        self.out.line()
        command = shlex.join(["hermes", *words])
        self.out.prompt(command)
        self.out.flush()
        page = _Page(self.out.results)
        where = nullcontext() if cwd is None else chdir(cwd)
        with redirect_stdout(page), redirect_stderr(page), where:
            ended = main(list(words), self.environ)
        self.claim(f"`{command}` is done", ended == DONE, aloud=False)
        return page.getvalue()

    def tool(self, action: str, *, asked: bool = False, **arguments: str) -> dict[str, Any]:
        """Call skill_manage as the agent does; `asked` says that the user wanted it."""
        shown = ", ".join(f"{name}={_brief(value)}" for name, value in arguments.items())
        self.out.line()
        sign = "agent, asked by the user>" if asked else "agent, on its own>"
        self.out.prompt(f"skill_manage({action!r}, {shown})", sign)
        with self.open() as home:
            caller = agent_caller(SESSION, requested_by_user=asked)
            answer = manage_tool(home)({"action": action, **arguments}, caller)
        ended = answer.get("state") or answer.get("error")
        hint = f" ({answer['hint']})" if answer.get("hint") else ""
        self.say(f"{ended}: {answer['message']}{hint}")
        return answer

    def excerpt(self, title: str, text: str) -> None:
        """The beginning and the end of a long text."""
        lines = text.splitlines()
        self.out.line()
        self.say(title)
        for line in (*lines[:_HEAD], f"… {len(lines) - _HEAD - _TAIL} lines …", *lines[-_TAIL:]):
            self.out.line(f"  {line[:_WIDTH]}")

    def edit(self, command: str, file: Path, text: str) -> None:
        """Change a file on disk the way a person would, with an editor or a shell."""
        self.out.line()
        self.out.prompt(command)
        file.write_text(text)

    def claim(self, text: str, holds: bool, *, aloud: bool = True) -> None:
        """Say something that has been checked; one that does not hold is told at the end too."""
        self.claims += 1
        if not holds:
            self.broken.append(text)
        if aloud or not holds:
            self.out.claim(text, holds)

    def text_of(self, name: str) -> str:
        """SKILL.md as it is on disk now; empty where there is none."""
        file = self.skills / name / "SKILL.md"
        return file.read_text() if file.exists() else ""


class _Page(io.StringIO):
    """What a command prints: shown as it comes, and kept to be looked at."""

    def __init__(self, shown: TextIO) -> None:
        super().__init__()
        self._shown = shown

    def write(self, text: str) -> int:
        self._shown.write(text)
        return super().write(text)

    def flush(self) -> None:
        self._shown.flush()

    def isatty(self) -> bool:
        return self._shown.isatty()

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._shown.encoding


def _brief(value: str) -> str:
    lines: Sequence[str] = value.splitlines()
    return repr(value) if len(lines) <= 1 else f"<{len(lines)} lines>"

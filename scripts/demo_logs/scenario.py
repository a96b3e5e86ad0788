"""A session before it is run: who asks what, and what the agent does about it.

Only the words and the commands are written down here. What a command printed, and whether it
worked, comes from running it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path

HERE = Path(__file__).parent


class Agent(StrEnum):
    CLAUDE_CODE = "claude-code"
    CODEX = "codex"


class CodexShell(StrEnum):
    """Codex has named and answered its shell tool in three ways; logs of all three are about."""

    ARGV = "shell"
    LINE = "shell_command"
    TERMINAL = "exec_command"


@dataclass(frozen=True, slots=True)
class Asks:
    """What the user types."""

    text: str


@dataclass(frozen=True, slots=True)
class Says:
    """What the agent answers."""

    text: str


@dataclass(frozen=True, slots=True)
class Thinks:
    """What the agent tells itself."""

    text: str


@dataclass(frozen=True, slots=True)
class Runs:
    """A shell command, and the few words an agent describes it with."""

    command: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Reads:
    """A whole file, through the agent's own reading tool."""

    path: str


@dataclass(frozen=True, slots=True)
class Writes:
    """A new file. Its text is a file of `programs/`: it is data here, not code of ours."""

    path: str
    program: str

    @property
    def text(self) -> str:
        return (HERE / "programs" / self.program).read_text(encoding="utf-8")


@dataclass(frozen=True, slots=True)
class Edits:
    """A piece of a file replaced by another; whole lines, so that a patch can say it too."""

    path: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Plans:
    """A list of things to do; the first `done` of them are ticked off."""

    items: tuple[str, ...]
    done: int = 0


@dataclass(frozen=True, slots=True)
class Delegates:
    """A question handed to a subagent, whose own acts become a log beside the main one."""

    what: str
    prompt: str
    acts: tuple[Says | Runs, ...]
    answer: str


@dataclass(frozen=True, slots=True)
class Abandons:
    """A branch that the user went back from: it stays in the log, and leads nowhere."""

    acts: tuple[Asks | Says | Reads | Runs, ...]


Act = Asks | Says | Thinks | Runs | Reads | Writes | Edits | Plans | Delegates | Abandons


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """`files`: a path in the workspace → the file of `inputs/` that lies there at the start."""

    name: str
    agent: Agent
    cwd: str
    started: datetime
    acts: tuple[Act, ...]
    files: Mapping[str, str] = field(default_factory=dict)
    shell: CodexShell = CodexShell.ARGV

"""A session as it is done: its words are written down, what a command printed is what it printed.

Commands run in a folder of their own; in the log that folder is the session's `cwd`.
"""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path

BEGAN = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)


class Kind(StrEnum):
    USER = "user"
    AGENT = "agent"
    RUN = "run"
    READ = "read"
    WRITE = "write"


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """`text` is what was said, run or written; `output` and `exit_code` are the tool's answer."""

    kind: Kind
    at: datetime
    text: str = ""
    path: str = ""
    output: str = ""
    exit_code: int = 0


class Session:
    """One conversation; each method adds what happened next."""

    def __init__(
        self,
        name: str,
        folder: Path,
        files: Mapping[str, str] | None = None,
        *,
        cwd: str = "",
        began: datetime = BEGAN,
    ) -> None:
        self.name = name
        self.cwd = cwd or f"/home/ann/{name}"
        self.acts: list[Act] = []
        self.began = began
        self._folder = folder / name
        self._folder.mkdir(parents=True)
        for path, text in (files or {}).items():
            self._put(path, text)

    def user(self, text: str) -> Session:
        return self._add(Kind.USER, text=text)

    def agent(self, text: str) -> Session:
        return self._add(Kind.AGENT, text=text)

    def runs(self, command: str) -> Session:
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self._folder,
            env={"PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=20,
            check=False,
        )
        output = done.stdout.decode("utf-8", "replace").replace(str(self._folder), self.cwd)
        return self.shows(command, output, done.returncode)

    def shows(self, command: str, output: str, exit_code: int = 0) -> Session:
        """A command with a made-up answer, where the real one cannot be had in a test."""
        return self._add(Kind.RUN, text=command, output=output, exit_code=exit_code)

    def reads(self, path: str) -> Session:
        text = (self._folder / path).read_text(encoding="utf-8")
        return self._add(Kind.READ, path=path, output=text)

    def writes(self, path: str, text: str) -> Session:
        self._put(path, text)
        return self._add(Kind.WRITE, path=path, text=text)

    def absolute(self, path: str) -> str:
        return f"{self.cwd}/{path}"

    def _put(self, path: str, text: str) -> None:
        file = self._folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def _add(
        self, kind: Kind, *, text: str = "", path: str = "", output: str = "", exit_code: int = 0
    ) -> Session:
        at = self.began + timedelta(seconds=5 * len(self.acts))
        act = Act(kind=kind, at=at, text=text, path=path, output=output, exit_code=exit_code)
        self.acts.append(act)
        return self

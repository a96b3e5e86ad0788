"""A home, and the `hermes` command called on it in this process."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from hermes import settings
from hermes.app import Home, open_home
from hermes.cli.main import main
from hermes.testing.homes import AGENT, ASKED, Desk, skill_text

ATTACK = "nice \x1b]0;owned\x07\x1b[31mred\u202egnp"
"""A description that would retitle the window, colour the screen and turn text around."""


@dataclass(frozen=True)
class Answer:
    """How a command ended and what it printed on each stream."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def rows(self) -> list[list[str]]:
        """The cells of a table, without its heading; cells are two spaces apart."""
        lines = self.out.splitlines()[1:]
        return [[cell.strip() for cell in line.split("  ") if cell.strip()] for line in lines]


class Shell:
    """Calls commands as a person would, and writes files as an editor would."""

    def __init__(self, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.root = root
        self.skills = root / "skills"
        self._capsys = capsys
        self._environ = {"HERMES_HOME": str(root), "HOME": str(root)}

    def __call__(self, *words: str, **environ: str) -> Answer:
        self._capsys.readouterr()
        code = main(list(words), {**self._environ, **environ})
        out, err = self._capsys.readouterr()
        return Answer(code, out, err)

    def open(self) -> Home:
        return open_home(settings.load(self._environ))

    def write(self, name: str, text: str | None = None, file: str = "SKILL.md") -> Path:
        """Put a file of a skill on disk by hand."""
        path = self.skills / name / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(skill_text(name.rpartition("/")[2]) if text is None else text)
        return path

    def agent(self, action: str, *, asked: bool = False, **arguments: Any) -> dict[str, Any]:
        """Call skill_manage; `asked` says that the user wanted it, so that it is live at once."""
        with self.open() as home:
            return Desk(home).manage(action, caller=ASKED if asked else AGENT, **arguments)

    def create(self, name: str, *, asked: bool = True, **text: str) -> dict[str, Any]:
        answer = self.agent("create", asked=asked, name=name, content=skill_text(name, **text))
        assert answer["success"], answer
        return answer


@pytest.fixture
def shell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(tmp_path / "home", capsys)

"""Somebody who has logs and wants to learn from them, with the `hermes` command in this process."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from hermes import settings
from hermes.app import Home, open_home
from hermes.cli.main import main


@dataclass(frozen=True)
class Answer:
    """How a command ended, and what it printed on each stream."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Learner:
    """One home; each call is a command as a person would type it."""

    def __init__(
        self, root: Path, capsys: pytest.CaptureFixture[str], database_url: str | None = None
    ) -> None:
        self.root = root
        self._capsys = capsys
        self.environ = {"HERMES_HOME": str(root), "HOME": str(root)}
        if database_url:
            self.environ["MEMORY_DB_URL"] = database_url

    def __call__(self, *words: str | Path) -> Answer:
        self._capsys.readouterr()
        code = main([str(word) for word in words], self.environ)
        out, err = self._capsys.readouterr()
        return Answer(code, out, err)

    def json(self, *words: str | Path) -> Any:
        """What a command answers to a program; it must not fail."""
        answer = self(*words, "--json")
        assert answer.code == 0, answer.err
        return answer.json

    def learn(self, *words: str | Path) -> Any:
        return self.json("learn", *words)

    def open(self) -> Home:
        return open_home(settings.load(self.environ))

    def files_of(self, candidate_id: str) -> dict[str, str]:
        """The folder that a draft proposes, as text."""
        with self.open() as home:
            candidate = home.ledger.candidate(candidate_id)
            version = home.ledger.versions.get(candidate.version_id)
            assert version is not None
            folder = home.ledger.versions.folder(version)
        return {path: file.data.decode() for path, file in folder.files.items()}


@pytest.fixture
def learner(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Learner:
    return Learner(tmp_path / "home", capsys)

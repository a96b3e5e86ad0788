"""Somebody who has logs and wants to learn from them, with the `hermes` command in this process."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from hermes import settings
from hermes.app import Home, open_home
from hermes.cli.main import main
from hermes.records.trajectory import Step, Trajectory
from hermes.store.tables.trajectory import TrajectoryTable
from hermes.testing.model_servers import Reply, ScriptedServer, openai_server
from hermes.testing.terminal import Terminal


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


class Chatter:
    """A person at a terminal, a project, a home, and a model that follows a script."""

    def __init__(self, root: Path) -> None:
        self.project = root / "project"
        self.project.mkdir()
        (self.project / "data.csv").write_text("id,amount\n1,50\n2,150\n3,200\n")
        self.environ = {"HERMES_HOME": str(root / "home"), "HOME": str(root)}
        self._open: list[Any] = []
        self.hermes("config", "set", "jobs.detach", "false")

    def hermes(self, *words: str) -> None:
        assert main(list(words), self.environ) == 0

    def serve(self, *replies: Reply) -> ScriptedServer:
        """The model from now on; what it was not asked for fails the test at its end."""
        server = openai_server(*replies)
        self._open.append(server.__enter__())
        self.hermes("model", "use", f"openai:scripted@{server.url}")
        return server

    def start(self, *words: str, **environ: str) -> Terminal:
        terminal = Terminal({**self.environ, **environ}, self.project, *words)
        self._open.append(terminal)
        return terminal

    def open(self) -> Home:
        return open_home(settings.load(self.environ))

    def runs(self) -> list[tuple[Trajectory, list[Step]]]:
        """Every run so far, oldest first."""
        with self.open() as home:
            table = TrajectoryTable(home.database)
            runs = sorted(table.page(), key=lambda run: run.started_at)
            return [(run, list(table.steps(run.id))) for run in runs]

    def close(self) -> None:
        while self._open:
            self._open.pop().__exit__(None, None, None)


@pytest.fixture
def chatter(tmp_path: Path) -> Iterator[Chatter]:
    made = Chatter(tmp_path)
    yield made
    made.close()

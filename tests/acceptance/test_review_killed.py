"""A worker that is killed in the middle of a review: taken up again, and nothing twice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hermes import settings
from hermes.app import Home, open_home
from hermes.cli.main import main
from hermes.records.trajectory import TrajectoryState
from hermes.store.tables.outbox import OutboxTable
from hermes.testing.homes import skill_text
from hermes.testing.looking_back import reviews_of
from hermes.testing.model_servers import Calls, Hangs, Says, ScriptedServer, openai_server

NAME = "listing-folders"
PATIENCE_S = 120.0


def _manage(action: str, **arguments: str) -> Calls:
    return Calls("skill_manage", {"action": action, "name": NAME, **arguments})


def _worker(environ: dict[str, str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "hermes", "worker", "--until-idle"],
        env={**os.environ, **environ},
        start_new_session=True,
    )


def _wait_until_asked(server: ScriptedServer, times: int) -> None:
    end = time.monotonic() + PATIENCE_S
    while len(server.asked) < times:
        assert time.monotonic() < end, f"{len(server.asked)} requests came, {times} should have"
        time.sleep(0.05)


def _open(environ: dict[str, str]) -> Home:
    return open_home(settings.load(environ))


def test_a_review_survives_its_worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = tmp_path / "project"
    project.mkdir()
    monkeypatch.chdir(project)
    environ = {"HERMES_HOME": str(tmp_path / "home"), "HOME": str(tmp_path)}
    main(["config", "set", "jobs.detach", "false"], environ)
    main(["config", "set", "skills.creation_nudge_interval", "1"], environ)
    draft = skill_text(NAME, body="1. Use list_files.\n2. Check hidden files too.")
    replies = [
        Calls("list_files", {}),
        Says("Nothing is here."),
        _manage("create", content=draft),
        Hangs(),  # and here the worker dies
        _manage("create", content=draft),
        _manage("patch", old_string="hidden files too", new_string="hidden files first"),
        Says("One draft."),
    ]
    with openai_server(*replies) as server:
        model = f"openai:scripted@{server.url}"
        assert main(["run", "what is here?", "--model", model], environ) == 0
        killed = _worker(environ)
        _wait_until_asked(server, 4)
        os.killpg(killed.pid, signal.SIGKILL)
        killed.wait()
        assert _worker(environ).wait(PATIENCE_S) == 0
    with _open(environ) as home:
        first, second = reviews_of(home)
        assert first[0].id == second[0].id
        assert first[1].state is TrajectoryState.INTERRUPTED
        assert second[1].state is TrajectoryState.FINISHED
        again = [step for step in second[2] if "error" in step.metadata]
        assert [step.metadata["error"] for step in again] == [False, False]
        (candidate,) = home.ledger.candidates.awaiting()
        version = home.ledger.version(candidate.version_id)
        folder = home.ledger.versions.folder(version)
        assert b"hidden files first" in folder.files["SKILL.md"].data
        assert OutboxTable(home.database).count() == 0

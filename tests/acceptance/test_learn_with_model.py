"""`hermes learn` with a configured model over HTTP: its words, and what stands without them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from hermes.cli.main import main
from hermes.testing.model_servers import Fails, Says, ScriptedServer, openai_server

LOGS = Path(__file__).parents[2] / "src/hermes/cli/demo/logs/claude-code/projects"


class Learner:
    """A home with one person's logs, and the model it is configured with."""

    def __init__(self, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
        shutil.copytree(LOGS, home / "logs")
        self._home = home
        self._capsys = capsys

    def __call__(self, server: ScriptedServer | None, *words: str) -> Any:
        environ = {"HERMES_HOME": str(self._home), "HOME": str(self._home)}
        if server is not None:
            environ["DEFAULT_MODEL"] = f"openai:scripted@{server.url}"
        self._capsys.readouterr()
        assert main([*words, "--json"], environ) == 0
        return json.loads(self._capsys.readouterr().out)

    def learn(self, server: ScriptedServer | None) -> Any:
        return self(server, "learn", str(self._home / "logs"))["learned"]["lines"]


def words_for(asked: dict[str, Any]) -> str:
    """An answer that fits the procedure which the request tells of."""
    facts = json.loads(asked["messages"][-1]["content"])
    return json.dumps(
        {
            "title": "Written by the model",
            "description": "Does what it was shown. Use when the same is asked for again.",
            "goal": "The same result, every time.",
            "when_to_use": ["The same is asked for."],
            "steps": ["Do this part with care." for _ in facts["steps"]],
        }
    )


def test_the_words_are_the_models_and_a_failing_model_costs_no_draft(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = Learner(tmp_path / "plain", capsys).learn(None)
    drafts = [line["skill_name"] for line in plain if line["candidate_id"]]
    assert drafts
    with openai_server(*[Fails(400, "not today")] * len(drafts)) as server:
        failing = Learner(tmp_path / "failing", capsys).learn(server)
    assert [line["skill_name"] for line in failing if line["candidate_id"]] == drafts
    with openai_server(*[Says(words_for(one)) for one in server.asked]) as server:
        learner = Learner(tmp_path / "written", capsys)
        (first, *_) = (line for line in learner.learn(server) if line["candidate_id"])
    assert first["skill_name"] == drafts[0]
    shown = json.dumps(learner(None, "review", "show", first["candidate_id"]))
    assert "Do this part with care." in shown

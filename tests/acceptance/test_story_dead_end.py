"""A story: a dead end met once is written into the skill, and the next run does not meet it."""

from __future__ import annotations

from pathlib import Path

import pytest

from hermes.app.agent import AgentOptions, Request, open_agent
from hermes.records.turn import Turn
from hermes.records.waiting import ReviewKind
from hermes.store.tables.trajectory import TrajectoryTable
from hermes.testing.agents import Answers, Watcher
from hermes.testing.model_servers import Calls, Says, ScriptedServer, openai_server

from .conftest import Learner

NAME = "site-build"
BEFORE = "Run `sh build.sh` in the project."
AFTER = "Run `sh build.sh --theme light` in the project. Without a theme it gives up: two match."
SKILL = f"""---
name: {NAME}
description: Build the web site. Use when the site is to be built.
---

# Build the site

{BEFORE}
"""
SCRIPT = """test "$1" = --theme || { echo "Error: two themes match, name one of them" >&2; exit 2; }
echo "built with $2" > site.html
"""
VIEW = Calls("skill_view", {"name": NAME})
PATCH = Calls(
    "skill_manage", {"action": "patch", "name": NAME, "old_string": BEFORE, "new_string": AFTER}
)


@pytest.fixture
def project(learner: Learner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a build script, and a skill that knows only half of it."""
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "build.sh").write_text(SCRIPT)
    monkeypatch.chdir(folder)
    live = learner.root / "skills" / NAME
    live.mkdir(parents=True)
    (live / "SKILL.md").write_text(SKILL)
    learner("config", "set", "jobs.detach", "false")
    return folder


def test_a_dead_end_is_patched_into_the_skill_and_not_tried_again(
    learner: Learner, project: Path
) -> None:
    with openai_server(
        VIEW,
        Calls("shell", {"command": "sh build.sh"}),
        Calls("shell", {"command": "sh build.sh --theme light"}),
        PATCH,
        Says("Built. The skill now names the theme."),
        VIEW,
        Calls("shell", {"command": "sh build.sh --theme light"}),
        Says("Built at once."),
        VIEW,
        Says("I looked only."),
        VIEW,
        Calls("shell", {"command": "sh build.sh --theme light"}),
        Says("Built at once, in another session."),
    ) as server:
        learner("model", "use", f"openai:scripted@{server.url}")
        first, _ = _asked_twice(learner, project)
        assert ReviewKind.SKILL in first.reviews, "a skill was found wrong: somebody looks back"
        assert AFTER in _last_told(server, 6), "the session that wrote the patch has it at once"

        assert learner("run", "build the site").code == 0
        assert AFTER not in _last_told(server, 9), "nobody else has it before a person approved"
        (waiting,) = learner.json("review", "list")
        assert learner("review", "approve", waiting["id"], "--by", "ana").code == 0

        assert learner("run", "build the site", "--expect", "site.html").code == 0
        assert AFTER in _last_told(server, 11)
    assert (project / "site.html").read_text() == "built with light\n"
    assert _failed_calls(learner) == [1, 0, 0, 0], "the dead end was met once"


def _failed_calls(learner: Learner) -> list[int]:
    """Of each run, the oldest first."""
    with learner.open() as home:
        runs = TrajectoryTable(home.database).page_of_work("")
        return [run.summary.error_count if run.summary else -1 for run in runs]


def _asked_twice(learner: Learner, project: Path) -> tuple[Turn, Turn]:
    """Two requests of one session, as in a conversation."""
    with learner.open() as home:
        session = open_agent(home, AgentOptions(project=project), Answers())
        try:
            first = session.ask(Request(text="build the site", fresh=True), Watcher())
            again = session.ask(Request(text="build the site again", fresh=True), Watcher())
        finally:
            session.close()
    return first, again


def _last_told(server: ScriptedServer, number: int) -> str:
    """The last message of a request: what the tool before it answered."""
    return str(server.asked[number]["messages"][-1])

"""A story: a method told once in words is the user's own skill, and is applied the next time."""

from __future__ import annotations

from pathlib import Path

import pytest

from hermes.records.scope import PERSONAL
from hermes.store.tables.trajectory import TrajectoryTable
from hermes.store.tables.use import UseTable
from hermes.testing.model_servers import Calls, Says, openai_server

from .conftest import Learner

TAUGHT = (
    "When I research a question I first write down what would change my mind, then read two "
    "primary sources before any summary, and I end with what is still unknown. "
    "Save this as a skill."
)
METHOD = """---
name: research-a-question
description: Research a question by primary sources. Use when a question is to be researched.
---

# Research a question

1. Write down what would change the answer.
2. Read two primary sources before any summary.
3. End with what is still unknown.
"""
NAME = "research-a-question"


def test_a_method_told_in_words_is_live_unproven_and_applied(
    learner: Learner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    learner("config", "set", "jobs.detach", "false")
    create = {"action": "create", "name": NAME, "content": METHOD}
    with openai_server(
        Calls("skill_manage", create),
        Says("I saved it as research-a-question."),
        Calls("skill_view", {"name": NAME}),
        Says("Two primary sources agree; what is unknown is the sample."),
    ) as server:
        learner("model", "use", f"openai:scripted@{server.url}")
        assert learner("run", TAUGHT).code == 0
        shown = learner.json("skills", "show", NAME)
        assert (shown["state"], shown["marks"]) == ("live", ["unproven"])
        assert shown["origin"] == "requested_by_user"
        asked = learner.json("run", "research whether short naps help people to learn")
        offered, told = (str(request["messages"]) for request in server.asked[2:])
    assert NAME in offered, "the catalogue of the next run names it"
    assert "Read two primary sources before any summary." not in offered
    assert "Read two primary sources before any summary." in told
    with learner.open() as home:
        skill = home.ledger.skills.named(NAME, PERSONAL)
        run = TrajectoryTable(home.database).get(asked["trajectory"])
        assert skill is not None
        assert run is not None
        (use,) = UseTable(home.database).of_task(run.task_id)
        assert use.skill_id == skill.id
    assert (learner.root / "skills" / NAME / "SKILL.md").read_text() == METHOD


def test_a_method_that_nobody_asked_to_save_waits_for_a_person(
    learner: Learner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    learner("config", "set", "jobs.detach", "false")
    create = {"action": "create", "name": NAME, "content": METHOD}
    with openai_server(Calls("skill_manage", create), Says("Done.")) as server:
        learner("model", "use", f"openai:scripted@{server.url}")
        assert learner("run", TAUGHT.replace("Save this as a skill.", "Research naps.")).code == 0
    assert [one["skill_name"] for one in learner.json("review", "list")] == [NAME]
    assert not (learner.root / "skills" / NAME).exists()

"""A story: the same kind of work done three times becomes a skill that one command applies."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pexpect
import pytest

from hermes.records.example import ExampleStatus
from hermes.records.scope import PERSONAL
from hermes.store.tables.trajectory import TrajectoryTable
from hermes.store.tables.use import UseTable
from hermes.testing.agents import run_of
from hermes.testing.model_servers import Calls, Reply, Says, ScriptedServer, openai_server
from hermes.testing.pull_requests import PullRequests

from .conftest import Learner

SKILL = "review-pr-ci-status"
ASKED = {
    41: "review PR 41: check the CI status, summarize the diff, flag style violations and post "
    "review comments",
    42: "please review PR 42: check CI status, summarize the diff, flag style violations, post "
    "review comments",
    43: "review PR 43 for me: CI status, summary of the diff, style violations, then post the "
    "review comments",
}
WRITTEN = {
    "title": "Review a pull request",
    "description": "Reviews a pull request: CI, diff, style, comment. Use when one is to be "
    "reviewed.",
    "goal": "A review is posted that says how the CI stands, what changes and what offends style.",
    "when_to_use": ["A pull request is to be reviewed."],
    "steps": [
        "See whether the CI is green.",
        "Read what changes.",
        "Look for violations of style.",
        "Post the review.",
    ],
}


def steps_of(number: int, review: str) -> list[Reply]:
    """How an agent without a skill reviews a pull request."""
    commands = [*(f"tools/pr {act} {number}" for act in ("checks", "diff", "style"))]
    commands.append(f"tools/pr comment {number} '{review}'")
    calls: list[Reply] = [Calls("shell", {"command": command}) for command in commands]
    return [*calls, Says(f"The CI of {number} is green. {review}")]


def in_one_call(number: int, review: str) -> list[Reply]:
    """How one that has the skill does it."""
    program = f"skill_{SKILL.replace('-', '_')}"
    values = {"value": number, "value_2": review}
    return [Calls(program, values), Says(f"I posted the review of {number}.")]


class Conversation:
    """`hermes` in a terminal of its own, and a person who reads before typing."""

    def __init__(self, learner: Learner, project: Path) -> None:
        environ = {**os.environ, **learner.environ, "TERM": "xterm"}
        self._terminal = pexpect.spawn(
            sys.executable,
            ["-m", "hermes"],
            cwd=str(project),
            env=environ,
            encoding="utf-8",
            timeout=90,
            dimensions=(50, 160),
        )
        self.sees("hermes>")

    def types(self, line: str) -> None:
        self._terminal.send(f"{line}\r")

    def sees(self, *texts: str) -> None:
        for text in texts:
            self._terminal.expect_exact(text)

    def leaves(self) -> None:
        self.types("/quit")
        self._terminal.expect(pexpect.EOF)
        self._terminal.close()
        assert self._terminal.exitstatus == 0


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PullRequests:
    host = PullRequests(tmp_path / "shop", *range(41, 46))
    monkeypatch.chdir(host.root)
    return host


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    """The draft is written in the model's words as soon as there are three runs."""
    with openai_server(
        *steps_of(41, "Adds a price. Nothing offends."),
        *steps_of(42, "The new price is fine, but wants a test."),
        *steps_of(43, "Looks good to me."),
        Says(json.dumps(WRITTEN)),
        *in_one_call(44, "A price without a test."),
        *in_one_call(45, "Short and clear."),
    ) as server:
        yield server


def test_the_third_review_makes_a_draft_and_its_approval_a_command(
    learner: Learner, host: PullRequests, server: ScriptedServer
) -> None:
    assert learner("model", "use", f"openai:scripted@{server.url}").code == 0
    _reviewed_twice(learner, host)

    chat = Conversation(learner, host.root)
    chat.types(ASKED[43])
    chat.sees("Looks good to me.", "1 draft awaits review: /review")
    assert host.review_of(43) == "Looks good to me.\n"

    chat.types("/review")
    chat.sees(SKILL, "review PR 41", "please review PR 42", "review PR 43", "/review approve")
    chat.types(f"/{SKILL} 44")
    chat.sees("this is a trial of it", "I posted the review of 44.")
    assert host.review_of(44) == "A price without a test.\n"

    chat.types("/review approve")
    chat.sees("who decides this?")
    chat.types("ana")
    chat.sees(f"{SKILL} version 1 is live", "fewer")
    chat.types(f"/{SKILL} 45")
    chat.sees("I posted the review of 45.")
    chat.leaves()
    assert host.review_of(45) == "Short and clear.\n"
    _learned_to_the_end(learner)
    _is_recorded(learner)


def _reviewed_twice(learner: Learner, host: PullRequests) -> None:
    learner("config", "set", "jobs.detach", "false")  # so that the test says when it is learned
    for number in (41, 42):
        ran = learner("run", ASKED[number], "--verify", f"test -s reviews/{number}.md")
        assert (ran.code, "draft" in ran.out + ran.err) == (0, False)
        assert learner("worker", "--until-idle").code == 0
        assert host.review_of(number) is not None
    assert learner.json("review", "list") == []
    learner("config", "set", "jobs.detach", "true")


def _is_recorded(learner: Learner) -> None:
    """The trial as a trial, the live run as a Use, the approval with what it lacked."""
    with learner.open() as home:
        skill = home.ledger.skills.named(SKILL, PERSONAL)
        assert skill is not None
        runs = TrajectoryTable(home.database).page_of_work("")
        first = [run_of(home, run.id)[1][0].metadata for run in runs]
        assert [(one.get("called"), one.get("trial")) for one in first] == [
            *[(None, None)] * 3,
            (SKILL, True),
            (SKILL, None),
        ]
        uses = [UseTable(home.database).of_task(run.task_id) for run in runs]
        assert [[use.skill_id for use in one] for one in uses] == [[], [], [], [], [skill.id]]
        reviewed = home.ledger.examples.page(ExampleStatus.APPROVED, "")
        assert [one.reviewer for one in reviewed] == ["ana"] * 3
    (released,) = [one for one in learner.json("events") if one["kind"] == "release.activated"]
    said = released["data"]
    assert (said["by"], said["approved_examples"], said["min_examples"]) == ("ana", 3, 5)


def _learned_to_the_end(learner: Learner) -> None:
    """Nothing of the conversation goes on behind the test's back."""
    for _ in range(60):
        if "another worker" not in learner("worker", "--until-idle").err:
            return
        time.sleep(1)
    raise AssertionError("a worker does not come to an end")

"""Looks back are kept apart from work; the uses of skills are shown where one looks for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from hermes.app.agent import Request
from hermes.app.learn import learning_of
from hermes.app.past_work import open_past_work
from hermes.app.settling import uses_in
from hermes.app.skills import skill_search
from hermes.records.use import Outcome
from hermes.testing.agents import Call, ScriptedAgent, Watcher, session_of
from hermes.testing.homes import Desk, skill_text
from hermes.testing.looking_back import look_back, reviews_of, work_done

from .conftest import Learner

NAME = "csv-totals"


@pytest.fixture
def learned(learner: Learner, tmp_path: Path) -> tuple[str, str]:
    """A home with one run and one look back at it: their ids."""
    with learner.open() as home:
        turn = work_done(home, tmp_path / "project")
        look_back(home, turn, "Nothing about zanzibar.")
        ((_, run, _),) = reviews_of(home)
    return turn.trajectory_id, run.id


def test_looks_back_are_listed_only_when_asked_for(
    learner: Learner, learned: tuple[str, str]
) -> None:
    work, review = learned

    def listed(*options: str) -> list[str]:
        found = learner.json("trajectories", "list", *options)
        return [one["trajectory"]["id"] for one in found]

    assert listed() == [work]
    assert listed("--reviews") == [work, review]
    assert learner("trajectories", "show", review).code == 0
    assert review in learner("trajectories", "list", "--reviews").out


def test_a_look_back_cannot_be_rated(learner: Learner, learned: tuple[str, str]) -> None:
    answer = learner("rate", learned[1], "up", "--by", "ana")
    assert answer.code == 1
    assert "is a look back at other work" in answer.err


def test_past_work_has_no_looks_back_in_it(learner: Learner, learned: tuple[str, str]) -> None:
    with learner.open() as home:
        past = open_past_work(home, semantic=False)
        past.catch_up(seconds=30)
    assert "zanzibar" not in learner("trajectories", "search", "zanzibar").out
    assert learned[0] in learner("trajectories", "search", "amount above rows").out


def test_learning_after_a_broken_off_call_leaves_looks_back_alone(
    learner: Learner, learned: tuple[str, str], tmp_path: Path
) -> None:
    """That call learns from every run there is."""
    with learner.open() as home:
        (home.settings.paths.data_dir / "learning").touch()
    (tmp_path / "empty").mkdir()
    learner("learn", tmp_path / "empty")
    rows = learner.json("trajectories", "list", "--reviews")
    read = {one["trajectory"]["id"]: one["observation"] is not None for one in rows}
    assert read == {learned[0]: True, learned[1]: False}


def test_uses_are_shown_with_the_run_and_with_the_skill(learner: Learner, tmp_path: Path) -> None:
    with learner.open() as home:
        text = skill_text(NAME, description="Sum a column of a CSV. Use when totals are wanted.")
        Desk(home).manage("create", name=NAME, content=text)
        skill_search(home).embed_missing()
        agent = ScriptedAgent(Call("skill_view", {"name": NAME}), "The total is 7.")
        session = session_of(home, agent, tmp_path / "project")
        turn = session.ask(Request(text="total of the amounts in sales.csv?"), Watcher())
        session.close()
    shown = learner("trajectories", "show", turn.trajectory_id).out
    assert f"{NAME}: not settled yet (relevance" in shown
    with learner.open() as home:
        learning_of(home).learn([turn.trajectory_id])
    learner("rate", turn.trajectory_id, "up", "--by", "ana")
    shown = learner("trajectories", "show", turn.trajectory_id).out
    assert f"{NAME}: success, " in shown
    assert "tokens (relevance" in shown
    why = learner("skills", "why", NAME).out
    assert "used by 1 task: 1 went well, 0 did not, so at least 21% do" in why
    assert f"{turn.trajectory_id} on " in why
    learner("rate", turn.trajectory_id, "down", "--by", "ana")
    (use,) = learner.json("skills", "why", NAME)["uses"]
    assert use["outcome"] == "failure"
    assert learner.json("trajectories", "show", turn.trajectory_id)["uses"] == [use]
    with learner.open() as home:
        (kept,) = uses_in(home).of_task(turn.task_id)
    assert kept.outcome is Outcome.FAILURE

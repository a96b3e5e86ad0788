"""What people say of examples and drafts decides what is proposed next."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hermes.testing.homes import Place
from hermes.testing.sessions.city_counts import begun, city_count, counted
from hermes.testing.sessions.logs import claude_code

from .conftest import Learner


def logs(tmp_path: Path, *numbers: int) -> Path:
    for number in numbers:
        claude_code(city_count(number, tmp_path / "work"), tmp_path / "logs")
    return tmp_path / "logs"


def only_line(report: dict[str, Any]) -> dict[str, Any]:
    (line,) = report["learned"]["lines"]
    return dict(line)


def test_two_runs_are_no_draft_and_three_are(learner: Learner, tmp_path: Path) -> None:
    line = only_line(learner.learn(logs(tmp_path, 0, 1)))
    assert (line["candidate_id"], "2 of 3" in line["reason"]) == (None, True)
    assert only_line(learner.learn(logs(tmp_path, 2)))["state"] == "awaiting_review"


def test_a_rejected_draft_is_not_sent_again_for_each_further_run(
    learner: Learner, tmp_path: Path
) -> None:
    first = only_line(learner.learn(logs(tmp_path, 0, 1, 2)))
    rejected = learner(
        "review", "reject", first["candidate_id"], "--by", "ana", "--reason", "not useful"
    )
    assert rejected.code == 0, rejected.err
    line = only_line(learner.learn(logs(tmp_path, 3, 4)))
    assert line["candidate_id"] is None
    assert "was rejected; it takes 1 more" in line["reason"]
    assert only_line(learner.learn(logs(tmp_path, 5)))["state"] == "awaiting_review"


def test_a_rejected_example_leaves_the_pattern_and_the_next_draft(
    learner: Learner, tmp_path: Path
) -> None:
    learner.learn(logs(tmp_path, 0, 1, 2, 3))
    example = learner.json("examples", "list")[0]["id"]
    said = ("--by", "ana", "--reason", "wrong column")
    assert learner("examples", "reject", example, *said).code == 0
    (pattern,) = learner.json("patterns", "list")
    assert example not in pattern["example_ids"]
    line = only_line(learner.learn(logs(tmp_path, 4)))
    procedure = learner.files_of(line["candidate_id"])["references/procedure.json"]
    assert example not in procedure
    assert line["examples"] == 4


def test_further_runs_improve_the_skill_and_a_persons_edit_stays(
    learner: Learner, tmp_path: Path
) -> None:
    folder = logs(tmp_path, 0, 1, 2, 3, 4)
    line = only_line(learner.learn(folder, "--approve-successes", "--by", "ana"))
    assert {one["status"] for one in learner.json("examples", "list")} == {"approved"}
    approved = learner("review", "approve", line["candidate_id"], "--by", "ana")
    assert approved.code == 0, approved.err
    live = learner.root / "skills" / line["skill_name"] / "SKILL.md"
    assert live.is_file()
    again = only_line(learner.learn(logs(tmp_path, 5)))
    assert again["skill_name"] in (None, line["skill_name"]), "never a second skill for it"
    edited = live.read_text() + "\nAsk for the year first.\n"
    live.write_text(edited)
    assert learner("skills", "list").code == 0
    after = only_line(learner.learn(logs(tmp_path, 6)))
    assert after["candidate_id"] is None
    assert "a person wrote" in after["reason"]
    assert live.read_text() == edited
    assert len(learner.json("skills", "list")["skills"]) == 1


def test_a_bad_rating_takes_a_run_out_of_what_is_learned(learner: Learner, tmp_path: Path) -> None:
    folder = logs(tmp_path, 0, 1)
    learner.learn(folder)
    run = learner.json("examples", "list")[0]["trajectory_id"]
    assert learner("rate", run, "down", "--by", "ana").code == 0
    line = only_line(learner.learn(logs(tmp_path, 2)))
    assert line["candidate_id"] is None, "two good runs are left"
    assert "2 of 3" in line["reason"]


@pytest.mark.parametrize("words", ["No, that is wrong, the city is the third column.", "Useless!"])
def test_a_run_that_the_user_was_not_content_with_is_no_example(
    learner: Learner, tmp_path: Path, words: str
) -> None:
    session = counted(begun(0, tmp_path / "work"))
    session.agent("The counts are written.").user(words)
    claude_code(session, tmp_path / "logs")
    report = learner.learn(logs(tmp_path, 1, 2))
    assert (report["learned"]["failures"], report["learned"]["kept"]) == (1, 2)


def test_both_databases_learn_the_same(
    place: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    learner = Learner(place.root, capsys, place.database_url)
    line = only_line(learner.learn(logs(tmp_path, 0, 1, 2, 3)))
    assert (line["skill_name"], line["examples"]) == ("csv-count-orders-city", 4)
    assert (line["state"], line["score"]) == ("awaiting_review", 1.0)
    assert learner.learn(tmp_path / "logs")["learned"]["tasks"] == 0
    (pattern,) = learner.json("patterns", "list")
    assert len(pattern["example_ids"]) == 4

"""Who asks for the same again improves the skill there is; who asks for another thing does not."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

from hermes.testing.sessions.city_counts import NAMES, city_count, table_of
from hermes.testing.sessions.doing import BEGAN, Session
from hermes.testing.sessions.logs import claude_code

from .conftest import Learner


def logs(tmp_path: Path, *sessions: Session) -> Path:
    for session in sessions:
        claude_code(session, tmp_path / "logs")
    return tmp_path / "logs"


def counts(tmp_path: Path, *numbers: int) -> Path:
    return logs(tmp_path, *(city_count(number, tmp_path / "work") for number in numbers))


def sorted_orders(number: int, folder: Path) -> Session:
    """The same table, the same tools, another thing that is wanted."""
    name = NAMES[number]
    path, report = f"data/{name}.csv", f"reports/{name}_largest.csv"
    began = BEGAN + timedelta(days=number)
    session = Session(name, folder, {path: table_of(number)}, began=began)
    session.user(f"Sort {path} by amount, the largest first, and save the sorted rows as {report}")
    session.agent("I look at the table first.").runs("ls data").reads(path)
    session.agent("The amount is the third column.")
    session.runs(f"mkdir -p reports && tail -n +2 {path} | sort -t, -k3 -rn > {report}")
    session.runs(f"cat {report}").runs(f"test -s {report} && echo ok")
    session.agent(f"The sorted rows are in {report}.").user("Perfect, thanks!")
    return session.agent("You're welcome.")


def skills_drafted(learner: Learner) -> set[str]:
    return {one["skill_name"] for one in learner.json("review", "list")}


def pattern_with(learner: Learner, example_id: str) -> dict[str, Any] | None:
    found = [one for one in learner.json("patterns", "list") if example_id in one["example_ids"]]
    return found[0] if found else None


def test_the_same_request_again_is_no_second_skill(learner: Learner, tmp_path: Path) -> None:
    (line,) = learner.learn(counts(tmp_path, 0, 1, 2))["learned"]["lines"]
    before = {one["id"] for one in learner.json("examples", "list")}
    (again,) = learner.learn(counts(tmp_path, 4))["learned"]["lines"]  # worded as number 0 was
    assert again["skill_name"] in (None, line["skill_name"])
    assert skills_drafted(learner) == {line["skill_name"]}
    (new,) = {one["id"] for one in learner.json("examples", "list")} - before
    pattern = pattern_with(learner, new)
    assert pattern is not None
    assert len(pattern["example_ids"]) == 4
    assert f"3 of them taught the skill {line['skill_name']}" in pattern["reason"]
    assert pattern["reason"].endswith("1 more asks for the same")


def test_a_request_that_is_only_similar_stays_new(learner: Learner, tmp_path: Path) -> None:
    (line,) = learner.learn(counts(tmp_path, 0, 1, 2))["learned"]["lines"]
    before = {one["id"] for one in learner.json("examples", "list")}
    folder = logs(tmp_path, *(sorted_orders(number, tmp_path / "work") for number in (3, 5, 6)))
    learner.learn(folder)
    new = {one["id"] for one in learner.json("examples", "list")} - before
    assert len(new) == 3
    pattern = pattern_with(learner, min(before))
    assert pattern is not None
    assert set(pattern["example_ids"]) == before
    assert line["skill_name"] in skills_drafted(learner)
    assert len(skills_drafted(learner)) == 2


def test_a_run_rated_down_leaves_its_pattern_and_rated_up_comes_back(
    learner: Learner, tmp_path: Path
) -> None:
    learner.learn(counts(tmp_path, 0, 1, 2, 3))
    (pattern,) = learner.json("patterns", "list")
    one = learner.json("examples", "list")[0]
    assert learner("rate", one["trajectory_id"], "down", "--by", "ana").code == 0
    (left,) = learner.json("patterns", "list")
    assert set(left["example_ids"]) == set(pattern["example_ids"]) - {one["id"]}
    assert learner("rate", one["trajectory_id"], "up", "--by", "ana").code == 0
    (back,) = learner.json("patterns", "list")
    assert set(back["example_ids"]) == set(pattern["example_ids"])

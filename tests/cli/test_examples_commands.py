"""`hermes examples` and `hermes patterns`: what is learned from, and what people say of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hermes.app.examples import example_desk, pattern_book
from hermes.records.candidate import Evidence
from hermes.records.example import Example
from hermes.testing import samples

from .conftest import Shell

BY = ("--by", "ana")
FILE = {
    "task": "summarize on-call incidents",
    "status": "approved",
    "inputs": {"timeWindow": "24h", "sources": ["pagerduty", "slack", "github"]},
    "notes": "Good example because it included impact, owner, and next action.",
}


def kept(shell: Shell, task: str = "tidy a.csv") -> Example:
    with shell.open() as home:
        return example_desk(home).add({"task": task}, samples.APPROVAL)


def patterned(shell: Shell) -> list[Example]:
    """Three examples of one intent, placed where nothing has to be embedded: by hand."""
    made = [kept(shell, f"remove the duplicate rows of {name}.csv") for name in "abc"]
    with shell.open() as home, home.database.transaction():
        book = pattern_book(home)
        for one in made:
            book.clusters.put(one.id, "pattern_0c8xk2", b"\0\0\x80?")
        book.clusters.save("pattern_0c8xk2", 3, b"\0\0\x40@")
        book.refresh(["pattern_0c8xk2"])
    return made


def write(tmp_path: Path, content: Any) -> str:
    path = tmp_path / "example.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return str(path)


def test_nothing_yet(shell: Shell) -> None:
    assert shell("examples", "list").out.startswith("nothing is kept to learn from yet")
    assert shell("examples", "list", "--json").json == []
    assert shell("patterns", "list").out == "no two examples ask for the same thing yet\n"
    assert shell("patterns", "list", "--json").json == []


def test_a_file_becomes_an_example(shell: Shell, tmp_path: Path) -> None:
    answer = shell("examples", "add", write(tmp_path, FILE), *BY, "--json")
    assert answer.code == 0
    assert answer.json["inputs"] == FILE["inputs"]
    assert answer.json["reviewer"] == "ana"
    (row,) = shell("examples", "list").rows
    assert row[:3] == [answer.json["id"], "approved", "ana"]
    shown = shell("examples", "show", answer.json["id"]).out
    for said in (FILE["notes"], "written down by a person", "none: nothing like it yet"):
        assert str(said) in shown, said


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ({"task": "x", "status": "great"}, "status: expected one of"),
        ({"notes": "x"}, "task: it is missing"),
        ({"task": "x", "colour": 1}, "colour: no such field"),
        ("{", "is not JSON"),
    ],
)
def test_a_wrong_file_is_refused_with_the_field(
    shell: Shell, tmp_path: Path, content: Any, said: str
) -> None:
    answer = shell("examples", "add", write(tmp_path, content))
    assert answer.code == 1
    assert said in answer.err
    assert shell("examples", "list", "--json").json == []


def test_a_file_that_is_not_there(shell: Shell, tmp_path: Path) -> None:
    answer = shell("examples", "add", str(tmp_path / "nothing.json"))
    assert answer.code == 1
    assert "nothing.json" in answer.err


def test_a_review_can_be_changed_and_leaves_a_trace(shell: Shell) -> None:
    made = patterned(shell)
    one = made[0].id
    answer = shell("examples", "reject", one, *BY, "--reason", "wrong totals")
    assert answer.out == f"{one} is rejected by ana: wrong totals\n"
    members = shell("patterns", "show", "pattern_0c8xk2", "--json").json["pattern"]["example_ids"]
    assert members == [other.id for other in made[1:]]
    again = shell("examples", "approve", one, "--by", "bo", "--note", "right after all", "--json")
    assert (again.json["status"], again.json["reviewer"]) == ("approved", "bo")
    members = shell("patterns", "show", "pattern_0c8xk2", "--json").json["pattern"]["example_ids"]
    assert members == [other.id for other in made]
    trail = shell("events").out
    assert f"ana rejected example {one} (remove the duplicate rows of a.csv): wrong totals" in trail
    assert f"bo approved example {one}" in trail


def test_a_review_needs_a_reason(shell: Shell) -> None:
    one = patterned(shell)[0].id
    assert shell("examples", "reject", one, *BY).code == 2
    assert shell("examples", "approve", one, "--note", "x").code == 2
    assert shell("examples", "approve", "example_none", *BY, "--note", "x").code == 1


def test_only_one_status_is_listed(shell: Shell) -> None:
    made = patterned(shell)
    shell("examples", "reject", made[1].id, *BY, "--reason", "no")
    listed = shell("examples", "list", "--status", "rejected", "--json").json
    assert [one["id"] for one in listed] == [made[1].id]


def test_a_pattern_says_why_and_what_came_of_it(shell: Shell) -> None:
    made = patterned(shell)
    (row,) = shell("patterns", "list").rows
    assert row[:2] == ["pattern_0c8xk2", "3"]
    shown = shell("patterns", "show", "pattern_0c").out
    assert "share the words duplicate, remove, rows" in shown
    assert "nothing yet" in shown
    with shell.open() as home:
        skill = samples.skill(name="tidy-csv")
        version = samples.version(skill.id)
        home.ledger.skills.add(skill)
        home.ledger.versions.add(version, samples.FOLDER.contents())
        evidence = Evidence(example_ids=(made[0].id,))
        home.ledger.candidates.add(
            samples.candidate(
                skill.id, version.id, skill_name="tidy-csv", summary="mined", evidence=evidence
            )
        )
    shown = shell("patterns", "show", "pattern_0c8xk2").out
    assert "tidy-csv: mined" in shown
    assert f"{made[2].id} captured: remove the duplicate rows of c.csv" in shown

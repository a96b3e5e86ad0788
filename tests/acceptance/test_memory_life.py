"""The life of memories at the command line, the same on both databases."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hermes.testing.fixtures import BOTH

from .conftest import Learner


@pytest.fixture(params=BOTH)
def user(
    request: pytest.FixtureRequest, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> Learner:
    url = request.getfixturevalue("postgres_url") if request.param == "postgres" else None
    return Learner(tmp_path / "home", capsys, url)


def kept(user: Learner, text: str, *words: str) -> str:
    return str(user.json("memory", "add", text, *words)["memory"]["id"])


def texts(user: Learner, query: str) -> list[str]:
    hits: list[dict[str, Any]] = user.json("memory", "search", query)["items"]
    return [hit["memory"]["text"] for hit in hits]


def test_said_found_corrected_and_forgotten(user: Learner) -> None:
    old = kept(user, "the staging database listens on port 5433")
    kept(user, "lunch is served at noon in the canteen")
    assert texts(user, "which port does staging use")[0].endswith("5433")
    assert texts(user, "when can I eat?")[0].startswith("lunch")
    new = kept(user, "the staging database listens on port 6000")
    found = texts(user, "which port does staging use")
    assert found[0].endswith("6000")
    assert user.json("memory", "show", old)["memory"]["superseded_by"] == new
    assert list(user.json("memory", "show", new)["replaces"]) == [old]
    assert user.json("memory", "forget", old, new) == {"forgotten": 2}
    assert not [text for text in texts(user, "which port does staging use") if "port" in text]
    figures = user.json("memory", "stats")["report"]["figures"]
    assert figures["kinds"] == {"semantic": 1}
    assert figures["tallies"]["forgotten"] == 2


def test_a_file_is_taken_in_approved_and_taken_back(user: Learner, tmp_path: Path) -> None:
    file = tmp_path / "notes.jsonl"
    lines = [
        {"text": "Always run the linter before a commit"},
        {"text": "the linter of till is called ruff", "scope": "team:ops"},
        {"text": "yesterday the linter of till crashed", "kind": "episodic"},
    ]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    report = user.json("memory", "import", str(file))
    assert (report["kept"], report["waiting"]) == (3, 1)
    assert user.json("memory", "import", str(file))["known"] == 3
    assert not [text for text in texts(user, "run the linter") if text.startswith("Always")]
    (waiting,) = user.json("memory", "list", "--waiting")["items"]
    user.json("memory", "approve", waiting["id"], "--by", "ana")
    assert texts(user, "run the linter before a commit")[0].startswith("Always")
    assert not [text for text in texts(user, "linter ruff") if "ruff" in text], "another team's"
    gone = user.json("memory", "forget", "--source", "import:notes.jsonl", "--yes")
    assert gone == {"forgotten": 2}
    assert user.json("memory", "list", "--scope", "team:ops")["items"]
    told = user("events").out
    assert "took 3 memories from notes.jsonl, 1 of them to be approved" in told
    assert f"ana approved {waiting['id']}" in told
    assert "forgot 2 memories" in told
    assert "linter" not in told


def test_what_one_database_exports_the_other_restores(
    user: Learner, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept(user, "the staging database listens on port 5433", "--expires", "30d")
    kept(user, "مكتب الدعم في الطابق الثالث 🚀", "--scope", "project:till")
    texts(user, "staging")
    file = tmp_path / "memories.jsonl"
    assert user.json("memory", "export", str(file))["memories"] == 2
    other = Learner(tmp_path / "other", capsys)
    assert other.json("memory", "import", str(file), "--vouch", "--by", "ana")["kept"] == 2
    assert other("memory", "export", "-").out == user("memory", "export", "-").out


def test_what_happened_often_becomes_a_fact(user: Learner, tmp_path: Path) -> None:
    file = tmp_path / "episodes.jsonl"
    days = ("2026-01-05", "2026-02-09", "2026-03-02")
    lines = [
        {
            "text": f"the nightly build of till failed because the disk was full {ending}",
            "kind": "episodic",
            "created_at": f"{day}T03:00:00Z",
        }
        for day, ending in zip(days, ("again", "on builder 2", "at three"), strict=True)
    ]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    user.json("memory", "import", str(file))
    (proposed,) = user.json("memory", "consolidate")
    assert len(proposed["proposal"]["evidence"]) == 3
    said = ("--accept", proposed["name"], "--by", "ana", "--text", "builders of till run full")
    fact = user.json("memory", "consolidate", *said)["memory"]
    assert sorted(user.json("memory", "show", fact["id"])["replaces"]) == sorted(
        proposed["proposal"]["evidence"]
    )

"""`hermes memory stats`, `upkeep` and `consolidate`."""

from __future__ import annotations

import json
from pathlib import Path

from .conftest import Shell


def test_figures_say_what_became_of_what_was_offered(shell: Shell, tmp_path: Path) -> None:
    shell("memory", "add", "the staging database listens on port 5433")
    shell("memory", "add", "The staging database listens on port 5433!")
    shell("memory", "add", "hello")
    file = tmp_path / "notes.jsonl"
    file.write_text('{"text": "Always run the linter", "created_at": "2020-01-01T00:00:00Z"}\n')
    shell("memory", "import", str(file))
    told = shell("memory", "stats", "--json").json
    figures = told["report"]["figures"]
    assert figures["kinds"] == {"semantic": 2}
    assert figures["ages"] == {"day": 1, "older": 1}
    assert (figures["waiting"], figures["without_vector"]) == (1, 2)
    assert (told["junk_rate"], told["duplicate_rate"]) == (0.25, 0.25)
    plain = shell("memory", "stats").out
    assert "25.0% refused" in plain
    assert "0 of 2; the rest is found by words" in plain
    assert shell("memory", "upkeep", "--json").json == {"done": 2}
    assert "2 of 2" in shell("memory", "stats").out
    assert (
        shell("memory", "stats", "--scope", "team:ops", "--json").json["report"]["figures"]["kinds"]
        == {}
    )


def episodes(shell: Shell, tmp_path: Path) -> None:
    days = ("2026-01-05", "2026-02-09", "2026-03-02")
    texts = (
        "the nightly build of till failed because the disk was full",
        "the nightly build of till broke again since the disk was full",
        "nightly build of till failed, the disk was full",
    )
    lines = [
        {"text": text, "kind": "episodic", "created_at": f"{day}T03:00:00Z"}
        for text, day in zip(texts, days, strict=True)
    ]
    file = tmp_path / "episodes.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert shell("memory", "import", str(file), "--json").json["kept"] == 3


def test_episodes_become_a_fact_when_a_person_says_so(shell: Shell, tmp_path: Path) -> None:
    episodes(shell, tmp_path)
    shown = shell("memory", "consolidate").out
    assert "3 episodes on 3 occasions" in shown
    assert shown.count("mem_") == 3
    (proposed,) = shell("memory", "consolidate", "--json").json
    assert shell("memory", "consolidate", "--accept", "1").code == 2
    assert shell("memory", "consolidate", "--accept", "7", "--by", "ana").code == 1
    words = ("--text", "The disk of the till builder fills up at night")
    accepted = shell(
        "memory", "consolidate", "--accept", proposed["name"], "--by", "ana", *words, "--json"
    ).json["memory"]
    assert (accepted["kind"], accepted["trust"]) == ("semantic", "user")
    assert accepted["approved_by"] == "ana"
    replaced = shell("memory", "list", "--superseded", "--json").json["items"]
    assert {one["superseded_by"] for one in replaced} == {accepted["id"]}
    assert len(replaced) == 3
    assert f"ana made {accepted['id']} of 3 episodes (pipe)" in shell("events").out
    assert "no episodes say the same" in shell("memory", "consolidate").out


def test_what_is_accepted_as_proposed_is_trusted_as_its_episodes(
    shell: Shell, tmp_path: Path
) -> None:
    episodes(shell, tmp_path)
    assert "3 episodes give way" in shell("memory", "consolidate", "--accept", "1", "--by", "a").out
    (fact,) = shell("memory", "list", "--kind", "semantic", "--json").json["items"]
    assert fact["trust"] == "imported"

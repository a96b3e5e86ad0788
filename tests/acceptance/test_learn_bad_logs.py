"""Logs as they are found: cut, mixed, doubled, wrong about the time, no logs at all.

Beside each lie four good ones. What they teach must not change, and what is wrong must be told.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hermes.testing.sessions.city_counts import city_count
from hermes.testing.sessions.doing import Session
from hermes.testing.sessions.logs import claude_code, claude_lines, codex, lines

from .conftest import Learner

GOOD = 4


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    for number in range(GOOD):
        claude_code(city_count(number, tmp_path / "work"), tmp_path / "logs")
    return tmp_path / "logs"


@pytest.fixture
def bad(tmp_path: Path) -> Session:
    return city_count(GOOD, tmp_path / "work")


def teaches(report: dict[str, Any], examples: int) -> None:
    (line,) = report["learned"]["lines"]
    assert (line["examples"], line["state"], line["score"]) == (examples, "awaiting_review", 1.0)


def text_of(session: Session) -> str:
    return lines(claude_lines(session))


def cut(session: Session) -> str:
    whole = text_of(session)
    return whole[: len(whole) * 2 // 3]


def doubled(session: Session) -> str:
    return text_of(session) * 2


def noisy(session: Session) -> str:
    return "\n".join(f"{line}\nnot json\n\x00\x00\n[1]" for line in text_of(session).splitlines())


def skewed(session: Session) -> str:
    """Clocks that go back, stand still, or are centuries off."""
    stamps = ("1970-01-01T00:00:00Z", "2199-01-01T00:00:00Z", "no time", "", 17, None)
    values = [
        {**line, "timestamp": stamps[number % len(stamps)]}
        for number, line in enumerate(claude_lines(session))
    ]
    return lines(values)


SPOILED: dict[str, tuple[Callable[[Session], str], str]] = {
    "cut": (cut, "is cut off"),
    "doubled": (doubled, "repeated lines were left out"),
    "noisy": (noisy, "not JSON"),
    "skewed": (skewed, ""),
}


def test_a_spoiled_log_is_told_and_teaches_nothing_wrong(
    learner: Learner, logs: Path, tmp_path: Path
) -> None:
    for number, (name, (spoil, _)) in enumerate(SPOILED.items(), GOOD):
        (logs / f"{name}.jsonl").write_text(spoil(city_count(number, tmp_path / "work")))
    report = learner.learn(logs)
    told = [f"{Path(one['file']).stem}: {one['what']}" for one in report["imported"]["problems"]]
    for name, (_, problem) in SPOILED.items():
        found = [one for one in told if one.startswith(f"{name}: ") and problem in one]
        assert bool(found) is bool(problem), told
    teaches(report, GOOD + len(SPOILED) - 1)  # nobody knows how the one that was cut off ended


def test_two_sessions_in_one_file_are_told_apart(
    learner: Learner, logs: Path, bad: Session, tmp_path: Path
) -> None:
    other = city_count(GOOD + 1, tmp_path / "work")
    mixed = []
    for pair in zip(claude_lines(bad), claude_lines(other), strict=True):
        mixed += pair
    (logs / "mixed.jsonl").write_text(lines(mixed))
    report = learner.learn(logs)
    assert report["imported"]["sessions"] == GOOD + 2
    teaches(report, GOOD + 2)


def test_what_is_no_log_is_told_once_and_harms_nothing(
    learner: Learner, logs: Path, tmp_path: Path
) -> None:
    (logs / "empty.jsonl").touch()
    (logs / "noise.jsonl").write_bytes(bytes(range(256)) * 500)
    (logs / "torn.jsonl.zst").write_bytes(b"\x28\xb5\x2f\xfd" + b"torn" * 99)
    (logs / "state.db").write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
    (logs / "loop.jsonl").symlink_to(logs / "loop.jsonl")
    (logs / "around").symlink_to(logs)
    (logs / "settings.json").write_text("{}")
    answer = learner("learn", logs, "--json")
    assert answer.code == 1, "logs that cannot be read are a failure, and the rest is learned"
    imported = answer.json["imported"]
    broken = {Path(one["file"]).name for one in imported["problems"]}
    assert broken == {"noise.jsonl", "torn.jsonl.zst", "state.db", "loop.jsonl"}
    assert imported["failed"] == len(broken)
    teaches(answer.json, GOOD)
    shown = learner("learn", logs)
    assert shown.code == 1
    assert shown.err.count("problem: ") == len(broken)
    assert learner("learn", tmp_path / "nowhere").code == 1


def test_a_giant_line_is_left_out_and_the_rest_is_read(
    learner: Learner, logs: Path, bad: Session
) -> None:
    first, *rest = text_of(bad).splitlines(keepends=True)
    giant = json.dumps({"type": "progress", "data": "x" * (80 * 1024 * 1024)})
    (logs / "giant.jsonl").write_text("".join([first, giant, "\n", *rest]))
    report = learner.learn(logs)
    (problem,) = report["imported"]["problems"]
    assert (problem["line"], "longer than 64 MiB" in problem["what"]) == (2, True)
    teaches(report, GOOD + 1)


def test_the_same_log_under_two_names_counts_once(
    learner: Learner, logs: Path, bad: Session, tmp_path: Path
) -> None:
    first, second = codex(bad, logs / "one"), logs / "two" / "copy.jsonl"
    second.parent.mkdir()
    second.write_bytes(first.read_bytes())
    report = learner.learn(logs)
    assert report["learned"]["kept"] == GOOD + 1
    teaches(report, GOOD + 1)
    again = learner.learn(logs)
    assert (again["imported"]["unchanged"], again["learned"]["tasks"]) == (GOOD + 2, 0)
    assert len(learner.json("trajectories", "list")) == GOOD + 1


def test_a_copy_that_was_cut_off_takes_nothing_away(
    learner: Learner, logs: Path, bad: Session
) -> None:
    whole = codex(bad, logs / "one")
    teaches(learner.learn(logs), GOOD + 1)
    with learner.open() as home:
        steps = home.database.ask("SELECT COUNT(*) FROM steps")
    copy = logs / "two" / "copy.jsonl"
    copy.parent.mkdir()
    copy.write_text("".join(whole.read_text().splitlines(keepends=True)[:-4]))
    assert learner.learn(logs)["learned"]["tasks"] == 0
    with learner.open() as home:
        assert home.database.ask("SELECT COUNT(*) FROM steps") == steps


def test_a_log_that_is_still_written_is_learned_when_it_is_complete(
    learner: Learner, logs: Path, bad: Session
) -> None:
    whole = text_of(bad)
    path = logs / "growing.jsonl"
    seen: set[str] = set()
    for share in (0.3, 0.6, 0.95):
        path.write_text(whole[: int(len(whole) * share)])
        report = learner.learn(logs)
        seen |= {*report["imported"]["trajectories"]}
    path.write_text(whole)
    report = learner.learn(logs)
    assert report["imported"]["grown"] == 1
    assert len(seen | {*report["imported"]["trajectories"]}) == GOOD + 1, "the ids stay"
    assert len(learner.json("trajectories", "list")) == GOOD + 1
    assert len(learner.json("examples", "list")) == GOOD + 1
    (pattern,) = learner.json("patterns", "list")
    assert len(pattern["example_ids"]) == GOOD + 1
    assert len(learner.json("review", "list")) == 1, "the better draft takes the first one's place"

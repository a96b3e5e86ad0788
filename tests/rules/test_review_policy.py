"""What a review may write: measured on lessons as models write them, good and bad.

The rules were tuned on the first files; every third line of them was left out of the tuning but
not of sight. The `unseen` files were written when the rules were done: only their figures say what
to expect.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hermes.rules.review_policy import refusal_of_name, refusal_of_skill, refusal_of_text

DATA = Path(__file__).parent.parent / "data" / "review_policy"


def _patch(text: str, path: str = "") -> str | None:
    file = {"file_path": path} if path else {}
    return refusal_of_skill({"action": "patch", "name": "x", "new_string": text, **file})


def _lines(name: str) -> list[str]:
    return [line for line in (DATA / f"{name}.txt").read_text("utf-8").splitlines() if line]


def _measured(
    refused: list[str], accepted: list[str], judge: Callable[[str], str | None]
) -> tuple[float, float, str]:
    missed = [one for one in refused if judge(one) is None]
    wrong = [one for one in accepted if judge(one) is not None]
    found = len(refused) - len(missed)
    precision, recall = found / (found + len(wrong)), found / len(refused)
    told = f"precision {precision:.2f}, recall {recall:.2f}; missed {missed}; wrong {wrong}"
    return precision, recall, told


@pytest.mark.parametrize(
    "name",
    [
        "fix-pytest-error-may-29",
        "debug-run-agent-skill-nudge",
        "patch-discord-command-alias-today",
    ],
)
def test_the_name_of_an_incident_is_refused_with_what_to_do(name: str) -> None:
    refused = refusal_of_skill({"action": "create", "name": name, "content": "# X\n\nDo it.\n"})
    assert refused is not None
    assert name in refused
    assert "name the class of tasks" in refused


@pytest.mark.parametrize(
    "name", ["python-test-debugging", "hermes-agent-runtime", "gateway-command-routing"]
)
def test_the_name_of_a_class_of_tasks_is_accepted(name: str) -> None:
    content = "# X\n\n1. Do it.\n"
    assert refusal_of_skill({"action": "create", "name": name, "content": content}) is None


@pytest.mark.parametrize(
    "text",
    [
        "npm failed once, do not use npm",
        "browser setup was broken, browser is unavailable",
        "credentials were missing, this integration does not work",
    ],
)
def test_a_verdict_on_a_tool_is_refused_in_skills_and_in_memory(text: str) -> None:
    assert "for ever" in str(_patch(text))
    assert "for ever" in str(refusal_of_text(text))


@pytest.mark.parametrize("kind", ["names", "sentences"])
@pytest.mark.parametrize("held_out", [False, True])
def test_lessons_are_told_from_incidents(kind: str, held_out: bool) -> None:
    judge = refusal_of_name if kind == "names" else _patch
    sides = [
        [line for at, line in enumerate(_lines(f"{kind}_{side}")) if (at % 3 == 2) is held_out]
        for side in ("refused", "accepted")
    ]
    precision, recall, told = _measured(*sides, judge)
    assert min(precision, recall) >= 0.95, told


@pytest.mark.parametrize(("kind", "least"), [("names", 0.9), ("sentences", 0.55)])
def test_lessons_that_the_rules_were_not_made_with(kind: str, least: float) -> None:
    """A good lesson is hardly ever refused. A bad sentence may pass: the gate comes after."""
    judge = refusal_of_name if kind == "names" else _patch
    sides = [_lines(f"unseen_{kind}_{side}") for side in ("refused", "accepted")]
    precision, recall, told = _measured(*sides, judge)
    assert precision >= 0.9, told
    assert recall >= least, told


def test_the_files_are_as_large_as_they_should_be() -> None:
    for side in ("refused", "accepted"):
        assert len(set(_lines(f"names_{side}"))) >= 43
        assert len(set(_lines(f"sentences_{side}"))) >= 63


def test_a_story_is_no_procedure_but_may_be_told_in_references() -> None:
    story = "The user asked for a chart.\nWe tried matplotlib.\nIt turned out to be too slow.\n"
    assert "tells a story" in str(_patch(story))
    assert _patch(story, "references/history.md") is None
    assert "tells a story" in str(_patch(story, "templates/page.md"))
    procedure = "1. Read the file.\n2. Sum the column that was named.\n3. Check the sum.\n"
    assert _patch(procedure) is None


def test_a_remedy_on_the_next_line_is_a_remedy() -> None:
    assert _patch("## Command not found\n\nInstall it with `pip install x`.") is None
    assert _patch("## Command not found\n\nThat is sad.") is not None


def test_what_the_catalogue_shows_may_not_forbid_a_tool() -> None:
    text = "---\nname: x\ndescription: {}\n---\n# X\n\n1. Do it.\n"
    assert _patch(text.format("Never use docker.")) is not None
    assert _patch(text.format("Build images. Use when docker is wanted.")) is None


def test_what_takes_something_away_has_nothing_to_judge() -> None:
    assert refusal_of_skill({"action": "delete", "name": "fix-it-now"}) is None
    assert refusal_of_skill({"action": "patch", "name": "bug-5521", "new_string": "Sort."}) is None

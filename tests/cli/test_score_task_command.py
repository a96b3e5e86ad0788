"""`hermes score-task`."""

from __future__ import annotations

from .conftest import Shell

GOOD = (
    "Every Monday read sales.csv, total it by region, and mail a PDF report; if the file is "
    "missing, say so in the mail"
)


def test_a_good_task_has_its_numbers_and_no_advice(shell: Shell) -> None:
    answer = shell("score-task", GOOD)
    assert answer.code == 0
    assert "high" in answer.out
    assert "better:" not in answer.out
    plain = shell("score-task", GOOD, "--json").json
    assert plain["level"] == "high"
    assert plain["total"] >= 0.8
    assert set(plain) >= {"repeatability", "clarity", "tool_diversity", "error_scenarios", "advice"}


def test_a_bad_task_is_told_how_to_be_better(shell: Shell) -> None:
    answer = shell("score-task", "How are you?")
    assert answer.code == 0
    assert "0.00, low" in answer.out
    assert "better: " in answer.out


def test_what_cannot_be_read_is_said_beside_the_result(shell: Shell) -> None:
    assert "reads English" in shell("score-task", "毎日レポートをメールで送る").err
    assert "no words" in shell("score-task", "").err


def test_it_needs_a_task_and_no_home(shell: Shell) -> None:
    assert shell("score-task").code == 2
    shell("score-task", GOOD)
    assert not shell.root.exists()

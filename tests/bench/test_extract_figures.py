"""The figures of learning are taken from real logs, and a bound from below is a bound."""

from __future__ import annotations

from pathlib import Path

import pytest

from hermes.bench.extract import mining_figures
from hermes.bench.figures import Figure, as_rows

LOGS = Path(__file__).parents[2] / "src" / "hermes" / "cli" / "demo" / "logs" / "claude-code"


@pytest.mark.parametrize(
    ("value", "met"), [(19.9, False), (20.0, True), (300.0, True), (300.1, False)]
)
def test_a_figure_is_bound_from_below_and_from_above(value: float, met: bool) -> None:
    assert Figure(what="x", value=value, unit="MB/s", least=20, limit=300).met is met


def test_a_bound_is_shown_with_its_sign() -> None:
    (row,) = as_rows([Figure(what="x", value=0.9, unit="", least=0.85)])
    assert row[1:4] == ["0.90", "≥ 0.85", "yes"]


def test_a_pattern_of_the_demo_is_mined_and_its_words_cost_a_part_of_its_transcripts() -> None:
    spent, tokens = mining_figures(LOGS)
    assert spent.value > 0
    assert 0 < tokens.value < 100

"""What clutter did is told as a part of what was, and judged."""

from __future__ import annotations

import pytest

from hermes.bench.memory_dilution import DilutionReport, DilutionRow, measure_dilution
from hermes.testing.topic_embedder import TopicEmbedder


def _row(at_10: float, p50_ms: float, *, cpu_ms: float = 5.0) -> DilutionRow:
    return DilutionRow(memories=10, stale=0, fades=True, at_10=at_10, cpu_ms=cpu_ms, p50_ms=p50_ms)


def test_a_change_is_a_part_of_what_was() -> None:
    report = DilutionReport(rows=(_row(0.8, 4.0), _row(0.76, 4.2, cpu_ms=6.0)))
    (change,) = report.changes
    assert (change.recall, change.latency) == (pytest.approx(-0.05), pytest.approx(0.05))
    assert change.computed == pytest.approx(0.2)
    assert report.met


@pytest.mark.parametrize(("at_10", "p50_ms"), [(0.7, 4.0), (0.8, 4.5)])
def test_more_than_a_tenth_is_too_much(at_10: float, p50_ms: float) -> None:
    assert not DilutionReport(rows=(_row(0.8, 4.0), _row(at_10, p50_ms))).met


@pytest.mark.soak
def test_the_same_questions_are_asked_before_and_after() -> None:
    report = measure_dilution(TopicEmbedder({}), clean=0, clutter_to_one=1)
    assert [row.fades for row in report.rows] == [False, True, False, True]
    clean, _, diluted, _ = report.rows
    assert (clean.stale, diluted.stale) == (0, clean.memories)
    assert diluted.memories == 2 * clean.memories
    assert 0 < diluted.at_10 <= clean.at_10
    assert diluted.cpu_ms > 0

"""What `hermes bench retrieval` says of a measurement, the bad news included."""

from __future__ import annotations

import io

from hermes.bench.memory_dilution import DilutionReport, DilutionRow
from hermes.bench.recall_set.labelled import Half
from hermes.bench.retrieval_memory import CutRow, MemoryRecallReport, RecallRow
from hermes.cli.bench_retrieval import tell_dilution, tell_memory
from hermes.cli.output import Output


def _rows(**at_10: float) -> tuple[RecallRow, ...]:
    return tuple(
        RecallRow(
            half=Half.MEASURED,
            method=method,
            asked="paraphrase",
            questions=12,
            at_1=0.1,
            at_5=0.5,
            at_10=value,
            mrr=0.25,
        )
        for method, value in at_10.items()
    )


def _report(rows: tuple[RecallRow, ...]) -> MemoryRecallReport:
    return MemoryRecallReport(
        memories=30,
        questions=12,
        rows=rows,
        cuts=(CutRow(min_similarity=0.25, at_10=0.7, false_hits=0.6),),
        shared_words={},
        leaks=0,
    )


def _told(rows: tuple[RecallRow, ...]) -> str:
    page = io.StringIO()
    tell_memory(Output(page, io.StringIO()), _report(rows))
    return page.getvalue()


def test_every_method_is_shown_and_the_price_of_a_cut() -> None:
    told = _told(_rows(words=0.2, meaning=0.6, hybrid=0.7))
    assert "above words and above meaning in recall@10 in every class" in told
    lines = [line.split() for line in told.splitlines()]
    assert ["measured", "paraphrase", "12", "hybrid", "0.500", "0.700", "0.250"] in lines
    assert ["0.25", "0.700", "60%"] in lines


def test_where_it_does_not_win_it_says_so() -> None:
    told = _told(_rows(words=0.2, meaning=0.71, hybrid=0.7))
    assert "not above" in told
    assert "paraphrase: hybrid 0.700, meaning 0.710" in told


def test_clutter_that_costs_too_much_is_told() -> None:
    rows = [
        DilutionRow(memories=10, stale=0, fades=True, at_10=0.8, cpu_ms=4.0, p50_ms=5.0),
        DilutionRow(memories=200, stale=190, fades=True, at_10=0.6, cpu_ms=4.0, p50_ms=5.0),
    ]
    page = io.StringIO()
    tell_dilution(Output(page, io.StringIO()), DilutionReport(rows=tuple(rows)))
    assert (
        "fading on: recall@10 -25.0%, latency +0.0% (CPU +0.0%); within 10%: no" in page.getvalue()
    )

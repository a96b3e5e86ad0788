"""The labelled set is sound, and what the search ships with is what the set says."""

from __future__ import annotations

from collections import Counter

import pytest

from hermes.bench.retrieval_skills import NEGATIVE, RetrievalReport, labelled_set, measure
from hermes.models.minilm import MiniLM

pytestmark = pytest.mark.xdist_group("skill search")  # measured once, told by each


@pytest.fixture(scope="module")
def report() -> RetrievalReport:
    return measure(MiniLM(parallel=2).embed)


def test_the_set_is_large_varied_and_consistent() -> None:
    skills, queries = labelled_set()
    names = {skill.name for skill in skills}
    kinds = Counter(query.kind for query in queries)
    assert len(names) == len(skills) >= 120
    assert len({query.text for query in queries}) == len(queries) >= 150
    assert set(kinds) == {"paraphrase", "identifier", "keyword", "task", NEGATIVE}
    assert min(kinds.values()) >= 30
    for query in queries:
        assert set(query.expects) <= names
        assert bool(query.expects) == (query.kind != NEGATIVE)
        assert all(len(skill.description) <= 1024 for skill in skills)


def test_the_halves_share_no_skill_and_are_of_similar_size() -> None:
    _, queries = labelled_set()
    fitted = {query.expects[0] for query in queries if query.expects and query.fits}
    held_out = {query.expects[0] for query in queries if query.expects and not query.fits}
    assert not fitted & held_out
    assert 0.6 < len(fitted) / len(held_out) < 1.6


def test_the_shipped_weight_is_the_fitted_one(report: RetrievalReport) -> None:
    assert report.fitted_weight == pytest.approx(report.shipped_weight, abs=0.1)


def test_both_together_beat_either_on_the_held_out_half(report: RetrievalReport) -> None:
    held_out = {r.method: r for r in report.recalls if (r.half, r.kind) == ("held out", "all")}
    for other in ("words", "meaning"):
        for cut in ("at_1", "at_5", "at_10"):
            assert getattr(held_out["both"], cut) > getattr(held_out[other], cut)


def test_every_kind_is_reported_for_both_halves(report: RetrievalReport) -> None:
    rows = {(recall.half, recall.method, recall.kind) for recall in report.recalls}
    assert len(rows) == len(report.recalls) == 2 * 3 * 5
    assert all(0 <= r.at_1 <= r.at_5 <= r.at_10 <= 1 and r.queries > 0 for r in report.recalls)
    assert all(0.5 < share <= 1 for share in report.separation.values())

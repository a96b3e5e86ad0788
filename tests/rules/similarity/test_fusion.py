"""Words and meaning come to one scale, and a missing vector is no handicap."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from hermes.rules.similarity.fusion import best_first, coverage, fuse
from hermes.rules.similarity.lexical import LexicalIndex, Scores
from hermes.rules.similarity.vectors import VectorTable


def floats(*numbers: float) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    return np.array(numbers, dtype=np.float32)


def vector(*numbers: float) -> bytes:
    return struct.pack(f"<{len(numbers)}f", *numbers)


def test_the_score_is_the_weighted_sum() -> None:
    fused = fuse(floats(0.5, 0.0), floats(0.3, 1.0), lexical_weight=0.4)
    assert fused.tolist() == pytest.approx([0.4 * 0.5 + 0.6 * 0.3, 0.6])


def test_opposite_meaning_takes_nothing_away() -> None:
    assert fuse(floats(0.5), floats(-1.0), 0.5).tolist() == [0.25]


def test_without_a_vector_words_stand_in() -> None:
    assert fuse(floats(0.5), floats(np.nan)).tolist() == pytest.approx([0.5])


def test_coverage_is_between_nothing_and_all() -> None:
    assert coverage(Scores(floats(0, 2, 9), ceiling=4.0)).tolist() == [0.0, 0.5, 1.0]
    assert coverage(LexicalIndex().scores("anything")).tolist() == []
    index = LexicalIndex()
    index.add("a", [("alpha", 1.0)])
    assert coverage(index.scores("the")).tolist() == [0.0]


@pytest.mark.parametrize("ahead", [0, 1, 2, 5, 99])
def test_best_first_gives_every_slot_in_falling_order(ahead: int) -> None:
    scores = floats(0.1, 0.9, 0.5, 0.7, 0.3)
    assert list(best_first(scores, ahead)) == [1, 3, 2, 4, 0]


def test_similarities_are_cosines_and_gaps_are_not_numbers() -> None:
    table = VectorTable(2)
    table.put(0, vector(1.0, 0.0))
    table.put(3, vector(0.6, 0.8))
    near = table.similarities(vector(1.0, 0.0), slots=5)
    assert near[[0, 3]].tolist() == pytest.approx([1.0, 0.6])
    assert np.isnan(near[[1, 2, 4]]).all()


def test_an_empty_table_knows_nothing() -> None:
    table = VectorTable(2)
    assert np.isnan(table.similarities(vector(1.0, 0.0), slots=3)).all()
    table.drop(7)
    assert len(table) == 0


def test_a_dropped_vector_is_gone_and_may_come_back() -> None:
    table = VectorTable(1)
    table.put(1, vector(1.0))
    table.drop(1)
    assert 1 not in table
    assert np.isnan(table.similarities(vector(1.0), slots=2)).all()
    table.put(1, vector(-1.0))
    assert len(table) == 1
    assert table.similarities(vector(1.0), slots=2)[1] == -1.0


def test_growing_keeps_what_was_there_and_copies_rarely() -> None:
    table, spaces = VectorTable(4), []
    for slot in range(1_000):
        table.put(slot, vector(float(slot), 0.0, 0.0, 0.0))
        if not spaces or table._rows is not spaces[-1]:
            spaces.append(table._rows)
    assert len(spaces) <= 6
    assert table.similarities(vector(1.0, 0, 0, 0), slots=1_000).tolist() == list(range(1_000))


def test_a_vector_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="shape"):
        VectorTable(3).put(0, vector(1.0, 0.0))

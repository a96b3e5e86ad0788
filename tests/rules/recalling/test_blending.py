"""Words, meaning and neighbours in one score."""

from __future__ import annotations

import numpy as np
import pytest

from hermes.rules.recalling.blending import (
    as_asked,
    best_likeness,
    ceiling,
    fused,
    like_enough,
    likeness,
    neighbours_share,
    rarities,
)
from hermes.rules.recalling.weights import Weights

WEIGHTS = Weights(lexical=0.25, neighbour=0.5, next_neighbour=0.1, alone=0.8)


def test_words_and_meaning_are_weighed() -> None:
    scores = fused(np.array([0.8, 0.0]), np.array([0.4, 1.0]), WEIGHTS)
    assert scores == pytest.approx([0.25 * 0.8 + 0.75 * 0.4, 0.75])


def test_without_a_vector_words_stand_in() -> None:
    assert fused(np.array([0.6]), np.array([np.nan]), WEIGHTS) == pytest.approx([0.6])


def test_an_opposite_meaning_takes_nothing_off() -> None:
    assert fused(np.array([0.4]), np.array([-0.9]), WEIGHTS) == pytest.approx([0.1])


def test_either_side_alone_can_be_enough() -> None:
    lexical, cosines = np.array([0.0, 1.0, 0.1]), np.array([0.6, np.nan, 0.1])
    alike = likeness(
        np.array([0.3, 0.25, 0.1]), lexical, cosines, np.array([0.0, 0.0, 0.5]), WEIGHTS
    )
    assert alike == pytest.approx([0.48, 0.8, 0.3])


def test_nothing_is_shown_where_nothing_is_like_it() -> None:
    assert not like_enough(np.array([0.2, 0.3]), 0.24, 0.25).any()
    assert not like_enough(np.array([]), 0.0, 0.25).any()


def test_behind_a_good_one_stand_fainter_ones() -> None:
    assert like_enough(np.array([0.25, 0.1, 0.05]), 0.25, 0.25).tolist() == [True, True, False]


def test_words_that_no_item_has_many_of_count_less() -> None:
    clear = as_asked(WEIGHTS, np.array([0.1, 0.7]))
    vague = as_asked(WEIGHTS, np.array([0.1, 0.2]))
    assert clear == WEIGHTS
    assert 0 < vague.lexical < WEIGHTS.lexical
    assert as_asked(WEIGHTS, np.array([])).lexical == pytest.approx(0.0, abs=1e-6)
    words_only = Weights(lexical=1.0)
    assert as_asked(words_only, np.array([0.01])).lexical == 1.0


def _best(cosines: list[float], lexical: float = 0.0, facets: float = 0.0) -> float:
    near = np.array(cosines)
    words, added = np.zeros_like(near), np.zeros_like(near)
    words[0], added[0] = lexical, facets
    return best_likeness(near, words, near, added)


def test_among_few_the_likeness_itself_counts() -> None:
    assert _best([0.3, 0.1]) == pytest.approx(0.3)
    nothing = np.array([])
    assert best_likeness(nothing, nothing, nothing, nothing) == 0.0


def test_among_many_the_best_has_to_stand_out() -> None:
    """A service's name brings all of its memories as near as the answer to a rare wish."""
    crowd, lonely = [0.34] * 80, [0.05] * 80
    assert _best([0.36, *crowd]) < 0.25 <= _best([0.2, *lonely])
    assert _best([0.36, *crowd], lexical=0.45) >= 0.25  # it has the words as well


def test_what_is_near_beyond_doubt_or_of_the_day_need_not_stand_out() -> None:
    assert _best([0.9] * 80) >= 0.25
    assert _best([0.2] * 80) < 0.25 <= _best([0.2] * 80, facets=0.5)


def test_neighbours_share_their_scores() -> None:
    beside, further = np.array([[0.4, 0.2]]), np.array([[1.0, 0.0]])
    assert neighbours_share(beside, further, WEIGHTS) == pytest.approx([0.3 + 0.1])


def test_a_word_that_no_item_has_lifts_the_ceiling() -> None:
    rare = rarities(100, {"port": 50, "err42": 1}, ["port", "err42", "nowhere"])
    assert rare["nowhere"] > rare["err42"] > rare["port"] > 0
    assert ceiling(rare, ["port", "nowhere"]) > ceiling(rare, ["port"])
    assert ceiling(rare, []) == 0

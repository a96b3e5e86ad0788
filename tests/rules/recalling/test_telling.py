"""A turn that only asks or cheers answers nothing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.rules.recalling.telling import only_asks, told


@pytest.mark.parametrize(
    ("said", "asks"),
    [
        ("How was it?", True),
        ("Really? And what did she say?", True),
        ("I went to the lake. How was your day?", False),
        ("We met at the lake.", False),
        ("what about `a ? b : c` in the parser", False),
        ("", False),
    ],
)
def test_a_turn_of_questions_only_asks(said: str, asks: bool) -> None:
    assert only_asks(said) is asks


@given(st.lists(st.floats(0, 500), min_size=2, max_size=30), st.floats(0, 1))
def test_more_words_never_tell_less_and_a_question_least(
    lengths: list[float], weight: float
) -> None:
    ordered = np.sort(np.array(lengths))
    factors = told(ordered, np.zeros(len(ordered), dtype=np.bool_), weight)
    assert (np.diff(factors) >= 0).all()
    assert ((1 - weight - 1e-9 <= factors) & (factors <= 1)).all()
    asking = told(ordered, np.ones(len(ordered), dtype=np.bool_), weight)
    assert (asking <= factors).all()

"""What holds of fading, use and replacement, whatever the numbers are."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hermes.rules.recalling.fading import (
    STRONGEST,
    fading_rate,
    reinforcement,
    retention,
    strengthened,
)
from hermes.rules.recalling.weights import FITTED

ages = st.floats(0, 20_000)
half_lives = st.floats(0.5, 3_650)
floors = st.floats(0, 1)


@given(st.lists(ages, min_size=2), half_lives, floors)
def test_nothing_gains_by_growing_older(days: list[float], half_life: float, floor: float) -> None:
    left = retention(np.sort(np.array(days)), fading_rate(half_life), floor)
    assert (np.diff(left) <= 1e-12).all()
    assert ((floor - 1e-9 <= left) & (left <= 1)).all()


@given(ages, half_lives)
def test_without_a_floor_it_is_the_published_rule(age: float, half_life: float) -> None:
    (left,) = retention(np.array([age]), fading_rate(half_life), 0.0)
    assert np.isclose(left, 0.5 ** (age / half_life))


@given(ages, st.floats(1, 1_000), half_lives)
def test_of_two_that_are_alike_the_newer_counts_more(
    age: float, older_by: float, half_life: float
) -> None:
    newer, older = retention(
        np.array([age, age + older_by]), fading_rate(half_life), FITTED.fading_floor
    )
    assert newer >= older
    if (age + older_by) / half_life < 20:  # beyond that floats cannot tell the two apart
        assert newer > older


@given(half_lives, st.integers(1, 40))
def test_what_is_used_stays_as_if_new(half_life: float, uses: int) -> None:
    """The clock starts anew with each use, and each use adds a little, up to an end."""
    strength = 1.0
    for _ in range(uses):
        strength = strengthened(strength)
    assert strength <= STRONGEST
    (just_used,) = retention(np.array([0.0]), fading_rate(half_life), FITTED.fading_floor)
    lifted, plain = reinforcement(np.array([strength, 1.0]))
    assert just_used == 1.0
    assert lifted > plain == 1.0


@given(ages, st.floats(0.05, 0.9))
def test_a_right_answer_of_any_age_beats_a_poor_one_of_today(age: float, poor: float) -> None:
    """Age decides between what is about as good, not between an answer and noise."""
    (old,) = retention(np.array([age]), fading_rate(30.0), FITTED.fading_floor)
    assert old >= FITTED.fading_floor
    if poor < FITTED.fading_floor:
        assert 1.0 * old > poor

"""Memories fade to a floor and grow with use."""

from __future__ import annotations

import numpy as np
import pytest

from hermes.rules.recalling.fading import (
    STRONGEST,
    fading_rate,
    reinforcement,
    retention,
    strengthened,
)


def test_after_a_half_life_half_is_left() -> None:
    ages = np.array([0.0, 30.0, 60.0])
    assert retention(ages, fading_rate(30.0), 0.0) == pytest.approx([1.0, 0.5, 0.25])


def test_the_floor_is_never_lost() -> None:
    left = retention(np.array([0.0, 30.0, 1e6]), fading_rate(30.0), 0.6)
    assert left == pytest.approx([1.0, 0.8, 0.6])


def test_a_time_in_the_future_has_not_faded() -> None:
    assert retention(np.array([-5.0]), fading_rate(30.0), 0.0) == pytest.approx([1.0])


def test_use_lifts_a_score_within_bounds() -> None:
    once, often, always = reinforcement(np.array([1.0, 4.0, 1e9]))
    assert once == 1.0
    assert 1.0 < often < always
    assert always == reinforcement(np.array([STRONGEST]))[0]


def test_strength_grows_to_an_end() -> None:
    strength = 1.0
    for _ in range(100):
        assert strengthened(strength) >= strength
        strength = strengthened(strength)
    assert strength == STRONGEST

"""Which skill is checked first when there is no time for all."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.rules.health_order import Standing, changed_part, in_order, priority

PLAIN = Standing(pinned=False, success_share=0.1, usage_count=5, days=3.0, changed=0.0)
STANDINGS = st.builds(
    Standing,
    pinned=st.booleans(),
    success_share=st.floats(0, 1),
    usage_count=st.integers(0, 10**9),
    days=st.none() | st.floats(0, 10_000),
    changed=st.floats(0, 1),
)


@pytest.mark.parametrize(
    "more",
    [
        {"pinned": True},
        {"success_share": 0.9},
        {"usage_count": 50},
        {"days": 30.0},
        {"days": None},
        {"changed": 0.5},
    ],
)
def test_each_factor_counts(more: dict[str, object]) -> None:
    assert priority(replace(PLAIN, **more)) > priority(PLAIN)  # type: ignore[arg-type]


@given(STANDINGS)
def test_nothing_waits_for_ever(standing: Standing) -> None:
    """However unimportant a skill is, it gets before any other by growing older."""
    humble = replace(standing, pinned=False, success_share=0.0, usage_count=0, changed=0.0)
    assert priority(humble) > 0
    assert priority(replace(humble, days=2 * priority(standing))) > priority(standing)


@given(st.dictionaries(st.text(), STANDINGS, max_size=8))
def test_the_order_is_by_priority_and_does_not_depend_on_chance(
    standings: dict[str, Standing],
) -> None:
    order = in_order(standings)
    assert sorted(order) == sorted(standings)
    weights = [priority(standings[name]) for name in order]
    assert weights == sorted(weights, reverse=True)
    assert in_order(dict(reversed(standings.items()))) == order


def test_equals_come_by_name() -> None:
    assert in_order({"b": PLAIN, "c": PLAIN, "a": PLAIN}) == ["a", "b", "c"]


def test_a_clock_that_went_backwards_makes_nothing_urgent() -> None:
    assert priority(replace(PLAIN, days=-5.0)) == priority(replace(PLAIN, days=0.0))


def test_how_much_has_changed() -> None:
    assert changed_part((), ()) == 0.0
    assert changed_part(("python 3.11", "pandas==2"), ("pandas==2", "python 3.11")) == 0.0
    assert changed_part((), ("python 3.11",)) == 1.0
    assert changed_part(("python 3.11", "a==1"), ("python 3.12", "b==1")) == 1.0
    one_of_three = changed_part(("x", "a==1"), ("x", "a==2"))
    assert one_of_three == pytest.approx(2 / 3)

"""Limits of a run: what is added up, and when it stops."""

from __future__ import annotations

import pytest

from hermes.errors import BudgetSpent, ConfigError
from hermes.records.turn import Spent
from hermes.rules.spending import SpendLimits, added, check_limits


def spent(requests: int = 1, tokens: int = 0, cost: float | None = None) -> Spent:
    return Spent(requests=requests, input_tokens=tokens, cost_usd=cost)


def test_sums_keep_a_price_only_while_all_of_it_is_known() -> None:
    assert added(Spent(), spent(cost=0.5)).cost_usd == 0.5
    assert added(spent(cost=0.25), spent(cost=0.5)).cost_usd == 0.75
    assert added(spent(cost=0.25), spent(cost=None)).cost_usd is None
    assert added(spent(cost=None), spent(cost=0.5)).cost_usd is None


def test_sums_count_every_token_once() -> None:
    one = Spent(requests=1, input_tokens=10, cached_tokens=4, output_tokens=3, cost_usd=0.0)
    two = added(one, one)
    assert (two.requests, two.tokens, two.cached_tokens, two.cost_usd) == (2, 26, 8, 0.0)


@pytest.mark.parametrize(
    ("limits", "reached", "below", "setting"),
    [
        (SpendLimits(max_steps=3), spent(3), spent(2), "limits.max_steps"),
        (SpendLimits(max_tokens=100), spent(1, 100), spent(1, 99), "limits.max_tokens"),
        (SpendLimits(max_cost_usd=0.5), spent(cost=0.5), spent(cost=0.49), "limits.max_cost_usd"),
    ],
)
def test_a_run_stops_at_its_limit_and_says_which(
    limits: SpendLimits, reached: Spent, below: Spent, setting: str
) -> None:
    check_limits(below, limits)
    with pytest.raises(BudgetSpent, match=setting):
        check_limits(reached, limits)


def test_no_limit_stops_nothing() -> None:
    check_limits(spent(10**6, 10**12, 10.0**6), SpendLimits())


def test_a_limit_of_money_does_not_pass_an_unknown_price() -> None:
    check_limits(Spent(), SpendLimits(max_cost_usd=1))
    with pytest.raises(ConfigError, match="price of this model is not known"):
        check_limits(spent(), SpendLimits(max_cost_usd=1))

"""What a run has spent, and whether it may go on. A price that nobody knows is never guessed."""

from __future__ import annotations

from dataclasses import dataclass

from hermes.errors import BudgetSpent, ConfigError
from hermes.records.turn import Spent


@dataclass(frozen=True, slots=True, kw_only=True)
class SpendLimits:
    """What one run may spend; None is no limit."""

    max_steps: int | None = None
    max_tokens: int | None = None
    max_cost_usd: float | None = None


def added(spent: Spent, more: Spent) -> Spent:
    """The sum. It has a price as long as every part of it has one."""
    if not spent.requests:
        return more
    known = spent.cost_usd is not None and more.cost_usd is not None
    return Spent(
        requests=spent.requests + more.requests,
        input_tokens=spent.input_tokens + more.input_tokens,
        cached_tokens=spent.cached_tokens + more.cached_tokens,
        output_tokens=spent.output_tokens + more.output_tokens,
        cost_usd=(spent.cost_usd or 0.0) + (more.cost_usd or 0.0) if known else None,
    )


def unknown_price(model: str) -> ConfigError:
    """The error for a limit of money that nobody could keep to."""
    return ConfigError(
        f"limits.max_cost_usd is set, but the price of {model} is not known",
        hint="set it to null and limit tokens instead, or use a model with a known price",
    )


def check_limits(spent: Spent, limits: SpendLimits) -> None:
    """Before each further request: BudgetSpent where a limit is reached, with the setting to raise.

    A limit of money on a model without a known price is a ConfigError after its first answer:
    to go on would be to ignore the limit.
    """
    if limits.max_steps is not None and spent.requests >= limits.max_steps:
        raise BudgetSpent(
            f"stopped after {spent.requests} steps, which is the limit",
            hint="raise limits.max_steps, or ask for less at once",
        )
    if limits.max_tokens is not None and spent.tokens >= limits.max_tokens:
        raise BudgetSpent(
            f"stopped at {spent.tokens:,} tokens; the limit is {limits.max_tokens:,}",
            hint="raise limits.max_tokens, or ask for less at once",
        )
    if limits.max_cost_usd is None or not spent.requests:
        return
    if spent.cost_usd is None:
        raise unknown_price("this model")
    if spent.cost_usd >= limits.max_cost_usd:
        raise BudgetSpent(
            f"stopped at ${spent.cost_usd:.4f}; the limit is ${limits.max_cost_usd:.4f}",
            hint="raise limits.max_cost_usd, or ask for less at once",
        )

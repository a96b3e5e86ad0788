"""What answers cost, as real responses say it."""

from __future__ import annotations

import asyncio

import pytest
from pydantic_ai import Agent, capture_run_messages
from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart
from pydantic_ai.usage import RequestUsage

from hermes.errors import BudgetSpent, ConfigError
from hermes.models.spending import SpendGuard, spent_on
from hermes.rules.spending import SpendLimits
from hermes.testing.model_servers import Calls, Says, Usage

from .conftest import Provider


def response(provider: str | None = "openai", model: str = "gpt-4o", **usage: int) -> ModelResponse:
    return ModelResponse(
        parts=[TextPart("x" * 400)],
        usage=RequestUsage(**usage),
        model_name=model,
        provider_name=provider,
    )


def test_a_known_model_has_a_price_and_cached_tokens_cost_less() -> None:
    plain = spent_on(response(input_tokens=10_000, output_tokens=100))
    cached = spent_on(response(input_tokens=10_000, output_tokens=100, cache_read_tokens=9_000))
    assert plain.cost_usd is not None
    assert cached.cost_usd is not None
    assert 0 < cached.cost_usd < plain.cost_usd
    assert (cached.cached_tokens, cached.tokens) == (9_000, plain.tokens)


def test_an_unknown_price_is_said_to_be_unknown_and_our_own_machine_is_free() -> None:
    assert spent_on(response("own-server", "mine", input_tokens=5)).cost_usd is None
    assert spent_on(response("openai", "gpt-77-not-yet", input_tokens=5)).cost_usd is None
    assert spent_on(response("local", "any", input_tokens=5)).cost_usd == 0.0


def test_what_nobody_counted_is_counted_by_its_characters() -> None:
    spent = spent_on(response(), [ModelRequest.user_text_prompt("y" * 4_000)])
    assert (spent.input_tokens, spent.output_tokens) == (1_000, 100)
    assert spent.cost_usd is None


def test_a_run_stops_before_the_request_that_would_be_too_much() -> None:
    guard = SpendGuard(SpendLimits(max_tokens=100))
    guard.check()
    guard.took(response(input_tokens=60, output_tokens=39))
    guard.check()
    assert guard.took(response(input_tokens=1)).tokens == 1
    with pytest.raises(BudgetSpent, match="100 tokens"):
        guard.check()
    assert guard.spent.requests == 2


def test_a_limit_of_money_needs_a_price() -> None:
    guard = SpendGuard(SpendLimits(max_cost_usd=1.0))
    guard.took(response("own-server", "mine", input_tokens=5))
    with pytest.raises(ConfigError, match="price of this model is not known"):
        guard.check()


def test_streamed_answers_are_counted_as_the_server_counts_them(provider: Provider) -> None:
    replies = [
        Calls("look", {}, Usage(input=100, output=7, cached=40)),
        Says("seen it", Usage(input=150, output=9, cached=120)),
    ]
    guard = SpendGuard(SpendLimits(max_steps=5))

    async def run(agent: Agent[None, str]) -> None:
        async with agent.run_stream("look") as stream:
            await stream.get_output()

    with provider.server(*replies) as server, capture_run_messages() as messages:
        agent = Agent(provider.model(server))
        agent.tool_plain(look)
        asyncio.run(run(agent))
    for message in messages:
        if isinstance(message, ModelResponse):
            guard.took(message)
    assert guard.spent.requests == 2
    assert (guard.spent.input_tokens, guard.spent.output_tokens) == (250, 16)
    assert guard.spent.cached_tokens == 160


def look() -> str:
    """Looks."""
    return "a view"

"""Counts what a run spends, and stops it at its limits.

The agent's loop asks `check` before each request and hands every answer to `took`, also one that
was streamed or broken off: a provider bills those too.
"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ThinkingPart, ToolCallPart
from pydantic_ai.models import Model
from pydantic_ai.usage import RequestUsage

from hermes.models.names import LOCAL
from hermes.records.turn import Spent
from hermes.rules.spending import SpendLimits, added, check_limits

_CHARACTERS_A_TOKEN = 4


class SpendGuard:
    """One for each run. Not shared between threads."""

    def __init__(self, limits: SpendLimits, spent: Spent | None = None) -> None:
        self._limits = limits
        self.spent = spent or Spent()

    def check(self) -> None:
        """Raises BudgetSpent when the run may not go on; call it before each request."""
        check_limits(self.spent, self._limits)

    def took(self, response: ModelResponse, asked: Sequence[ModelMessage] = ()) -> Spent:
        """Count one answer; what it cost by itself. `asked` is what was sent for it."""
        cost = spent_on(response, asked)
        self.spent = added(self.spent, cost)
        return cost


def spent_on(response: ModelResponse, asked: Sequence[ModelMessage] = ()) -> Spent:
    """What one answer cost.

    Where the provider counted nothing, tokens are taken as a quarter of the characters: too little
    would be a limit that does not hold. Such a guess has no price.
    """
    usage = response.usage
    if usage.input_tokens or usage.output_tokens:
        return Spent(
            requests=1,
            input_tokens=usage.input_tokens,
            cached_tokens=usage.cache_read_tokens,
            output_tokens=usage.output_tokens,
            cost_usd=_price(response),
        )
    said = sum(len(_text(part)) for part in response.parts)
    sent = sum(
        len(str(getattr(part, "content", "")) or _text(part))
        for message in asked
        for part in message.parts
    )
    return Spent(
        requests=1,
        input_tokens=sent // _CHARACTERS_A_TOKEN,
        output_tokens=said // _CHARACTERS_A_TOKEN,
    )


def has_price(model: Model) -> bool:
    """Whether a limit of money can be kept to on this model."""
    asked = ModelResponse(
        parts=[],
        usage=RequestUsage(input_tokens=1),
        model_name=model.model_name,
        provider_name=model.system,
        provider_url=model.base_url,
    )
    return _price(asked) is not None


def _price(response: ModelResponse) -> float | None:
    """In dollars; None where the list of prices does not know the model at this provider."""
    if response.provider_name == LOCAL:
        return 0.0
    if response.usage.cost is not None:
        return float(response.usage.cost)
    try:
        return float(response.cost().total_price)
    except (LookupError, ValueError, AssertionError):
        return None


def _text(part: object) -> str:
    if isinstance(part, TextPart | ThinkingPart):
        return part.content
    return part.args_as_json_str() if isinstance(part, ToolCallPart) else ""

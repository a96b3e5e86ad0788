"""Completion: what a model answered, and what the answer cost."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """`text` is the answer alone: a model's thinking is cut off before it gets here.

    `cached_tokens` are a part of the input; `cost_usd` is None where nobody knows the price.
    """

    text: str
    model: str
    input_tokens: int
    output_tokens: int
    cached_tokens: int = 0
    cost_usd: float | None = None

"""Completion: what a model answered, and what the answer cost."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """`text` is the answer alone: a model's thinking is cut off before it gets here."""

    text: str
    model: str
    input_tokens: int
    output_tokens: int

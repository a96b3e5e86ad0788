"""Learned: what a round of learning came to, for whoever asked for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftLine:
    """One pattern and what became of it. `score` is the share of its examples that were proven.

    `candidate_id` and `state` are None where there was nothing to propose; `reason` says why.
    """

    pattern_id: str
    intent: str
    examples: int
    skill_name: str | None = None
    candidate_id: str | None = None
    state: str | None = None
    score: float | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """`left_out` counts the runs that were not kept, by the reason."""

    tasks: int = 0
    successes: int = 0
    failures: int = 0
    unknown: int = 0
    kept: int = 0
    left_out: Mapping[str, int] = field(default_factory=dict)
    patterns: int = 0
    lines: tuple[DraftLine, ...] = ()

    @property
    def drafts(self) -> int:
        return sum(line.candidate_id is not None for line in self.lines)

    @property
    def awaiting(self) -> int:
        return sum(line.state == "awaiting_review" for line in self.lines)

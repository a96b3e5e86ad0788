"""Verdict: the checks a candidate went through, scores before and after, decision and reason."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class CheckOutcome(StrEnum):
    """UNPROVEN is a check that could not be run to an answer; it is never a pass."""

    PASSED = "passed"
    WARNED = "warned"
    FAILED = "failed"
    UNPROVEN = "unproven"


class Decision(StrEnum):
    VALIDATED = "validated"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    name: str
    outcome: CheckOutcome
    findings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """`measure` says what was measured; None says it was not, which is not the same as 0."""

    measure: str
    before: float | None
    after: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A check that also took a measure: what a verdict's scores are taken from."""

    check: Check
    scores: Scores


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Cannot be made without scores, example ids and a reason: evidence travels with it."""

    id: str
    candidate_id: str
    checks: tuple[Check, ...]
    scores: Scores
    example_ids: tuple[str, ...]
    decision: Decision
    reason: str
    decided_at: datetime

    def __post_init__(self) -> None:
        if not self.reason.strip():
            raise ValueError("a verdict says why")
        if not self.checks:
            raise ValueError("a verdict names the checks it rests on")
        failed = any(check.outcome is CheckOutcome.FAILED for check in self.checks)
        if failed and self.decision is Decision.VALIDATED:
            raise ValueError("a failed check cannot end in a validated candidate")

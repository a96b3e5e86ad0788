"""Observation: our reading of a finished trajectory."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class SuccessSource(StrEnum):
    """How success is known, strongest first; UNKNOWN is an answer, never a success."""

    FEEDBACK = "feedback"
    VERIFY = "verify"
    CHECK = "check"
    NEXT_WORDS = "next_words"
    CLAIM = "claim"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorRecovery:
    discovered_new_pitfall: bool = False
    pitfall_description: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    id: str
    trajectory_id: str
    success: bool | None
    success_source: SuccessSource
    confidence: float
    efficiency_score: float | None
    error_recovery: ErrorRecovery
    learning_value: float
    key_insights: tuple[str, ...] = ()
    created_at: datetime

    def __post_init__(self) -> None:
        if (self.success is None) != (self.success_source is SuccessSource.UNKNOWN):
            raise ValueError("success is unknown exactly when nothing tells it")

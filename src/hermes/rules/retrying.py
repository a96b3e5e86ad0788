"""Whether a failed request to a model is sent again, and after how long. Decided by what failed.

A refusal stays a refusal however often it is asked for; only what passes by itself is waited for.
"""

from __future__ import annotations

from dataclasses import dataclass

from hermes.errors import (
    InvalidAnswer,
    ModelFailed,
    ModelOverloaded,
    ModelTimedOut,
    ModelUnreachable,
    RateLimited,
)

LONGEST_WAIT = 60.0
"""Seconds. A provider that asks for more is not waited for; the error says how long it asked."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How many times more, and the first wait in seconds; each further wait is twice as long."""

    retries: int
    first_wait: float


_PATIENCE: dict[type[ModelFailed], Patience] = {
    RateLimited: Patience(5, 2.0),
    ModelOverloaded: Patience(4, 1.0),
    ModelUnreachable: Patience(3, 0.5),
    ModelTimedOut: Patience(1, 0.0),
    InvalidAnswer: Patience(1, 0.0),
}


def wait_before_retry(error: ModelFailed, failures: int, chance: float) -> float | None:
    """Seconds to wait after this many failures of a request, or None to give up.

    `chance` is a number from 0 to 1: it spreads the waits of many clients, which would otherwise
    all come back at once.
    """
    patience = _PATIENCE.get(type(error))
    if patience is None or failures > patience.retries:
        return None
    wait = min(patience.first_wait * 2.0 ** (failures - 1), LONGEST_WAIT)
    spread = wait * (0.5 + 0.5 * chance)
    if error.retry_after is None:
        return spread
    asked = max(error.retry_after, 0.0)
    return None if asked > LONGEST_WAIT else asked + 0.1 * spread

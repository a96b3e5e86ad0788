"""What is asked again, how often, and how long is waited before."""

from __future__ import annotations

import pytest

from hermes.errors import (
    ContextTooLong,
    InvalidAnswer,
    ModelFailed,
    ModelOverloaded,
    ModelRefused,
    ModelTimedOut,
    ModelUnreachable,
    QuotaSpent,
    RateLimited,
    UnknownModel,
    WrongKey,
)
from hermes.rules.retrying import LONGEST_WAIT, wait_before_retry


@pytest.mark.parametrize(
    "kind", [WrongKey, UnknownModel, ModelRefused, QuotaSpent, ContextTooLong, ModelFailed]
)
def test_a_refusal_is_not_asked_again(kind: type[ModelFailed]) -> None:
    assert wait_before_retry(kind("no", retry_after=1), 1, 0.5) is None


@pytest.mark.parametrize(
    ("kind", "retries"),
    [
        (RateLimited, 5),
        (ModelOverloaded, 4),
        (ModelUnreachable, 3),
        (ModelTimedOut, 1),
        (InvalidAnswer, 1),
    ],
)
def test_what_passes_by_itself_is_waited_for(kind: type[ModelFailed], retries: int) -> None:
    waits = [wait_before_retry(kind("later"), failures, 1.0) for failures in range(1, retries + 2)]
    assert waits[-1] is None
    asked = [wait for wait in waits if wait is not None]
    assert len(asked) == retries
    assert asked == sorted(asked)
    assert max(asked) <= LONGEST_WAIT


def test_waits_of_many_clients_are_spread_over_half_of_them() -> None:
    error = ModelOverloaded("later")
    least, most = (wait_before_retry(error, 3, chance) for chance in (0.0, 1.0))
    assert least is not None
    assert most == 2 * least


def test_what_the_provider_asks_for_is_kept_to() -> None:
    wait = wait_before_retry(RateLimited("later", retry_after=30), 1, 0.0)
    assert wait is not None
    assert 30 <= wait < 31
    assert wait_before_retry(RateLimited("later", retry_after=LONGEST_WAIT + 1), 1, 0.0) is None
    assert (wait_before_retry(RateLimited("later", retry_after=-5), 1, 0.0) or 0) >= 0

"""Hypothesis strategies for every record, made from its type hints.

A field added to a record is therefore covered by the property tests the same day. A record whose
fields depend on each other has a few lines below that make them agree.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta, timezone
from enum import StrEnum
from functools import cache
from typing import Any

from hypothesis import strategies as st

from hermes.records.approval import Approval
from hermes.records.codec import field_names
from hermes.records.example import Example, ExampleStatus
from hermes.records.feedback import Feedback
from hermes.records.health import HealthCheck, HealthOutcome
from hermes.records.observation import Observation, SuccessSource
from hermes.records.release import Release, ReleaseState
from hermes.records.scope import Scope, ScopeKind
from hermes.records.trajectory import Trajectory, TrajectoryState
from hermes.records.trial import TrialOutcome, TrialResult
from hermes.records.verdict import Check, CheckOutcome, Decision, Verdict
from hermes.records.version import Version, tree_of

Fields = dict[str, Any]

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40)
"""What a text column holds: anything but NUL and halves of surrogate pairs."""

INTEGERS = st.integers(-(2**63), 2**63 - 1)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
TIMES = st.datetimes(
    datetime(1, 1, 2),  # noqa: DTZ001 - the zone comes from the next line
    datetime(9999, 12, 30),  # noqa: DTZ001
    timezones=st.sampled_from([UTC, timezone(timedelta(hours=-9, minutes=-30))]),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | FLOATS | TEXTS | st.just("a\0b"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)


@cache
def records(cls: Any) -> st.SearchStrategy[Any]:
    """Any legal record of this type."""
    hints = typing.get_type_hints(cls)
    fields = {name: _values(hints[name]) for name in field_names(cls)}
    agree = _AGREE.get(cls, _unchanged)
    return st.fixed_dictionaries(fields).map(lambda values: cls(**agree(values)))


def _values(hint: Any) -> st.SearchStrategy[Any]:
    plain = {str: TEXTS, int: INTEGERS, float: FLOATS, bool: st.booleans(), datetime: TIMES}
    if hint is Any:
        return JSON
    if hint in plain:
        return plain[hint]
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        (inner,) = (one for one in arguments if one is not type(None))
        return st.none() | _values(inner)
    if origin is tuple and arguments[-1] is Ellipsis:
        return st.lists(_values(arguments[0]), max_size=3).map(tuple)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return st.dictionaries(TEXTS, _values(arguments[1]), max_size=3)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return st.sampled_from(hint)
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return _nested(hint)
    raise TypeError(f"no strategy for {hint}")


def _nested(cls: Any) -> st.SearchStrategy[Any]:
    return records(cls)


def _unchanged(values: Fields) -> Fields:
    return values


def _approval(values: Fields) -> Fields:
    return values | {"by": values["by"].strip() or "ana"}


def _example(values: Fields) -> Fields:
    captured = values["status"] is ExampleStatus.CAPTURED
    return values | {"reviewer": None if captured else values["reviewer"] or "ana"}


def _feedback(values: Fields) -> Fields:
    rating = values["rating"]
    return values | {
        "rating": None if rating is None else rating % 5 + 1,
        "correction": values["correction"] or ("no" if rating is None else None),
    }


def _health_check(values: Fields) -> Fields:
    is_healthy = values["status"] is HealthOutcome.HEALTHY
    needs_none = values["status"] is HealthOutcome.UNTESTED
    return values | {
        "error": "" if is_healthy else values["error"].strip() or "why",
        "ran": values["ran"] or (() if needs_none else ("a test",)),
    }


def _observation(values: Fields) -> Fields:
    known = values["success_source"] is not SuccessSource.UNKNOWN
    return values | {"success": bool(values["success"]) if known else None}


def _release(values: Fields) -> Fields:
    ended = values["state"] is ReleaseState.ENDED
    share = abs(values["share"])
    return values | {
        "ended_at": values["ended_at"] or values["released_at"] if ended else None,
        "share": share if 0.0 < share <= 1.0 else 0.5,
    }


def _scope(values: Fields) -> Fields:
    personal = values["kind"] is ScopeKind.PERSONAL
    return values | {"name": "" if personal else values["name"] or "ops"}


def _trajectory(values: Fields) -> Fields:
    is_open = values["state"] is TrajectoryState.OPEN
    return values | {"ended_at": None if is_open else values["ended_at"] or values["started_at"]}


def _trial_result(values: Fields) -> Fields:
    passed = values["outcome"] is TrialOutcome.PASSED
    return values | {"error": "" if passed else values["error"].strip() or "why"}


def _verdict(values: Fields) -> Fields:
    checks = values["checks"] or (Check(name="format", outcome=CheckOutcome.PASSED),)
    failed = any(check.outcome is CheckOutcome.FAILED for check in checks)
    return values | {
        "checks": checks,
        "reason": values["reason"].strip() or "why",
        "decision": Decision.REJECTED if failed else values["decision"],
    }


def _version(values: Fields) -> Fields:
    return values | {"tree": tree_of(values["files"])}


_AGREE: dict[type, Callable[[Fields], Fields]] = {
    Approval: _approval,
    Example: _example,
    Feedback: _feedback,
    HealthCheck: _health_check,
    Observation: _observation,
    Release: _release,
    Scope: _scope,
    Trajectory: _trajectory,
    TrialResult: _trial_result,
    Verdict: _verdict,
    Version: _version,
}

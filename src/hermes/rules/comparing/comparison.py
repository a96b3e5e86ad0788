"""Comparison: same, different at a named place, or not comparable and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

_LONGEST = 80  # characters of a value that a person is shown


class Sameness(StrEnum):
    """UNCOMPARABLE says nothing about the result; it is never taken for SAME."""

    SAME = "same"
    DIFFERENT = "different"
    UNCOMPARABLE = "uncomparable"


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """`reason` is the first difference, or why there was nothing to compare.

    `note` is something worth knowing that decides nothing.
    """

    outcome: Sameness
    reason: str = ""
    note: str = ""

    def __post_init__(self) -> None:
        if (self.outcome is Sameness.SAME) == bool(self.reason):
            raise ValueError("what is not the same says why, and only that does")

    @property
    def is_same(self) -> bool:
        return self.outcome is Sameness.SAME


SAME = Comparison(outcome=Sameness.SAME)


def different(reason: str) -> Comparison:
    return Comparison(outcome=Sameness.DIFFERENT, reason=reason)


def uncomparable(reason: str) -> Comparison:
    return Comparison(outcome=Sameness.UNCOMPARABLE, reason=reason)


def shown(value: object) -> str:
    """A value as a message quotes it: on one line, and not longer than a person reads."""
    text = value if isinstance(value, str) else repr(value)
    line = "".join(one if one.isprintable() else " " for one in text)
    return f"'{line[:_LONGEST]}…'" if len(line) > _LONGEST else f"'{line}'"

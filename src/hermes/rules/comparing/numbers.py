"""When two numbers are the same: sums taken in another order differ in their last digits."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

# The longest run that reads as one number: `1,234.50`, `-3e-7`, `0.5`. Not part of a word or of a
# dotted or dashed name, so that a version, a date or an id is compared letter by letter.
NUMBER = re.compile(
    r"(?<![\w.:/-])[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w:/-])(?!\.\d)"
)
_WHOLE = re.compile(r"[+-]?\d+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tolerance:
    """Two numbers are the same within either bound. Whole numbers are the same or they are not."""

    relative: float = 1e-6
    absolute: float = 1e-9


def same_number(recorded: float, replayed: float, tolerance: Tolerance) -> bool:
    """Also where both are not a number, or both endless in the same direction."""
    if isinstance(recorded, int) and isinstance(replayed, int):
        return recorded == replayed
    if math.isnan(recorded) or math.isnan(replayed):
        return math.isnan(recorded) and math.isnan(replayed)
    return math.isclose(recorded, replayed, rel_tol=tolerance.relative, abs_tol=tolerance.absolute)


def number_of(text: str) -> int | float | None:
    """The number that a text is, as a whole; None where it is something else.

    A text such as `007` is a name made of digits: it has no value that could be nearly right.
    """
    text = text.strip()
    if not NUMBER.fullmatch(text):
        return None
    plain = text.replace(",", "")
    digits = plain.lstrip("+-")
    if len(digits) > 1 and digits.startswith("0") and not digits.startswith("0."):
        return None
    return int(plain) if _WHOLE.fullmatch(plain) else float(plain)

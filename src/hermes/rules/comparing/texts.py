"""Texts line by line; the numbers in a line may differ within tolerance, its words may not."""

from __future__ import annotations

from collections.abc import Sequence

from hermes.rules.comparing.comparison import SAME, Comparison, different, shown
from hermes.rules.comparing.normaliser import Normaliser
from hermes.rules.comparing.numbers import NUMBER, Tolerance, number_of, same_number


def compare_texts(
    recorded: str, replayed: str, normaliser: Normaliser, tolerance: Tolerance
) -> Comparison:
    """Order counts: the same lines in another order are another text."""
    return compare_lines(normaliser.lines(recorded), normaliser.lines(replayed), tolerance)


def compare_lines(
    recorded: Sequence[str], replayed: Sequence[str], tolerance: Tolerance
) -> Comparison:
    """Lines that were normalised already."""
    for number, (before, after) in enumerate(zip(recorded, replayed, strict=False), start=1):
        if not same_line(before, after, tolerance):
            return different(f"line {number}: recorded {shown(before)}, replayed {shown(after)}")
    if len(recorded) == len(replayed):
        return SAME
    longer, side = (
        (recorded, "recorded") if len(recorded) > len(replayed) else (replayed, "replayed")
    )
    number = min(len(recorded), len(replayed)) + 1
    return different(f"line {number}: only {side} has {shown(longer[number - 1])}")


def same_line(recorded: str, replayed: str, tolerance: Tolerance) -> bool:
    """Cut at its numbers, a line is words and values in turn."""
    if recorded == replayed:
        return True
    if NUMBER.split(recorded) != NUMBER.split(replayed):
        return False
    pairs = zip(NUMBER.findall(recorded), NUMBER.findall(replayed), strict=True)
    return all(_same_value(before, after, tolerance) for before, after in pairs)


def _same_value(recorded: str, replayed: str, tolerance: Tolerance) -> bool:
    if recorded == replayed:
        return True
    before, after = number_of(recorded), number_of(replayed)
    return before is not None and after is not None and same_number(before, after, tolerance)

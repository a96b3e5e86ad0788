"""What a look at one part of the machine found, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass

from hermes.cli.mark import Mark


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """`advice` is what to do; it is there whenever the mark is not GOOD."""

    part: str
    mark: Mark
    says: str
    advice: str = ""


def good(part: str, says: str) -> Finding:
    return Finding(part=part, mark=Mark.GOOD, says=says)


def less(part: str, says: str, advice: str) -> Finding:
    """It works without this, with less."""
    return Finding(part=part, mark=Mark.LESS, says=says, advice=advice)


def bad(part: str, says: str, advice: str) -> Finding:
    """Nothing works before this is put right."""
    return Finding(part=part, mark=Mark.BAD, says=says, advice=advice)

"""SkillLine: what a list shows of a skill.

A named tuple, not a full record: a list of thousands must not decode thirty fields of each.
"""

from __future__ import annotations

from typing import NamedTuple


class SkillLine(NamedTuple):
    """`version` is the number of the live version; None while only drafts exist, or archived."""

    name: str
    scope: str
    category: str
    state: str
    version: int | None
    origin: str
    pinned: bool
    disabled: bool
    proven: bool
    description: str

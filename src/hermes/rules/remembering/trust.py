"""Whose words count for more. What a tool printed never takes the place of what a user said."""

from __future__ import annotations

from collections.abc import Iterable

from hermes.records.memory import Memory, Trust

_RANK = {Trust.USER: 2, Trust.DERIVED: 1, Trust.TOOL_OUTPUT: 0, Trust.IMPORTED: 0}


def is_trusted(trust: Trust) -> bool:
    """Only a user's own words may be kept as an instruction without being asked about."""
    return trust is Trust.USER


def may_replace(trust: Trust, approved_by: str | None, old: Memory) -> bool:
    """A memory gives way to one of at least its own standing; an approved one has a user's."""
    standing = _RANK[Trust.USER] if approved_by else _RANK[trust]
    held = _RANK[Trust.USER] if old.approved_by else _RANK[old.trust]
    return standing >= held


def least_trusted(all_of: Iterable[Trust]) -> Trust:
    """What several sources together may be trusted."""
    return min(all_of, key=_RANK.__getitem__)

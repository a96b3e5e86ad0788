"""The only legal moves of a version and of a skill. The docs' diagram is drawn from these tables.

A move that is not in the table is refused wherever it is tried: the table is the rule, not a
description of it.
"""

from __future__ import annotations

from hermes.errors import Refused
from hermes.records.skill import SkillState
from hermes.records.version import VersionState as V

VERSION_MOVES: dict[V, frozenset[V]] = {
    V.DRAFT: frozenset({V.VALIDATED, V.REJECTED}),
    V.VALIDATED: frozenset({V.AWAITING_REVIEW, V.CANARY, V.ACTIVE, V.REJECTED}),
    V.AWAITING_REVIEW: frozenset({V.CANARY, V.ACTIVE, V.REJECTED, V.DRAFT}),
    V.CANARY: frozenset({V.ACTIVE, V.ROLLED_BACK, V.SUPERSEDED, V.AWAITING_REVIEW}),
    V.ACTIVE: frozenset({V.SUPERSEDED, V.ROLLED_BACK}),
    V.SUPERSEDED: frozenset({V.ACTIVE}),
    V.ROLLED_BACK: frozenset({V.AWAITING_REVIEW}),
    V.REJECTED: frozenset(),
}

SKILL_MOVES: dict[SkillState, frozenset[SkillState]] = {
    SkillState.LIVE: frozenset({SkillState.STALE, SkillState.DEPRECATED, SkillState.ARCHIVED}),
    SkillState.STALE: frozenset({SkillState.LIVE, SkillState.DEPRECATED, SkillState.ARCHIVED}),
    SkillState.DEPRECATED: frozenset({SkillState.LIVE, SkillState.STALE, SkillState.ARCHIVED}),
    SkillState.ARCHIVED: frozenset({SkillState.LIVE, SkillState.STALE, SkillState.DEPRECATED}),
}


def check_version_move(before: V, after: V) -> None:
    """Raises Refused unless the table allows it; says what would be allowed."""
    if after not in VERSION_MOVES[before]:
        raise Refused(
            f"a version cannot go from {before} to {after}", hint=_allowed(VERSION_MOVES[before])
        )


def check_skill_move(before: SkillState, after: SkillState) -> None:
    """Raises Refused unless the table allows it; says what would be allowed."""
    if after not in SKILL_MOVES[before]:
        raise Refused(
            f"a skill cannot go from {before} to {after}", hint=_allowed(SKILL_MOVES[before])
        )


def _allowed(states: frozenset[V] | frozenset[SkillState]) -> str:
    return "from there it can go to " + (", ".join(sorted(states)) or "nowhere")


def mermaid() -> str:
    """Both tables as a diagram; docs/loop.md holds its output and a test keeps them equal."""
    lines = ["stateDiagram-v2", "    [*] --> draft"]
    lines += [
        f"    {before} --> {after}"
        for before, afters in VERSION_MOVES.items()
        for after in sorted(afters)
    ]
    return "\n".join(lines)

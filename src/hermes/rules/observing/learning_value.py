"""What a run is worth to learn from, by the published weights.

    0.4 success + 0.2 three or more different tools + 0.2 recovered from an error and succeeded
    + 0.2 generalisable

A shell is a door, not a tool: what counts are the programs called through it, but for those that
only look around.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hermes.rules.actions.action import ActionKind
from hermes.rules.actions.moves import Move
from hermes.rules.observing.commands import commands_of
from hermes.rules.observing.outcome import LOOKS
from hermes.rules.observing.recovery import Recovery

MANY_TOOLS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Worth:
    """The four parts, kept apart so that a person can see which of them counted."""

    succeeded: bool
    many_tools: bool
    recovered: bool
    generalisable: bool

    @property
    def value(self) -> float:
        return round(
            0.4 * self.succeeded
            + 0.2 * self.many_tools
            + 0.2 * (self.recovered and self.succeeded)
            + 0.2 * self.generalisable,
            2,
        )


def worth(
    success: bool | None,
    moves: Sequence[Move],
    recoveries: Sequence[Recovery],
    *,
    generalisable: bool,
) -> Worth:
    """Unknown is not a success."""
    return Worth(
        succeeded=success is True,
        many_tools=len(tools_in(moves)) >= MANY_TOOLS,
        recovered=any(one.recovered_by is not None for one in recoveries),
        generalisable=generalisable,
    )


def tools_in(moves: Sequence[Move]) -> frozenset[str]:
    """The different tools that a run used."""
    found: set[str] = set()
    for move in moves:
        if move.action.kind is ActionKind.RUN:
            programs = {one.program for one in commands_of(move.action.text)} - LOOKS
            found |= programs or {move.action.tool}
        elif move.action.kind is not ActionKind.PLAN:
            found.add(move.action.tool)
    return frozenset(found)

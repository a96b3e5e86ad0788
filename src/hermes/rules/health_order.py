"""Which skill is checked first when there is no time for all of them.

Importance × usage × time since the last check × how much its dependencies changed. Each factor is
at least 1, so that none of them can hide a skill for ever: whatever is not checked grows older, and
its turn comes.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass

_PINNED = 2.0
_NEVER_DAYS = 90.0  # a version that was never checked counts as one that was, this long ago


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What the order looks at. `days` is None for a live version that was never checked.

    `success_share` is its part of the tasks that went well; `changed` the part of what it last
    ran with that is different now. Both are from 0 to 1.
    """

    pinned: bool
    success_share: float
    usage_count: int
    days: float | None
    changed: float


def priority(standing: Standing) -> float:
    importance = (1.0 + standing.success_share) * (_PINNED if standing.pinned else 1.0)
    usage = 1.0 + math.log1p(max(standing.usage_count, 0))
    days = _NEVER_DAYS if standing.days is None else max(standing.days, 0.0)
    return importance * usage * (1.0 + days) * (1.0 + standing.changed)


def in_order(standings: Mapping[str, Standing]) -> list[str]:
    """The names, most urgent first; equals by name, so that two rounds do not differ by chance."""
    return sorted(standings, key=lambda name: (-priority(standings[name]), name))


def changed_part(before: Collection[str], after: Collection[str]) -> float:
    """How much of the two is not in both: 0 for the same, 1 for nothing in common."""
    both, either = set(before) & set(after), set(before) | set(after)
    return 1.0 - len(both) / len(either) if either else 0.0

"""Many examples' deeds side by side: which deed of one is the same step as which of another.

Progressive: the two most alike examples first, then each other one to what is aligned already,
the most alike next. The result does not depend on the order in which examples arrive.
"""

from __future__ import annotations

from collections.abc import Sequence

from hermes.rules.mine.deed import Deed
from hermes.rules.mine.likeness import likeness

Column = dict[int, Deed]
"""Example → its deed in this step; an example that left the step out is not in it."""

_ALIKE = 0.35
"""Below this two deeds are two steps: a gap costs nothing, a wrong pair costs a procedure."""


def align(examples: Sequence[Sequence[Deed]]) -> list[Column]:
    """The columns in order."""
    waiting = {at: [{at: deed} for deed in deeds] for at, deeds in enumerate(examples) if deeds}
    if not waiting:
        return []
    if len(waiting) == 1:
        return next(iter(waiting.values()))
    aligned = waiting.pop(_most_alike(waiting))
    while waiting:
        best = max(waiting, key=lambda at: (_score(aligned, waiting[at]), -at))
        aligned = _merged(aligned, waiting.pop(best))
    return aligned


def _most_alike(waiting: dict[int, list[Column]]) -> int:
    """The example that is most like all others: the one to start from."""
    return max(
        waiting,
        key=lambda at: (
            sum(_score(waiting[at], other) for key, other in waiting.items() if key != at),
            -at,
        ),
    )


def _score(left: list[Column], right: list[Column]) -> float:
    """Likeness for each step of the longer one, so that a fragment does not win."""
    return _table(left, right)[len(left)][len(right)] / max(len(left), len(right))


def _merged(left: list[Column], right: list[Column]) -> list[Column]:
    table = _table(left, right)
    columns: list[Column] = []
    i, j = len(left), len(right)
    while i or j:
        pair = _alike(left[i - 1], right[j - 1]) if i and j else 0.0
        if i and j and pair >= _ALIKE and table[i][j] == table[i - 1][j - 1] + pair:
            i, j = i - 1, j - 1
            columns.append({**left[i], **right[j]})
        elif j and (not i or table[i][j] == table[i][j - 1]):
            j -= 1
            columns.append(right[j])
        else:
            i -= 1
            columns.append(left[i])
    return columns[::-1]


def _table(left: list[Column], right: list[Column]) -> list[list[float]]:
    table = [[0.0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i, one in enumerate(left, 1):
        for j, other in enumerate(right, 1):
            pair = _alike(one, other)
            both = table[i - 1][j - 1] + pair if pair >= _ALIKE else 0.0
            table[i][j] = max(table[i - 1][j], table[i][j - 1], both)
    return table


def _alike(one: Column, other: Column) -> float:
    pairs = [likeness(a, b) for a in one.values() for b in other.values()]
    return sum(pairs) / len(pairs)

"""What one log repeats of another: a fork or a continuation begins with its parent's history."""

from __future__ import annotations

from collections.abc import Iterator

from hermes.ids import canonical_json
from hermes.records.codec import Json


def mark_of(*values: Json) -> int:
    """The same for the same values, within one process; only these are held, not the values."""
    return hash(canonical_json(values))


class Repeats:
    """Follows a log along its parent, whose marks come in their order.

    The parent may hold more than is repeated (what was summarised, or came after the fork), but
    never in another order.
    """

    def __init__(self, parent: Iterator[int]) -> None:
        self._parent = parent

    def has(self, mark: int) -> bool:
        """Whether it stands in the parent behind what was found before; if not, nothing does."""
        return any(one == mark for one in self._parent)

"""A tree to be shown; apart from Output, because the drawn and the plain form both need it."""

from __future__ import annotations

from collections.abc import Sequence


class Branch:
    """One line of a tree, and what hangs below it."""

    __slots__ = ("below", "label")

    def __init__(self, label: str, below: Sequence[Branch] = ()) -> None:
        self.label = label
        self.below = below

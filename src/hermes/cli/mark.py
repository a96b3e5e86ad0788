"""Mark: what a look at something found."""

from __future__ import annotations

from enum import StrEnum


class Mark(StrEnum):
    """As it should be; it works, with less; it does not."""

    GOOD = "ok"
    LESS = "note"
    BAD = "fail"

"""EmbedderMove: that the vectors of a store were handed from one embedder to another."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedderMove:
    """`before` and `after` are labels as vectors carry them, `name` is what people call the latter.

    `by` is the system's user, `host` and `pid` the process that did it.
    """

    before: str
    after: str
    name: str
    by: str
    host: str
    pid: int
    at: datetime

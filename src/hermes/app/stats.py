"""A home in figures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hermes.app.home import Home


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """Tokens are those of our own agent; reviews are its sessions that looked back at another."""

    sessions: int
    tasks: int
    trajectories: int
    observations: int
    examples: int
    patterns: int
    skills_live: int
    drafts_waiting: int
    memories: int
    uses: int
    tokens: int
    reviews: int
    review_tokens: int


def stats_of(home: Home) -> Stats:
    from hermes.store.tables.figures import FigureTable

    return Stats(**FigureTable(home.database).all())

"""Which embedder a store's vectors follow, where several processes want different ones.

There is one vector a memory. Two processes that each took it back would embed for ever, so whoever
was left behind does not take the store back by itself: a person says which one it shall be.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from hermes.records.embedder_move import EmbedderMove

LATELY = timedelta(days=1)


def left_behind(
    ours: str,
    moves: Sequence[EmbedderMove],
    opened: datetime,
    now: datetime,
    is_running: Callable[[EmbedderMove], bool],
) -> EmbedderMove | None:
    """The move that took the store from our embedder and still stands in the way, if any.

    It does where it came after we opened, where it is younger than a day, or where the process that
    made it still runs. Older ones do not: then the settings that a process starts with decide.
    """
    since = min(opened, now - LATELY)
    for move in moves:
        if move.before == ours and (move.at >= since or is_running(move)):
            return move
    return None

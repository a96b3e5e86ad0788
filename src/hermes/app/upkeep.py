"""What is kept up in the background, so that nobody waits for it: manuals, vectors, indexes."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import TYPE_CHECKING

from hermes.errors import EmbedderUnavailable

if TYPE_CHECKING:
    from hermes.app.home import Home


def keep_up(home: Home, seconds: float) -> None:
    """Remember what the live skills are for, and give what is new its meaning: skills, memories,
    past work. An embedder that is away is waited for another time."""
    from hermes.app.manuals import keep_manuals
    from hermes.app.past_work import open_past_work
    from hermes.app.remembering import catch_up, memory_room
    from hermes.app.skills import skill_search

    end = time.monotonic() + seconds
    keep_manuals(home, embed=False)
    with suppress(EmbedderUnavailable):  # it has said so itself
        skill_search(home).embed_missing(seconds=seconds / 3)
    with memory_room(home) as room:
        catch_up(room, max(end - time.monotonic(), 1.0) / 2)
    open_past_work(home).catch_up(seconds=max(end - time.monotonic(), 1.0))

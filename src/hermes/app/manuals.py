"""What memory keeps of live skills."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hermes.app.home import Home


def keep_manuals(home: Home, *, embed: bool = True) -> int:
    """Bring the declarative memories of live skills up to date; cheap where nothing changed.

    Looks at the skills folder first, so that a person's edit counts. Without `embed` upkeep does
    that later.
    """
    from hermes.app.memory import memory_keeping
    from hermes.memory.manuals import Manuals
    from hermes.store.tables.passages import FollowedTable

    home.reader.look(deep=False)
    keeping = memory_keeping(home, home.embedder if embed else None)
    return Manuals(keeping, home.ledger.skills, FollowedTable(home.database)).follow()

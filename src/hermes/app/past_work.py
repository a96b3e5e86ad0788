"""Past-session search over an open home: every run, ours and imported."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hermes.app.home import Home
    from hermes.memory.past.search import PastWork
    from hermes.ports import Embedder


def open_past_work(
    home: Home, *, semantic: bool = True, embedder: Embedder | None = None
) -> PastWork:
    """`semantic=False`, or no embedder installed: by words alone."""
    from hermes.memory.past.indexing import PastSources
    from hermes.memory.past.search import PastWork
    from hermes.store.tables.passages import PassageTable
    from hermes.store.tables.task import TaskTable
    from hermes.store.tables.trajectory import TrajectoryTable

    sources = PastSources(
        passages=PassageTable(home.database),
        trajectories=TrajectoryTable(home.database),
        tasks=TaskTable(home.database),
        embedder=(embedder or home.embedder) if semantic else None,
    )
    return PastWork(sources, home.settings.memory.min_similarity)

"""The outcome of every skill that a run was given, as the run itself is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hermes.app.home import Home
    from hermes.stages.refine.settling import Settle


def settle_uses(home: Home) -> Settle:
    from hermes.ids import now
    from hermes.stages.refine.settling import Settle
    from hermes.store.tables.trajectory import TrajectoryTable
    from hermes.store.tables.use import UseTable

    return Settle(
        uses=UseTable(home.database), trajectories=TrajectoryTable(home.database), now=now
    )

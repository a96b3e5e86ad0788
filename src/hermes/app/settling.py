"""Uses: which skills a run was given, and the outcome of each, as the run itself is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hermes.app.home import Home
    from hermes.ports import Uses
    from hermes.stages.refine.settling import Settle


def uses_in(home: Home) -> Uses:
    from hermes.store.tables.use import UseTable

    return UseTable(home.database)


def settle_uses(home: Home) -> Settle:
    from hermes.ids import now
    from hermes.stages.refine.settling import Settle
    from hermes.store.tables.trajectory import TrajectoryTable

    return Settle(uses=uses_in(home), trajectories=TrajectoryTable(home.database), now=now)

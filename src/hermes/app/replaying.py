"""What proves a procedure: recorded examples, the miner, and a sandbox to do them again in."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hermes.ports import Trials
    from hermes.settings import Settings
    from hermes.stages.validate.leave_one_out import LeaveOneOut
    from hermes.store.database import Database


def leave_one_out(
    settings: Settings, database: Database, trials: Callable[[], Trials]
) -> LeaveOneOut:
    """The check for what was learned. It starts no sandbox before it has something to run."""
    from functools import cache

    from hermes.app.sandbox import sandbox_replays
    from hermes.rules.mine.binding import bind
    from hermes.rules.mine.mining import mine
    from hermes.stages.validate.cases import CaseReader
    from hermes.stages.validate.leave_one_out import Learning, LeaveOneOut
    from hermes.stages.validate.replay import Replayer
    from hermes.store.blobs import DiskBlobs
    from hermes.store.tables.example import ExampleTable
    from hermes.store.tables.task import TaskTable
    from hermes.store.tables.trajectory import TrajectoryTable

    cases = CaseReader(
        examples=ExampleTable(database),
        trajectories=TrajectoryTable(database),
        tasks=TaskTable(database),
    )
    replays = cache(lambda: sandbox_replays(settings))
    return LeaveOneOut(
        cases=cases,
        learning=Learning(mine=mine, bind=bind),
        replayer=Replayer(replays=replays, blobs=DiskBlobs(settings.paths.blobs_dir)),
        trials=trials,
    )

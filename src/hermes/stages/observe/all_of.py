"""Many runs at once, as after an import: first all are known, then each is read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hermes.ports import Embedder
from hermes.records.observation import Observation
from hermes.stages.observe.again import latest, observe_again
from hermes.stages.observe.neighbourhood import Neighbourhood
from hermes.stages.observe.run import read_run
from hermes.stages.observe.stage import observe
from hermes.stages.observe.work import Work

_FEW = 5
"""Up to here it is cheaper to look for the likes of each than to know everything."""


def observe_all(
    trajectory_ids: Sequence[str], work: Work, embedder: Embedder | None
) -> Iterator[Observation]:
    """The readings, in the order of the ids. They are compared with each other and with the latest
    runs that were there before; every trajectory must have ended.
    """
    if len(trajectory_ids) <= _FEW:
        for trajectory_id in trajectory_ids:
            yield observe_again(trajectory_id, work, embedder)
        return
    known = dict.fromkeys((*(one.id for one in latest(work)), *trajectory_ids))
    neighbourhood = Neighbourhood(embedder)
    runs = (read_run(trajectory_id, work) for trajectory_id in known)
    neighbourhood.take_in(run for run in runs if run.task.is_learned_from)
    for trajectory_id in trajectory_ids:
        yield observe(trajectory_id, work, neighbourhood)

"""Runs read again: one that somebody said something of, and those that were alone at their time.

What the first runs of a kind are worth shows only when others like them have come.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence

from hermes.ports import Embedder
from hermes.records.observation import Observation
from hermes.records.trajectory import Trajectory, TrajectoryState
from hermes.rules.observing.generality import overlap
from hermes.stages.observe.neighbourhood import Neighbourhood
from hermes.stages.observe.run import Run, read_run
from hermes.stages.observe.stage import observe
from hermes.stages.observe.work import Work

_LOOKED_AT = 2_000
_COMPARED = 50


def observe_again(trajectory_id: str, work: Work, embedder: Embedder | None) -> Observation:
    """Compared with those of the latest runs that share most words with it.

    A person waits for this, so it must not cost what a reading of everything would.
    """
    run = read_run(trajectory_id, work)
    neighbourhood = Neighbourhood(embedder)
    neighbourhood.take_in(_likely(run, work))
    return observe(trajectory_id, work, neighbourhood)


def observe_overlooked(
    trajectory_id: str, work: Work, embedder: Embedder | None, kept: Callable[[str], bool]
) -> Iterator[Observation]:
    """The earlier successes like this one that were not kept, as they are read now."""
    run = read_run(trajectory_id, work)
    neighbourhood = Neighbourhood(embedder)
    neighbourhood.take_in((*_likely(run, work), run))
    for other in neighbourhood.alike(run):
        before = work.observations.of_trajectory(other)
        if before is not None and before.success and not kept(other):
            yield observe(other, work, neighbourhood)


def latest(work: Work) -> Sequence[Trajectory]:
    """The last runs that have ended, as many as one run is ever held against."""
    return deque(_ended(work), maxlen=_LOOKED_AT)


def _likely(run: Run, work: Work) -> Iterator[Run]:
    scored = []
    for other in latest(work):
        task = work.tasks.get(other.task_id)
        if task is not None and task.is_learned_from and other.id != run.trajectory.id:
            scored.append((-overlap(run.task.text, task.text), other.id))
    # Of equals the earliest: whoever met a pitfall first is asked before it is called new.
    for _, trajectory_id in sorted(scored)[:_COMPARED]:
        yield read_run(trajectory_id, work)


def _ended(work: Work) -> Iterator[Trajectory]:
    after = ""
    while page := work.trajectories.page_of_work(after, 500):
        yield from (one for one in page if one.state is not TrajectoryState.OPEN)
        after = page[-1].id

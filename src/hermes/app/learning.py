"""Learning from finished work: what is observed, and what people say of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hermes.app.settling import settle_uses
from hermes.errors import Refused, WrongCall
from hermes.ids import new_id, now
from hermes.records.feedback import Feedback
from hermes.records.trajectory import TrajectoryState
from hermes.rules.plain_text import check_storable
from hermes.stages.observe.work import Work

if TYPE_CHECKING:
    from hermes.app.home import Home
    from hermes.records.approval import Approval
    from hermes.records.codec import Json
    from hermes.records.observation import Observation
    from hermes.records.trajectory import Trajectory

__all__ = [
    "Given",
    "Work",
    "forget",
    "give_feedback",
    "observing",
    "read_again",
    "read_all",
    "read_overlooked",
]

_FEW = 5  # new runs, for each of which the earlier ones like it are looked through


def observing(home: Home) -> Work:
    """The part of the store that holds what was done and how it is read."""
    from hermes.store.tables.feedback import FeedbackTable
    from hermes.store.tables.observation import ObservationTable
    from hermes.store.tables.task import TaskTable
    from hermes.store.tables.trajectory import TrajectoryTable

    database = home.database
    return Work(
        trajectories=TrajectoryTable(database),
        tasks=TaskTable(database),
        feedbacks=FeedbackTable(database),
        observations=ObservationTable(database),
        now=now,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """Feedback that was kept, and what the run is taken for since; None while it still goes on."""

    feedback: Feedback
    observation: Observation | None


def give_feedback(
    home: Home,
    trajectory: Trajectory,
    said: Approval,
    *,
    rating: int | None = None,
    correction: str | None = None,
) -> Given:
    """Keep what a person says of a run, and read the run again in that light.

    A run that is now called a failure leaves its pattern, and comes back when that is taken back.
    """
    from hermes.app.episodes import keep_episodes
    from hermes.app.examples import follow_run
    from hermes.rules.redact.credentials import without_credentials

    session = home.sessions.get(trajectory.session_id) if trajectory.session_id else None
    if session is not None and session.is_review:
        raise Refused(
            f"{trajectory.id} is a look back at other work",
            hint="what it proposed is judged by `hermes review`",
        )
    work = observing(home)
    task = work.tasks.get(trajectory.task_id)
    if task is not None and not task.is_learned_from:
        raise Refused(f"{trajectory.id} was done so that nothing is learned from it")
    if correction is not None:
        check_storable("the correction", correction)
        correction = without_credentials(correction.strip())
        if not correction:
            raise WrongCall("a correction says what should have happened")
    feedback = Feedback(
        id=new_id("feedback"),
        trajectory_id=trajectory.id,
        rating=rating,
        correction=correction,
        by=said.by,
        at=said.at,
    )
    with home.database.transaction():
        work.feedbacks.add(feedback)
        kind = "trajectory.corrected" if rating is None else "trajectory.rated"
        _tell(home, kind, trajectory.id, said, {} if rating is None else {"rating": rating})
    if trajectory.state is TrajectoryState.OPEN:
        return Given(feedback=feedback, observation=None)
    observation = read_again(home, trajectory.id)
    settle_uses(home)([observation])
    keep_episodes(home, work, [observation], embed=False)
    follow_run(home, trajectory)
    return Given(feedback=feedback, observation=observation)


def read_again(home: Home, trajectory_id: str) -> Observation:
    """Observe one run by itself."""
    (observation,) = read_all(home, [trajectory_id])
    return observation


def read_all(home: Home, trajectory_ids: Sequence[str]) -> Iterator[Observation]:
    """Observe ended runs; by words alone where the embedder's packages are missing."""
    from hermes.app.embedding import embedder
    from hermes.models.minilm import missing_packages
    from hermes.stages.observe.all_of import observe_all

    model = None if missing_packages() else embedder()
    return observe_all(trajectory_ids, observing(home), model)


def read_overlooked(
    home: Home, observed: Sequence[Observation], worth: float
) -> Iterator[Observation]:
    """Earlier runs that these new ones show to be of a kind. Of an import all are known anyway."""
    from hermes.app.embedding import embedder
    from hermes.app.examples import examples_of
    from hermes.models.minilm import missing_packages
    from hermes.stages.extract.examples import example_id_of
    from hermes.stages.observe.again import observe_overlooked

    if len(observed) > _FEW:
        return
    work, examples = observing(home), examples_of(home)
    model = None if missing_packages() else embedder()
    seen = {one.trajectory_id for one in observed}

    def is_known(trajectory_id: str) -> bool:
        run = work.trajectories.get(trajectory_id)
        kept = run is not None and examples.get(example_id_of(run)) is not None
        return kept or trajectory_id in seen

    for one in observed:
        if one.success:
            for found in observe_overlooked(one.trajectory_id, work, model, is_known):
                seen.add(found.trajectory_id)
                if found.learning_value >= worth:
                    yield found


def forget(home: Home, chosen: Sequence[Trajectory], said: Approval) -> None:
    """Delete trajectories with all that hangs on them, their files too if nothing else names them.

    Who did it stays in the audit trail.
    """
    from hermes.app.episodes import forget_episodes
    from hermes.app.importing import blobs

    work, kept = observing(home), blobs(home)
    for one in chosen:
        if one.state is TrajectoryState.OPEN:
            raise Refused(f"{one.id} still goes on", hint="delete it when it has ended")
    forget_episodes(home, chosen, said)
    contents: set[str] = set()
    for one in chosen:
        contents |= _contents(work, one)
        with home.database.transaction():
            _tell(home, "trajectory.deleted", one.id, said, {})
            work.trajectories.delete(one.id)
    forget_episodes(home, chosen, said)  # a worker may have written one meanwhile
    if contents:
        for content in contents - work.trajectories.in_use(contents):
            kept.delete(content)


def _contents(work: Work, trajectory: Trajectory) -> set[str]:
    task = work.tasks.get(trajectory.task_id)
    named = [one for step in work.trajectories.steps(trajectory.id) for one in step.artefacts]
    named += task.inputs if task else ()
    return {one.content for one in named if one.content is not None}


def _tell(
    home: Home, kind: str, trajectory_id: str, said: Approval, data: Mapping[str, Json]
) -> None:
    """What was said stays out of the trail: it can be forgotten, the trail cannot."""
    known = {**said.how(), **data}
    home.ledger.events.append(kind, actor=said.by, subject_id=trajectory_id, data=known)

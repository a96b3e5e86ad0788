"""Observe: one finished trajectory → one Observation.

Reads: the trajectory, its steps, task and feedback, and the request that followed in its session;
through the Neighbourhood, the other runs it is compared with.
Writes: the Observation, one for each trajectory; a later reading replaces an earlier one.
Never: takes what a tool printed for anybody's word, takes unknown or interrupted for success, lets
a model's opinion decide, shows tenant data in what it writes.
Safe to repeat: the same input gives the same id, and an unchanged reading is not written again.
"""

from __future__ import annotations

from dataclasses import replace

from hermes.ids import derived_id
from hermes.ports import Model
from hermes.records.observation import Observation
from hermes.rules.observing.efficiency import efficiency, figures_of
from hermes.rules.observing.generality import THRESHOLD, generality
from hermes.rules.observing.insights import OPINION, insights
from hermes.rules.observing.learning_value import worth
from hermes.rules.observing.recovery import pitfalls, recoveries_of
from hermes.rules.observing.words import corrections
from hermes.stages.observe.neighbourhood import Neighbourhood, Surroundings
from hermes.stages.observe.opinion import opinion_of
from hermes.stages.observe.run import Run, read_run
from hermes.stages.observe.work import Work


def observe(
    trajectory_id: str, work: Work, neighbourhood: Neighbourhood, judge: Model | None = None
) -> Observation:
    """Read a finished trajectory and keep the reading."""
    run = read_run(trajectory_id, work)
    observation = _reading(run, neighbourhood.around(run), work)
    before = work.observations.of_trajectory(trajectory_id)
    opinions = _opinions(before)
    if judge is not None:
        opinions = (opinion_of(judge, run),)
    observation = replace(observation, key_insights=observation.key_insights + opinions)
    if before is not None and replace(observation, created_at=before.created_at) == before:
        return before
    work.observations.put(observation)
    return observation


def _reading(run: Run, around: Surroundings, work: Work) -> Observation:
    figures = figures_of(run.steps, run.moves)
    recoveries = recoveries_of(run.moves)
    measured = generality(run.text, around.neighbours)
    value = worth(run.judgement.success, run.moves, recoveries, generalisable=measured >= THRESHOLD)
    facts = insights(
        run.judgement, recoveries, corrections(run.steps), value, figures, around.peers
    )
    ended_at = run.trajectory.ended_at
    assert ended_at is not None  # read_run refuses an open one
    return Observation(
        id=derived_id("observation", ended_at, run.trajectory.id),
        trajectory_id=run.trajectory.id,
        success=run.judgement.success,
        success_source=run.judgement.source,
        confidence=run.judgement.confidence,
        efficiency_score=efficiency(figures, around.peers),
        error_recovery=pitfalls(recoveries, around.pitfalls, run.redactor.text),
        learning_value=value.value,
        key_insights=tuple(map(run.redactor.text, facts)),
        created_at=work.now(),
    )


def _opinions(before: Observation | None) -> tuple[str, ...]:
    """An opinion cost tokens; it stays until a new one is asked for."""
    told = before.key_insights if before is not None else ()
    return tuple(one for one in told if one.startswith(OPINION))

"""What a run was given gets the outcome of the run: as often as the run is read."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from hermes.records.observation import Observation, SuccessSource
from hermes.records.trajectory import ExecutionSummary, TrajectoryState
from hermes.records.use import Outcome, Use
from hermes.stages.refine.settling import Settle
from hermes.testing import samples
from hermes.testing.store import StorePorts

SECONDS = 12.5


@pytest.fixture
def given(ports: StorePorts) -> tuple[Use, Use]:
    """A run of two skills, ended, with 300 tokens in its steps."""
    task = samples.task(id="task_1")
    ports.tasks.add(task)
    run = samples.trajectory(task.id, id="run_1")
    ports.trajectories.add(run)
    for number, tokens in ((1, 100), (2, 0), (3, 200)):
        known = {"tool_name": "shell", **({"tokens": tokens} if tokens else {})}
        ports.trajectories.append(run.id, samples.step(number, metadata=known))
    summary = ExecutionSummary(total_steps=3, tool_calls_count=3, error_count=0, total_time=SECONDS)
    ended = replace(run, state=TrajectoryState.FINISHED, ended_at=samples.LATER, summary=summary)
    ports.trajectories.end(ended)
    uses = []
    for _ in range(2):
        skill = samples.skill()
        version = samples.version(skill.id)
        release = samples.release(skill.id, version.id)
        ports.skills.add(skill)
        ports.versions.add(version, samples.FOLDER.contents())
        ports.releases.add(release)
        use = samples.use(release, task.id, trajectory_id=run.id)
        ports.uses.add(use)
        uses.append(use)
    return uses[0], uses[1]


class Clock:
    def __init__(self) -> None:
        self.now = samples.NOW

    def __call__(self) -> object:
        self.now += timedelta(seconds=1)
        return self.now


def _settle(ports: StorePorts) -> Settle:
    return Settle(uses=ports.uses, trajectories=ports.trajectories, now=Clock())  # type: ignore[arg-type]


def _seen(success: bool | None) -> Observation:
    source = SuccessSource.UNKNOWN if success is None else SuccessSource.VERIFY
    return samples.observation("run_1", success=success, success_source=source)


@pytest.mark.parametrize(
    ("success", "outcome"),
    [(True, Outcome.SUCCESS), (False, Outcome.FAILURE), (None, Outcome.UNKNOWN)],
)
def test_every_use_gets_the_outcome_the_time_and_the_tokens(
    ports: StorePorts, given: tuple[Use, Use], success: bool | None, outcome: Outcome
) -> None:
    assert _settle(ports)([_seen(success)]) == 2
    for use in ports.uses.of_task("task_1"):
        assert (use.outcome, use.seconds, use.tokens) == (outcome, SECONDS, 300)
        assert use.settled_at is not None


def test_the_same_reading_changes_nothing(ports: StorePorts, given: tuple[Use, Use]) -> None:
    _settle(ports)([_seen(True)])
    before = ports.uses.of_task("task_1")
    assert _settle(ports)([_seen(True), _seen(True)]) == 0
    assert ports.uses.of_task("task_1") == before


def test_a_later_reading_takes_the_place_of_the_first(
    ports: StorePorts, given: tuple[Use, Use]
) -> None:
    _settle(ports)([_seen(True)])
    assert _settle(ports)([_seen(False)]) == 2
    outcomes = {use.outcome for use in ports.uses.of_task("task_1")}
    assert outcomes == {Outcome.FAILURE}
    rates = ports.uses.rates([use.skill_id for use in given])
    assert set(rates.values()) == {(0, 1)}


def test_what_nobody_knows_counts_for_nothing(ports: StorePorts, given: tuple[Use, Use]) -> None:
    _settle(ports)([_seen(None)])
    assert ports.uses.rates([use.skill_id for use in given]) == {}


def test_another_run_of_the_same_task_is_left_alone(
    ports: StorePorts, given: tuple[Use, Use]
) -> None:
    ports.trajectories.add(samples.trajectory("task_1", id="run_2"))
    other = replace(given[0], id="use_other", trajectory_id="run_2")
    ports.uses.add(other)
    _settle(ports)([_seen(True)])
    assert ports.uses.get("use_other") == other


def test_a_run_that_was_forgotten_meanwhile_settles_nothing(ports: StorePorts) -> None:
    assert _settle(ports)([_seen(True)]) == 0

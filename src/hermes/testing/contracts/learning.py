"""Observations, examples, patterns, clusters, uses and feedback: what the loop learns from."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hermes.errors import Conflict, NotFound
from hermes.records.example import ExampleStatus
from hermes.records.observation import SuccessSource
from hermes.records.use import Arm, Outcome
from hermes.testing import samples
from hermes.testing.contracts.releases import released
from hermes.testing.contracts.trajectories import begin
from hermes.testing.store import StorePorts


def a_trajectory_has_one_observation(ports: StorePorts) -> None:
    opened = begin(ports)
    first = samples.observation(opened.id)
    ports.observations.put(first)
    ports.observations.put(first)
    assert ports.observations.of_trajectory(opened.id) == first
    unknown = samples.observation(
        opened.id, success=None, success_source=SuccessSource.UNKNOWN, efficiency_score=None
    )
    ports.observations.put(unknown)
    assert ports.observations.of_trajectory(opened.id) == unknown
    assert ports.observations.of_trajectory("trj_nothing") is None


def an_example_comes_back_as_it_was(ports: StorePorts) -> None:
    one = samples.example(inputs={"window": "24h", "sources": ["a", {"b": None}]}, notes="ok")
    ports.examples.add(one)
    assert ports.examples.get(one.id) == one
    assert ports.examples.get("exm_nothing") is None
    with pytest.raises(Conflict):
        ports.examples.add(one)


def an_example_is_reviewed_again(ports: StorePorts) -> None:
    one = samples.example()
    ports.examples.add(one)
    for status in (ExampleStatus.APPROVED, ExampleStatus.REJECTED):
        reviewed = replace(one, status=status, reviewer="ana", reviewed_at=samples.LATER)
        ports.examples.replace(reviewed)
        assert ports.examples.get(one.id) == reviewed
    with pytest.raises(NotFound):
        ports.examples.replace(samples.example())


def examples_come_by_status_and_pages(ports: StorePorts) -> None:
    captured = [samples.example() for _ in range(3)]
    approved = samples.example(status=ExampleStatus.APPROVED, reviewer="ana")
    for one in (*captured, approved):
        ports.examples.add(one)
    assert ports.examples.page() == [*captured, approved]
    assert ports.examples.page(ExampleStatus.APPROVED) == [approved]
    assert ports.examples.page(ExampleStatus.CAPTURED, after=captured[0].id, limit=1) == [
        captured[1]
    ]


def a_pattern_grows(ports: StorePorts) -> None:
    one, two = samples.pattern(), samples.pattern()
    ports.patterns.put(one)
    ports.patterns.put(two)
    grown = replace(one, example_ids=("exm_1", "exm_2"), updated_at=samples.LATER)
    ports.patterns.put(grown)
    assert ports.patterns.get(one.id) == grown
    assert ports.patterns.page() == [grown, two]
    assert ports.patterns.page(after=one.id) == [two]
    assert ports.patterns.get("pat_nothing") is None


def a_pattern_that_was_merged_goes(ports: StorePorts) -> None:
    one = samples.pattern()
    ports.patterns.put(one)
    assert ports.patterns.delete(one.id)
    assert ports.patterns.get(one.id) is None
    assert not ports.patterns.delete(one.id)


def clusters_keep_their_members(ports: StorePorts) -> None:
    first, second = samples.example(), samples.example()
    with ports.transactions.transaction():
        for one in (first, second):
            ports.examples.add(one)
            ports.clusters.put(one.id, f"pattern_{one.id}", b"\0\0\x80?")
            ports.clusters.save(f"pattern_{one.id}", 1, b"\0\0\x80?")
    assert ports.clusters.of(first.id) == (f"pattern_{first.id}", b"\0\0\x80?")
    assert ports.clusters.of("exm_nothing") is None
    with ports.transactions.transaction():
        ports.clusters.move([second.id], f"pattern_{first.id}")
        ports.clusters.save(f"pattern_{first.id}", 2, b"\0\0\0@")
        ports.clusters.drop(f"pattern_{second.id}")
    assert [key for key, _ in ports.clusters.members(f"pattern_{first.id}")] == [
        first.id,
        second.id,
    ]
    assert ports.clusters.all() == [(f"pattern_{first.id}", 2, b"\0\0\0@")]
    assert not ports.clusters.drop_foreign()


def a_use_is_settled(ports: StorePorts) -> None:
    live, asked = released(ports), samples.task()
    ports.tasks.add(asked)
    one = samples.use(live, asked.id)
    control = samples.use(live, asked.id, arm=Arm.CONTROL)
    ports.uses.add(one)
    ports.uses.add(control)
    settled = replace(
        one, outcome=Outcome.SUCCESS, seconds=1.25, tokens=900, settled_at=samples.LATER
    )
    ports.uses.replace(settled)
    assert ports.uses.get(one.id) == settled
    assert ports.uses.get("use_nothing") is None
    assert ports.uses.of_release(live.id) == [settled, control]
    assert ports.uses.of_task(asked.id) == [settled, control]
    assert ports.uses.of_task("tsk_nothing") == []
    with pytest.raises(Conflict):
        ports.uses.add(one)
    with pytest.raises(NotFound):
        ports.uses.replace(samples.use(live, asked.id))


def a_share_is_of_the_tasks_that_went_well(ports: StorePorts) -> None:
    often, once, never = released(ports), released(ports), released(ports)
    assert ports.uses.success_shares() == {}
    for number in range(4):
        asked = samples.task()
        ports.tasks.add(asked)
        went_well = {"outcome": Outcome.SUCCESS, "settled_at": samples.LATER}
        arms = {often: Arm.RELEASE, once: Arm.CONTROL if number else Arm.RELEASE}
        for live, arm in arms.items():
            ports.uses.add(samples.use(live, asked.id, arm=arm, **went_well))
        ports.uses.add(samples.use(often, asked.id, **went_well))
        ports.uses.add(samples.use(never, asked.id, outcome=Outcome.FAILURE))
    assert ports.uses.success_shares() == {often.skill_id: 1.0, once.skill_id: 0.25}


def feedback_comes_in_order(ports: StorePorts) -> None:
    opened = begin(ports)
    rated = samples.feedback(opened.id)
    corrected = samples.feedback(opened.id, rating=None, correction="sort by date")
    ports.feedback.add(rated)
    ports.feedback.add(corrected)
    assert ports.feedback.of_trajectory(opened.id) == [rated, corrected]
    assert ports.feedback.of_trajectory("trj_nothing") == []
    with pytest.raises(Conflict):
        ports.feedback.add(rated)


CHECKS = (
    a_trajectory_has_one_observation,
    an_example_comes_back_as_it_was,
    an_example_is_reviewed_again,
    examples_come_by_status_and_pages,
    a_pattern_grows,
    a_pattern_that_was_merged_goes,
    clusters_keep_their_members,
    a_use_is_settled,
    a_share_is_of_the_tasks_that_went_well,
    feedback_comes_in_order,
)

"""Which version a task works with: decided once, credited once, kept by whoever goes on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hermes.records.release import Release
from hermes.records.skill import Skill
from hermes.records.turn import Offer
from hermes.records.use import Arm
from hermes.stages.execute.assignments import Assignments
from hermes.testing import samples
from hermes.testing.store import StorePorts


@pytest.fixture
def released(ports: StorePorts) -> tuple[Skill, Release]:
    skill = samples.skill(name="totals")
    version = samples.version(skill.id)
    release = samples.release(skill.id, version.id)
    ports.skills.add(skill)
    ports.versions.add(version, samples.FOLDER.contents())
    ports.releases.add(release)
    ports.tasks.add(samples.task(id="task_1"))
    ports.tasks.add(samples.task(id="task_2"))
    for number in (1, 2):
        run = samples.trajectory(f"task_{number}", id=f"run_{number}")
        ports.trajectories.add(run)
    return skill, release


def _desk(ports: StorePorts) -> Assignments:
    return Assignments(ports.uses, ports.releases, ports.skills, lambda: samples.NOW)


def _offer(skill: Skill, release: Release, why: str = "relevance 0.90") -> Offer:
    return Offer(
        skill_id=skill.id,
        name=skill.name,
        version_id=release.version_id,
        release_id=release.id,
        arm=Arm.RELEASE,
        why=why,
    )


def test_what_is_merely_offered_is_no_use(
    ports: StorePorts, released: tuple[Skill, Release]
) -> None:
    desk = _desk(ports)
    desk.begin("task_1", "run_1", [_offer(*released)])
    assert desk.version_of("totals") == released[1].version_id
    assert desk.version_of("others") is None
    assert ports.uses.of_task("task_1") == []


def test_what_is_given_is_one_use_however_often(
    ports: StorePorts, released: tuple[Skill, Release]
) -> None:
    skill, release = released
    desk = _desk(ports)
    desk.begin("task_1", "run_1", [_offer(skill, release)])
    for _ in range(3):
        desk.give(skill.id, skill.name, release.version_id)
    (use,) = ports.uses.of_task("task_1")
    assert (use.release_id, use.trajectory_id, use.reason) == (
        release.id,
        "run_1",
        "relevance 0.90",
    )
    assert use.settled_at is None


def test_what_was_not_offered_says_who_asked(
    ports: StorePorts, released: tuple[Skill, Release]
) -> None:
    skill, release = released
    desk = _desk(ports)
    desk.begin("task_1", "run_1", [])
    desk.give(skill.id, skill.name, release.version_id, "the agent read it")
    (use,) = ports.uses.of_task("task_1")
    assert use.reason == "the agent read it"
    assert desk.version_of(skill.name) == release.version_id


def test_a_draft_or_an_overlay_credits_no_release(
    ports: StorePorts, released: tuple[Skill, Release]
) -> None:
    skill, release = released
    desk = _desk(ports)
    desk.begin("task_1", "run_1", [replace(_offer(skill, release), release_id=None)])
    desk.give(skill.id, skill.name, release.version_id)
    desk.begin("task_2", "run_2", [_offer(skill, release)])
    desk.give(skill.id, skill.name, "version_of_a_draft")
    assert ports.uses.of_task("task_1") == []
    assert ports.uses.of_task("task_2") == []


def test_a_task_that_another_process_takes_up_keeps_its_version(
    ports: StorePorts, released: tuple[Skill, Release]
) -> None:
    skill, release = released
    first = _desk(ports)
    first.begin("task_1", "run_1", [_offer(skill, release)])
    first.give(skill.id, skill.name, release.version_id)
    newer = replace(_offer(skill, release), version_id="version_new", release_id="release_new")
    second = _desk(ports)
    second.begin("task_1", "run_1", [newer])
    assert second.version_of(skill.name) == release.version_id
    second.give(skill.id, skill.name, release.version_id)
    assert len(ports.uses.of_task("task_1")) == 1
    second.begin("task_2", "run_2", [newer])
    assert second.version_of(skill.name) == "version_new"

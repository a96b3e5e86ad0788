"""Releases, changes and the journal: what is live, and how it came to be."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hermes.errors import Conflict, NotFound
from hermes.records.change import Act
from hermes.records.release import Release, ReleaseState
from hermes.testing import samples
from hermes.testing.store import StorePorts


def released(ports: StorePorts, state: ReleaseState = ReleaseState.ACTIVE) -> Release:
    """A stored release of a new skill."""
    skill = samples.skill()
    ports.skills.add(skill)
    version = samples.version(skill.id)
    ports.versions.add(version, samples.FOLDER.contents())
    release = samples.release(skill.id, version.id, state=state, share=0.5)
    ports.releases.add(release)
    return release


def ended(release: Release) -> Release:
    return replace(
        release, state=ReleaseState.ENDED, ended_at=samples.LATER, end_reason="superseded"
    )


def a_release_comes_back_as_it_was(ports: StorePorts) -> None:
    one = released(ports)
    assert ports.releases.get(one.id) == one
    assert ports.releases.get("rel_nothing") is None
    with pytest.raises(Conflict):
        ports.releases.add(one)
    with pytest.raises(NotFound):
        ports.releases.replace(replace(one, id="rel_nothing"))


def the_current_release_is_the_one_that_has_not_ended(ports: StorePorts) -> None:
    one = released(ports)
    assert ports.releases.current(one.skill_id) == one
    ports.releases.replace(ended(one))
    assert ports.releases.current(one.skill_id) is None
    assert ports.releases.get(one.id) == ended(one)


def an_active_release_comes_before_a_canary(ports: StorePorts) -> None:
    canary = released(ports, ReleaseState.CANARY)
    assert ports.releases.current(canary.skill_id) == canary
    active = samples.release(canary.skill_id, canary.version_id)
    ports.releases.add(active)
    later = samples.release(canary.skill_id, canary.version_id, state=ReleaseState.CANARY)
    ports.releases.add(later)
    assert ports.releases.current(canary.skill_id) == active
    ports.releases.replace(ended(active))
    assert ports.releases.current(canary.skill_id) == later


def two_releases_of_a_skill_are_never_active(ports: StorePorts) -> None:
    one = released(ports)
    second = samples.release(one.skill_id, one.version_id)
    with pytest.raises(Conflict):
        ports.releases.add(second)
    with ports.transactions.transaction():
        ports.releases.replace(ended(one))
        ports.releases.add(second)
    assert ports.releases.current(one.skill_id) == second


def releases_come_oldest_first(ports: StorePorts) -> None:
    one = released(ports)
    ports.releases.replace(ended(one))
    two = samples.release(one.skill_id, one.version_id, previous_version_id=one.version_id)
    ports.releases.add(two)
    other = released(ports)
    assert ports.releases.of_skill(one.skill_id) == [ended(one), two]
    assert ports.releases.page() == [ended(one), two, other]
    assert ports.releases.page(after=one.id, limit=1) == [two]
    assert ports.releases.of_skill("skl_nothing") == []


def changes_come_oldest_first(ports: StorePorts) -> None:
    one = released(ports)
    archived = samples.change(one.skill_id, act=Act.ARCHIVE, version_id=one.version_id)
    restored = samples.change(one.skill_id, act=Act.RESTORE)
    for change in (restored, archived):
        ports.changes.add(change)
    assert ports.changes.of_skill(one.skill_id) == [archived, restored]
    assert ports.changes.of_skill("skl_nothing") == []
    with pytest.raises(Conflict):
        ports.changes.add(archived)


def an_intent_is_pending_until_it_is_closed(ports: StorePorts) -> None:
    one, other = samples.intent("skl_1"), samples.intent("skl_2", old_tree="f" * 64)
    elsewhere = samples.intent("skl_1", home="/elsewhere")
    for intent in (one, other, elsewhere):
        ports.journal.open(intent)
    assert ports.journal.pending(one.home) == [one, other]
    assert ports.journal.pending(one.home, "skl_2") == [other]
    assert ports.journal.pending("/nowhere") == []
    with pytest.raises(Conflict):
        ports.journal.open(one)
    assert ports.journal.close(one.id)
    assert not ports.journal.close(one.id)
    assert ports.journal.pending(one.home) == [other]


CHECKS = (
    a_release_comes_back_as_it_was,
    the_current_release_is_the_one_that_has_not_ended,
    an_active_release_comes_before_a_canary,
    two_releases_of_a_skill_are_never_active,
    releases_come_oldest_first,
    changes_come_oldest_first,
    an_intent_is_pending_until_it_is_closed,
)

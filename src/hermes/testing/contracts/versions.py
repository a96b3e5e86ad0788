"""Versions and the bytes of their folders."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hermes.errors import Conflict, CorruptData, NotFound, Refused, WrongCall
from hermes.records.folder import FileContent, Folder
from hermes.records.version import VersionState
from hermes.testing import samples
from hermes.testing.store import StorePorts


def a_version_comes_back_as_it_was(ports: StorePorts) -> None:
    skill = samples.skill()
    ports.skills.add(skill)
    folder = Folder({"SKILL.md": FileContent(bytes(range(256)) * 4), "empty": FileContent(b"")})
    one = samples.version(skill.id, folder)
    ports.versions.add(one, folder.contents())
    assert ports.versions.get(one.id) == one
    assert ports.versions.folder(one) == folder
    assert ports.versions.get("ver_nothing") is None


def a_history_comes_oldest_first(ports: StorePorts) -> None:
    skill = samples.skill()
    ports.skills.add(skill)
    assert ports.versions.next_number(skill.id) == 1
    history = [samples.version(skill.id, number=number) for number in (1, 2, 3)]
    for one in reversed(history):
        ports.versions.add(one, samples.FOLDER.contents())
    assert ports.versions.of_skill(skill.id) == history
    assert ports.versions.next_number(skill.id) == 4
    assert ports.versions.of_skill("skl_nothing") == []


def a_number_is_taken_once(ports: StorePorts) -> None:
    skill = samples.skill()
    ports.skills.add(skill)
    ports.versions.add(samples.version(skill.id), samples.FOLDER.contents())
    with pytest.raises(Conflict):
        ports.versions.add(samples.version(skill.id), samples.FOLDER.contents())


def bytes_that_are_known_need_not_come_again(ports: StorePorts) -> None:
    skill = samples.skill()
    ports.skills.add(skill)
    ports.versions.add(samples.version(skill.id), samples.FOLDER.contents())
    again = samples.version(skill.id, number=2)
    ports.versions.add(again, ())
    assert ports.versions.folder(again) == samples.FOLDER


def a_version_without_its_bytes_is_refused(ports: StorePorts) -> None:
    skill = samples.skill()
    ports.skills.add(skill)
    with pytest.raises(WrongCall):
        ports.versions.add(samples.version(skill.id), ())
    with pytest.raises(WrongCall):
        ports.versions.add(samples.version(skill.id), [("0" * 64, b"something else")])
    assert ports.versions.of_skill(skill.id) == []


def only_the_state_moves(ports: StorePorts) -> None:
    skill = samples.skill()
    ports.skills.add(skill)
    one = samples.version(skill.id)
    ports.versions.add(one, samples.FOLDER.contents())
    moved = replace(one, state=VersionState.VALIDATED)
    ports.versions.replace(moved)
    assert ports.versions.get(one.id) == moved
    with pytest.raises(Refused):
        ports.versions.replace(replace(moved, author="somebody else"))
    with pytest.raises(NotFound):
        ports.versions.replace(samples.version(skill.id, number=9))
    assert ports.versions.get(one.id) == moved


def content_is_found_by_its_hash(ports: StorePorts) -> None:
    skill = samples.skill()
    ports.skills.add(skill)
    ports.versions.add(samples.version(skill.id), samples.FOLDER.contents())
    for content, data in samples.FOLDER.contents():
        assert ports.versions.content(content) == data
    with pytest.raises(CorruptData, match="0000"):
        ports.versions.content("0" * 64)


def a_list_shows_the_live_version(ports: StorePorts) -> None:
    draft = samples.skill(name="b-draft", pinned=True)
    live = samples.skill(name="a-live", proven=True)
    ports.skills.add(draft)
    ports.skills.add(live)
    one = samples.version(live.id, number=3)
    ports.versions.add(one, samples.FOLDER.contents())
    ports.skills.replace(replace(live, active_version_id=one.id))
    first, second = ports.listing.lines()
    assert (first.name, first.version, first.proven, first.pinned) == ("a-live", 3, True, False)
    assert (second.name, second.version, second.proven) == ("b-draft", None, False)
    assert second.pinned is True


def a_version_of_no_skill_is_refused(ports: StorePorts) -> None:
    with pytest.raises(NotFound):
        ports.versions.add(samples.version("skl_nothing"), samples.FOLDER.contents())


CHECKS = (
    a_version_comes_back_as_it_was,
    a_history_comes_oldest_first,
    a_number_is_taken_once,
    bytes_that_are_known_need_not_come_again,
    a_version_without_its_bytes_is_refused,
    only_the_state_moves,
    content_is_found_by_its_hash,
    a_list_shows_the_live_version,
    a_version_of_no_skill_is_refused,
)

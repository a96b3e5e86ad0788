"""What a journal may hold that can never be finished: nobody is locked out of their home."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from hermes.app import Home
from hermes.errors import CorruptData
from hermes.ids import canonical_json, new_id, now
from hermes.records.codec import dump
from hermes.records.intent import Intent
from hermes.records.skill import Skill
from hermes.stages.promote import plans
from hermes.testing import samples
from hermes.testing.homes import Desk, Place, skill_text
from hermes.testing.wholeness import faults_of


def half_done_archive(home: Home, reason: str) -> Intent:
    """An archive that died between the swap and the commit of its end."""
    skill: Skill = home.reader.live("a-b").skill
    active = home.ledger.active(skill)
    assert active is not None
    change = replace(samples.change(skill.id), version_id=active.id, reason=reason)
    intent = Intent(
        id=new_id("intent"),
        home=home.loop.desk.home,
        skill_id=skill.id,
        location=skill.location,
        old_tree=active.tree,
        new_tree=None,
        new_version_id=None,
        work=canonical_json(dump(plans.archiving(skill, change))),
        created_at=now(),
    )
    home.ledger.journal.open(intent)
    home.loop.desk.library.exchange(intent, None)
    return intent


@pytest.fixture
def made(place: Place) -> Place:
    with place.open() as home:
        Desk(home).manage("create", name="a-b", content=skill_text("a-b", body="one"))
    return place


def test_a_half_done_archive_is_finished(made: Place) -> None:
    with made.open() as home:
        half_done_archive(home, "unused")
    with made.open() as home:
        assert Desk(home).names() == []
        assert faults_of(home) == []


def test_an_end_that_no_database_takes_is_given_up_and_the_folder_comes_back(made: Place) -> None:
    with made.open() as home:
        half_done_archive(home, "with a NUL: \0")
    assert not (made.skills / "a-b").exists()
    with made.open() as home:
        assert "one" in Desk(home).view("a-b")["content"]
        assert (made.skills / "a-b" / "SKILL.md").exists()
        assert home.ledger.events.latest()[-1].kind == "release.interrupted"
        assert faults_of(home) == []


def test_an_end_that_cannot_be_read_is_told_and_nothing_is_guessed(made: Place) -> None:
    with made.open() as home:
        intent = half_done_archive(home, "unused")
        home.ledger.journal.close(intent.id)
        damaged = {**json.loads(intent.work), "outgoing_state": "no such state"}
        home.ledger.journal.open(replace(intent, work=json.dumps(damaged)))
    with pytest.raises(CorruptData, match=r"journal, a-b: .*no such state"):
        made.open()


def test_a_home_whose_id_is_damaged_says_so(made: Place) -> None:
    file = made.root / "loop" / "data" / "home-id"
    kept = file.read_text()
    for damage in ("", "\0\0\0", "not an id"):
        file.write_text(damage)
        with pytest.raises(CorruptData, match="home-id: is no home's id"):
            made.open()
    file.write_text(kept)
    made.open().close()

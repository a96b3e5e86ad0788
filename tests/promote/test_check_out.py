"""A database that came from elsewhere gets its folders."""

from __future__ import annotations

import shutil

from hermes.app import Home
from hermes.records.change import Act
from hermes.testing.homes import AGENT, Desk, Place, person, skill_text


def test_only_live_skills_without_a_folder_are_written(
    desk: Desk, home: Home, place: Place
) -> None:
    desk.manage("create", name="lost", content=skill_text("lost", body="one"), category="data")
    desk.manage("create", name="there", content=skill_text("there"))
    desk.manage("create", name="put-away", content=skill_text("put-away"))
    home.loop.act("put-away", Act.ARCHIVE, person())
    desk.manage("create", caller=AGENT, name="waits", content=skill_text("waits"))
    shutil.rmtree(place.skills / "data" / "lost")
    edited = place.skills / "there" / "SKILL.md"
    edited.write_text(skill_text("there", body="edited"))
    written = list(home.loop.check_out(person("ana", "restored from b.zip")))
    assert written == ["lost"]
    restored = place.skills / "data" / "lost" / "SKILL.md"
    assert restored.read_text() == skill_text("lost", body="one")
    assert edited.read_text() == skill_text("there", body="edited"), "what is there is not touched"
    assert not (place.skills / "put-away").exists()
    assert not (place.skills / "waits").exists()
    event = home.ledger.events.latest(limit=1)[0]
    assert (event.kind, event.actor) == ("skill.restored", "ana")


def test_a_second_time_there_is_nothing_to_do(desk: Desk, home: Home, place: Place) -> None:
    desk.manage("create", name="lost", content=skill_text("lost"))
    shutil.rmtree(place.skills / "lost")
    assert list(home.loop.check_out(person())) == ["lost"]
    assert list(home.loop.check_out(person())) == []


def test_a_skill_in_an_external_folder_is_left_to_its_owner(place: Place) -> None:
    elsewhere = place.root.parent / "elsewhere"
    (elsewhere / "theirs").mkdir(parents=True)
    (elsewhere / "theirs" / "SKILL.md").write_text(skill_text("theirs"))
    config = place.root / "loop" / "config.yaml"
    config.parent.mkdir(parents=True)
    config.write_text(f"skills:\n  external_dirs: [{elsewhere}]\n")
    with place.open() as home:
        home.reader.look()
        assert home.ledger.skills.named("theirs", "personal") is not None
        shutil.rmtree(elsewhere / "theirs")
        assert list(home.loop.check_out(person())) == []

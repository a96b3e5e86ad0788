"""The sweeper: processes that live long see every change, asked or not."""

from __future__ import annotations

import time
from collections.abc import Callable

from hermes.app import Home
from hermes.errors import HermesError
from hermes.library.sweeper import Sweeper
from hermes.testing.homes import Desk, Place, skill_text

PATIENCE_S = 20.0


def wait_for(condition: Callable[[], object]) -> None:
    ends = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < ends, "waited in vain"
        time.sleep(0.01)


def test_an_edit_is_recorded_though_nobody_reads(home: Home, desk: Desk, place: Place) -> None:
    desk.manage("create", name="a-b", content=skill_text("a-b", "Old words."))

    def described() -> str | None:
        skill = home.ledger.skills.named("a-b", "personal")
        return skill.description if skill else None

    sweeper = Sweeper(home.reader, lambda error: None, interval_s=0.01)
    sweeper.start()
    (place.skills / "a-b" / "SKILL.md").write_text(skill_text("a-b", "New words."))
    wait_for(lambda: described() == "New words.")
    sweeper.stop()


def test_a_look_that_fails_is_told_and_tried_again(home: Home, desk: Desk, place: Place) -> None:
    desk.manage("create", name="a-b", content=skill_text("a-b"))
    desk.names()
    told: list[HermesError] = []
    sweeper = Sweeper(home.reader, told.append, interval_s=0.01)
    away = place.skills.with_name("unmounted")
    place.skills.rename(away)
    sweeper.start()
    wait_for(lambda: len(told) > 1)
    assert "the skills folder is gone" in told[0].message
    away.rename(place.skills)
    before = len(told)
    (place.skills / "c-d").mkdir()
    (place.skills / "c-d" / "SKILL.md").write_text(skill_text("c-d"))
    wait_for(lambda: home.ledger.skills.named("c-d", "personal"))
    sweeper.stop()
    assert len(told) <= before + 2

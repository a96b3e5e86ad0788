"""Hosts that a skill was granted, through everything that can happen to the skill."""

from __future__ import annotations

import pytest

from hermes.app import Home
from hermes.app.granting import granted_hosts, network_grant
from hermes.errors import NotFound, Refused, WrongCall
from hermes.records.change import Act
from hermes.records.skill import Skill
from hermes.testing.homes import AGENT, Desk, Place, person, skill_text

HOST = "api.example.com"


def skill_of(home: Home, name: str = "rates") -> Skill:
    home.reader.look()
    (found,) = [one for one in home.ledger.skills.all() if one.name == name]
    return found


def hosts(home: Home) -> tuple[str, ...]:
    return granted_hosts(home, skill_of(home))


@pytest.fixture
def granted(home: Home, desk: Desk) -> Home:
    """A home with one live skill that may reach one host."""
    desk.manage("create", name="rates", content=skill_text("rates", body="one"))
    (grant,) = home.loop.grant("rates", [HOST], person("ana"))
    assert grant.host == HOST
    return home


def test_a_grant_is_kept_with_its_person_and_told(granted: Home) -> None:
    assert hosts(granted) == (HOST,)
    policy_value = network_grant(granted, skill_of(granted))
    assert policy_value is not None
    assert policy_value.approved_by == "ana"
    event = granted.ledger.events.latest()[-1]
    assert (event.kind, event.actor, event.data["hosts"]) == ("network.granted", "ana", [HOST])


def test_the_same_again_changes_nothing(granted: Home) -> None:
    before = len(granted.ledger.events.latest())
    assert granted.loop.grant("rates", [HOST, HOST.upper()], person("bob")) == ()
    assert len(granted.ledger.events.latest()) == before


def test_a_version_by_an_agent_has_none_and_a_rollback_brings_it_back(
    granted: Home, desk: Desk
) -> None:
    desk.manage("patch", name="rates", old_string="one", new_string="two")
    assert hosts(granted) == ()
    granted.loop.grant("rates", ["other.example.com"], person("ana"))
    assert hosts(granted) == ("other.example.com",)
    granted.loop.rollback("rates", person("ana"))
    assert hosts(granted) == (HOST,)


def test_a_version_that_a_person_approved_but_did_not_write_has_none(
    granted: Home, desk: Desk
) -> None:
    answer = desk.manage("patch", caller=AGENT, name="rates", old_string="one", new_string="two")
    assert hosts(granted) == (HOST,)
    granted.loop.approve(answer["candidate"], person("ana"))
    assert hosts(granted) == ()


def test_an_edit_by_hand_keeps_it(granted: Home, place: Place) -> None:
    (place.skills / "rates" / "SKILL.md").write_text(skill_text("rates", body="by hand"))
    assert hosts(granted) == (HOST,)
    assert granted.ledger.versions.of_skill(skill_of(granted).id)[-1].number == 2


def test_an_archived_skill_reaches_nothing_until_it_is_back(granted: Home) -> None:
    granted.loop.act("rates", Act.ARCHIVE, person("ana"))
    assert hosts(granted) == ()
    with pytest.raises(Refused, match="not live"):
        granted.loop.grant("rates", [HOST], person("ana"))
    granted.loop.act("rates", Act.RESTORE, person("ana"))
    assert hosts(granted) == (HOST,)


def test_what_is_taken_back_stays_in_the_books(granted: Home) -> None:
    (ended,) = granted.loop.revoke("rates", [], person("bob"))
    assert hosts(granted) == ()
    assert granted.ledger.grants.of_skill(ended.skill_id) == [ended]
    assert ended.revoked is not None
    assert ended.revoked.by == "bob"
    assert granted.ledger.events.latest()[-1].kind == "network.revoked"
    assert granted.loop.revoke("rates", [], person("bob")) == ()


def test_a_grant_that_sleeps_is_taken_back_too(granted: Home, desk: Desk) -> None:
    desk.manage("patch", name="rates", old_string="one", new_string="two")
    granted.loop.revoke("rates", [HOST], person("ana"))
    granted.loop.rollback("rates", person("ana"))
    assert hosts(granted) == ()


def test_what_cannot_be_meant_is_refused(granted: Home) -> None:
    with pytest.raises(WrongCall, match="not a host"):
        granted.loop.grant("rates", ["ok.example.com", "*"], person("ana"))
    assert hosts(granted) == (HOST,)
    with pytest.raises(NotFound, match="was not granted"):
        granted.loop.revoke("rates", ["ok.example.com"], person("ana"))
    with pytest.raises(NotFound, match="no skill 'nothing'"):
        granted.loop.grant("nothing", [HOST], person("ana"))

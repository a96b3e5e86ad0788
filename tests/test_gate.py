"""The one gate: what goes live, what waits, who said so, and how it is taken back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hermes.app import Home
from hermes.errors import Conflict, NotFound, Refused, WrongCall
from hermes.records.change import Act
from hermes.records.origin import Origin
from hermes.records.release import ReleaseState
from hermes.records.skill import SkillState
from hermes.records.version import VersionState
from hermes.testing.homes import AGENT, Desk, Place, person, skill_text


def kinds(home: Home) -> list[str]:
    return [event.kind for event in home.ledger.events.page()]


def test_what_a_person_asked_for_is_live_at_once_and_marked_unproven(
    desk: Desk, home: Home, place: Place
) -> None:
    answer = desk.manage("create", name="tidy-csv", content=skill_text("tidy-csv"))
    assert answer["success"], answer
    assert answer["state"] == "active"
    skill = home.ledger.skills.named("tidy-csv", "personal")
    assert skill is not None
    assert not skill.proven
    assert (place.skills / "tidy-csv" / "SKILL.md").read_text() == skill_text("tidy-csv")
    release = home.ledger.releases.current(skill.id)
    assert release is not None
    assert release.approval.by == "policy:review:requested_by_user"


def test_what_an_agent_wrote_on_its_own_waits_and_is_not_on_disk(
    desk: Desk, home: Home, place: Place
) -> None:
    answer = desk.manage("create", caller=AGENT, name="tidy-csv", content=skill_text("tidy-csv"))
    assert answer["state"] == "awaiting_review"
    assert not (place.skills / "tidy-csv").exists()
    assert desk.names() == []
    assert [c.id for c in home.ledger.candidates.awaiting()] == [answer["candidate"]]
    skill = home.ledger.skills.named("tidy-csv", "personal")
    assert skill is not None
    assert skill.description == "Does a thing. Use when testing."


def test_an_approval_makes_it_live_and_the_audit_says_by_whom(
    desk: Desk, home: Home, place: Place
) -> None:
    answer = desk.manage("create", caller=AGENT, name="tidy-csv", content=skill_text("tidy-csv"))
    outcome = home.loop.approve(answer["candidate"], person("ana", "looks right"))
    assert outcome.state is VersionState.ACTIVE
    assert (place.skills / "tidy-csv" / "SKILL.md").exists()
    event = home.ledger.events.page()[-1]
    assert event.kind == "release.activated"
    assert event.data["by"] == "ana"
    assert event.data["note"] == "looks right"
    assert event.data["channel"] == "terminal"
    with pytest.raises(Refused, match="does not wait"):
        home.loop.approve(answer["candidate"], person())


def test_a_rejection_needs_a_reason_and_is_final(desk: Desk, home: Home, place: Place) -> None:
    answer = desk.manage("create", caller=AGENT, name="tidy-csv", content=skill_text("tidy-csv"))
    with pytest.raises(WrongCall, match="reason"):
        home.loop.reject(answer["candidate"], person())
    outcome = home.loop.reject(answer["candidate"], person(note="too vague"))
    assert outcome.state is VersionState.REJECTED
    with pytest.raises(Refused):
        home.loop.approve(answer["candidate"], person())
    assert not (place.skills / "tidy-csv").exists()
    again = desk.manage("create", name="tidy-csv", content=skill_text("tidy-csv"))
    assert again["success"], again
    assert again["version"] == 2


def test_policy_trust_lets_an_agent_go_live(place: Place) -> None:
    home = replace(place, policy="trust").open()
    answer = Desk(home).manage("create", caller=AGENT, name="a-b", content=skill_text("a-b"))
    assert answer["state"] == "active"
    skill = home.ledger.skills.named("a-b", "personal")
    assert skill is not None
    assert skill.approver == "policy:trust:assistant_tool"
    home.close()


def test_a_waiting_patch_does_not_undo_what_went_live_after_it(desk: Desk, home: Home) -> None:
    desk.manage("create", name="a-b", content=skill_text("a-b", body="one\n\ntwo"))
    waiting = desk.manage("patch", caller=AGENT, name="a-b", old_string="one", new_string="ONE")
    desk.manage("patch", name="a-b", old_string="two", new_string="TWO")
    with pytest.raises(Conflict, match="another version"):
        home.loop.approve(waiting["candidate"], person())
    assert "TWO" in desk.view("a-b")["content"]


def test_rollback_restores_the_bytes_exactly(desk: Desk, home: Home, place: Place) -> None:
    desk.manage("create", name="a-b", content=skill_text("a-b", body="one"))
    desk.manage("write_file", name="a-b", file_path="scripts/run.py", file_content="print(1)\n")
    before = {
        path.relative_to(place.skills): (path.read_bytes(), path.stat().st_mode & 0o111)
        for path in place.skills.rglob("*")
        if path.is_file()
    }
    desk.manage("patch", name="a-b", old_string="one", new_string="two")
    desk.manage("remove_file", name="a-b", file_path="scripts/run.py")
    home.loop.rollback("a-b", person(), to=2)
    after = {
        path.relative_to(place.skills): (path.read_bytes(), path.stat().st_mode & 0o111)
        for path in place.skills.rglob("*")
        if path.is_file()
    }
    assert after == before
    assert desk.view("a-b")["version"] == 2


def test_rollback_goes_to_the_version_before_and_says_what_it_took_back(
    desk: Desk, home: Home
) -> None:
    desk.manage("create", name="a-b", content=skill_text("a-b", body="one"))
    with pytest.raises(Refused, match="no version before"):
        home.loop.rollback("a-b", person())
    desk.manage("patch", name="a-b", old_string="one", new_string="two")
    outcome = home.loop.rollback("a-b", person("ana", "it was worse"))
    assert outcome.version is not None
    assert outcome.version.number == 1
    skill = home.ledger.skills.named("a-b", "personal")
    assert skill is not None
    states = {v.number: v.state for v in home.ledger.versions.of_skill(skill.id)}
    assert states == {1: VersionState.ACTIVE, 2: VersionState.ROLLED_BACK}
    ended = [r for r in home.ledger.releases.of_skill(skill.id) if r.state is ReleaseState.ENDED]
    assert [r.end_reason for r in ended] == ["replaced by version 2", "it was worse"]


def test_a_version_that_was_rolled_back_can_be_approved_anew(desk: Desk, home: Home) -> None:
    desk.manage("create", name="a-b", content=skill_text("a-b", body="one"))
    desk.manage("patch", name="a-b", old_string="one", new_string="two")
    home.loop.rollback("a-b", person())
    home.loop.rollback("a-b", person(), to=2)
    assert "two" in desk.view("a-b")["content"]
    with pytest.raises(Refused, match="live already"):
        home.loop.rollback("a-b", person(), to=2)
    with pytest.raises(NotFound, match="no version 9"):
        home.loop.rollback("a-b", person(), to=9)


def test_a_pinned_skill_refuses_every_agent_and_says_why(desk: Desk, home: Home) -> None:
    desk.manage("create", name="a-b", content=skill_text("a-b", body="one"))
    home.loop.act("a-b", Act.PIN, person())
    for arguments in (
        {"action": "patch", "old_string": "one", "new_string": "two"},
        {"action": "edit", "content": skill_text("a-b", body="x")},
        {"action": "write_file", "file_path": "scripts/a.py", "file_content": "1"},
        {"action": "delete"},
    ):
        answer = desk.manage(name="a-b", **arguments)
        assert answer["error"] == "refused", answer
        assert "pinned" in answer["message"]
    home.loop.act("a-b", Act.UNPIN, person())
    assert desk.manage("patch", name="a-b", old_string="one", new_string="two")["success"]


def test_archive_and_restore_bring_back_the_same_bytes(
    desk: Desk, home: Home, place: Place
) -> None:
    text = skill_text("a-b", body="one")
    desk.manage("create", name="a-b", content=text, category="data")
    home.loop.act("a-b", Act.ARCHIVE, person(), reason="unused")
    assert not (place.skills / "data" / "a-b").exists()
    assert desk.names() == []
    again = desk.manage("create", name="a-b", content=text)
    assert again["error"] == "refused"
    assert "archived" in again["message"]
    home.loop.act("a-b", Act.RESTORE, person())
    assert (place.skills / "data" / "a-b" / "SKILL.md").read_text() == text
    assert "skill.archived" in kinds(home)
    assert "skill.restored" in kinds(home)


def test_an_act_that_is_so_already_changes_nothing(desk: Desk, home: Home) -> None:
    desk.manage("create", name="a-b", content=skill_text("a-b"))
    assert home.loop.act("a-b", Act.PIN, person()) is not None
    events = kinds(home)
    assert home.loop.act("a-b", Act.PIN, person()) is None
    assert home.loop.act("a-b", Act.ENABLE, person()) is None
    assert kinds(home) == events


def test_an_agent_archives_only_what_agents_made(desk: Desk, home: Home, place: Place) -> None:
    (place.skills / "mine").mkdir(parents=True)
    (place.skills / "mine" / "SKILL.md").write_text(skill_text("mine"))
    home.reader.look()
    answer = desk.manage("delete", caller=AGENT, name="mine")
    assert answer["error"] == "refused"
    assert "ask the user" in answer["hint"]
    desk.manage("create", name="theirs", content=skill_text("theirs"))
    assert desk.manage("delete", caller=AGENT, name="theirs")["state"] == "archived"
    skill = home.ledger.skills.named("theirs", "personal")
    assert skill is not None
    assert skill.state is SkillState.ARCHIVED


def test_nothing_live_lacks_verdict_provenance_or_approver(desk: Desk, home: Home) -> None:
    desk.manage("create", name="a-b", content=skill_text("a-b", body="one"))
    desk.manage("patch", name="a-b", old_string="one", new_string="two")
    waiting = desk.manage("create", caller=AGENT, name="c-d", content=skill_text("c-d"))
    home.loop.approve(waiting["candidate"], person())
    for skill in home.ledger.skills.all():
        release = home.ledger.releases.current(skill.id)
        assert release is not None
        assert release.approval.by
        candidate = home.ledger.candidates.of_version(release.version_id)
        assert candidate is not None
        assert candidate.origin in Origin
        verdicts = home.ledger.verdicts.of_candidate(candidate.id)
        assert verdicts
        assert all(verdict.reason for verdict in verdicts)


def test_a_refused_folder_leaves_a_line_and_no_content(desk: Desk, home: Home) -> None:
    desk.manage("create", name="a-b", content=skill_text("a-b"))
    answer = desk.manage("write_file", name="a-b", file_path="../../evil", file_content="rm -rf /")
    assert answer["error"] == "invalid_skill"
    assert desk.view("a-b")["version"] == 1

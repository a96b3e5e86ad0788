"""skills_list and skill_view: what an agent is shown, and what only its own session is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hermes.app import Home, view_tools
from hermes.library.views import PAGE
from hermes.records.change import Act
from hermes.testing.homes import AGENT, Desk, Place, person, skill_text


def test_a_draft_is_shown_to_its_own_session_and_marked_as_one(desk: Desk, home: Home) -> None:
    desk.manage("create", name="a-b", content=skill_text("a-b", body="live"))
    desk.manage("patch", caller=AGENT, name="a-b", old_string="live", new_string="draft")
    desk.manage("create", caller=AGENT, name="c-d", content=skill_text("c-d", body="draft"))
    for name in ("a-b", "c-d"):
        mine = desk.view(name, session_id=AGENT.session_id)
        assert "draft" in mine["content"]
        assert mine["draft"] is True
    for session in (None, "", "session_2"):
        assert "live" in desk.view("a-b", session_id=session)["content"]
        assert "draft" not in desk.view("a-b", session_id=session)
        assert desk.view("c-d", session_id=session)["error"] == "not_found"
    assert desk.names() == ["a-b"]


def test_a_draft_is_shown_no_more_once_a_person_decided(desk: Desk, home: Home) -> None:
    desk.manage("create", name="a-b", content=skill_text("a-b", body="live"))
    waiting = desk.manage("patch", caller=AGENT, name="a-b", old_string="live", new_string="draft")
    home.loop.reject(waiting["candidate"], person(note="no"))
    answer = desk.view("a-b", session_id=AGENT.session_id)
    assert "live" in answer["content"]
    assert "draft" not in answer


def test_a_draft_of_what_is_live_no_more_gives_way_and_the_session_can_go_on(desk: Desk) -> None:
    desk.manage("create", name="a-b", content=skill_text("a-b", body="live"))
    desk.manage("patch", caller=AGENT, name="a-b", old_string="live", new_string="mine")
    desk.manage("patch", name="a-b", old_string="live", new_string="theirs")
    seen = desk.view("a-b", session_id=AGENT.session_id)
    assert "theirs" in seen["content"]
    assert "draft" not in seen
    desk.manage("patch", caller=AGENT, name="a-b", old_string="theirs", new_string="theirs, mine")
    again = desk.view("a-b", session_id=AGENT.session_id)
    assert "theirs, mine" in again["content"]
    assert again["draft"] is True


def test_the_last_draft_of_a_session_is_the_one_it_sees(desk: Desk) -> None:
    desk.manage("create", caller=AGENT, name="a-b", content=skill_text("a-b", body="first"))
    desk.manage("create", caller=AGENT, name="a-b", content=skill_text("a-b", body="second"))
    assert "second" in desk.view("a-b", session_id=AGENT.session_id)["content"]
    assert len(desk.home.ledger.candidates.awaiting()) == 1  # the first was replaced


def test_a_binary_file_is_described_and_not_decoded(desk: Desk, place: Place) -> None:
    desk.manage("create", name="a-b", content=skill_text("a-b"))
    (place.skills / "a-b" / "assets").mkdir()
    (place.skills / "a-b" / "assets" / "logo.png").write_bytes(b"\x89PNG\r\n\xff")
    answer = desk.view("a-b", file_path="assets/logo.png")
    assert (answer["content"], answer["binary"], answer["size"]) == (None, True, 7)
    json.dumps(answer)


def test_a_file_that_is_not_there_is_told_with_those_that_are(desk: Desk) -> None:
    desk.manage("create", name="a-b", content=skill_text("a-b"))
    desk.manage("write_file", name="a-b", file_path="scripts/run.py", file_content="1")
    for path in ("scripts/other.py", "../a-b/SKILL.md", "/etc/passwd", "scripts", "\0", "\ud800"):
        answer = desk.view("a-b", file_path=path)
        assert answer["error"] == "not_found"
        assert "scripts/run.py" in answer["hint"]
    json.dumps(answer)


def test_a_skill_file_in_small_letters_is_shown(desk: Desk, place: Place) -> None:
    (place.skills / "a-b").mkdir(parents=True)
    (place.skills / "a-b" / "skill.md").write_text(skill_text("a-b", body="small"))
    answer = desk.view("a-b")
    assert "small" in answer["content"]
    assert answer["file"] == "skill.md"


def test_a_list_is_paged_and_every_skill_is_on_one_page(tmp_path: Path) -> None:
    place = Place(tmp_path / "home")
    home = place.open()
    names = sorted(f"s-{number}" for number in range(PAGE * 2 + 10))
    for number, name in enumerate(names):
        folder = place.skills / ("even" if number % 2 else "odd") / name
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text(skill_text(name))
    views = view_tools(home)
    seen, after = [], ""
    for _ in range(3):
        page = views.skills_list(after=after)
        assert page["count"] == len(names)
        seen += [skill["name"] for skill in page["skills"]]
        after = page["next_after"]
    assert after is None
    assert seen == names
    assert page["categories"] == {"even": 205, "odd": 205}
    first = views.skills_list(category="even")
    assert {skill["category"] for skill in first["skills"]} == {"even"}
    assert len(first["skills"]) == PAGE
    assert views.skills_list(category="none")["skills"] == []
    home.close()


@pytest.mark.parametrize("act", [Act.DISABLE, Act.ARCHIVE])
def test_what_is_put_away_is_not_listed(desk: Desk, home: Home, act: Act) -> None:
    desk.manage("create", name="a-b", content=skill_text("a-b"))
    home.loop.act("a-b", act, person())
    assert desk.names() == []
    back = {Act.DISABLE: Act.ENABLE, Act.ARCHIVE: Act.RESTORE}[act]
    home.loop.act("a-b", back, person())
    assert desk.names() == ["a-b"]

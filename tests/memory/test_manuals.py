"""The manuals of live skills are in step with the library, whoever changed it."""

from __future__ import annotations

from hermes.app import Home
from hermes.app.manuals import keep_manuals
from hermes.app.memory import open_memory
from hermes.records.change import Act
from hermes.records.memory import Memory, MemoryKind, Trust
from hermes.testing.homes import Desk, Place, person, skill_text
from hermes.testing.store import store_ports


def manuals(home: Home) -> dict[str, Memory]:
    page = store_ports(home.database).memories.page("personal", MemoryKind.DECLARATIVE)
    return {one.text.split(":")[0].removeprefix("Skill "): one for one in page}


def found(home: Home, query: str) -> list[str]:
    room = open_memory(home, semantic=False)
    items = room.recall.search(query, scopes=["personal"], kinds=[MemoryKind.DECLARATIVE]).items
    return [hit.memory.text.split(":")[0].removeprefix("Skill ") for hit in items]


def add(desk: Desk, name: str, description: str) -> None:
    desk.manage("create", name=name, content=skill_text(name, description))


def test_a_live_skill_has_a_manual_that_says_where_it_is_from(home: Home, desk: Desk) -> None:
    add(desk, "tidy-csv", "Tidies tulip tables. Use when rows are late.")
    assert keep_manuals(home, embed=False) == 1
    (memory,) = manuals(home).values()
    skill = home.ledger.skills.named("tidy-csv", "personal")
    assert skill is not None
    assert memory.text == "Skill tidy-csv: Tidies tulip tables. Use when rows are late."
    assert memory.source == f"skill:{skill.id}@{skill.active_version_id}"
    assert (memory.trust, memory.waiting) == (Trust.USER, False) or memory.approved_by
    assert found(home, "tulip tables") == ["tidy-csv"]


def test_where_nothing_changed_nothing_is_written(home: Home, desk: Desk) -> None:
    add(desk, "tidy-csv", "Tidies tulip tables. Use when rows are late.")
    keep_manuals(home, embed=False)
    before = store_ports(home.database).memory_words.generation()
    assert keep_manuals(home, embed=False) == 0
    assert store_ports(home.database).memory_words.generation() == before


def test_a_hand_edit_changes_the_manual(home: Home, desk: Desk, place: Place) -> None:
    add(desk, "tidy-csv", "Tidies tulip tables. Use when rows are late.")
    keep_manuals(home, embed=False)
    path = place.skills / "tidy-csv" / "SKILL.md"
    path.write_text(skill_text("tidy-csv", "Tidies narwhal tables. Use when rows are late."))
    assert keep_manuals(home, embed=False) == 1
    assert list(manuals(home)) == ["tidy-csv"]
    assert "narwhal" in manuals(home)["tidy-csv"].text
    assert found(home, "tulip") == []


def test_what_another_process_made_is_taken_up(home: Home, place: Place) -> None:
    keep_manuals(home, embed=False)
    with place.open() as other:
        add(Desk(other), "tidy-csv", "Tidies tulip tables. Use when rows are late.")
    assert keep_manuals(home, embed=False) == 1
    assert found(home, "tulip tables") == ["tidy-csv"]


def test_a_skill_that_is_put_away_is_not_recalled_until_it_is_back(home: Home, desk: Desk) -> None:
    add(desk, "tidy-csv", "Tidies tulip tables. Use when rows are late.")
    keep_manuals(home, embed=False)
    for away, back in ((Act.ARCHIVE, Act.RESTORE), (Act.DISABLE, Act.ENABLE)):
        home.loop.act("tidy-csv", away, person())
        assert keep_manuals(home, embed=False) == 1
        assert manuals(home)["tidy-csv"].expires_at is not None
        assert found(home, "tulip tables") == []
        home.loop.act("tidy-csv", back, person())
        assert keep_manuals(home, embed=False) == 1
        assert found(home, "tulip tables") == ["tidy-csv"]


def test_a_rollback_brings_the_old_words_back(home: Home, desk: Desk, place: Place) -> None:
    add(desk, "tidy-csv", "Tidies tulip tables. Use when rows are late.")
    path = place.skills / "tidy-csv" / "SKILL.md"
    path.write_text(skill_text("tidy-csv", "Tidies narwhal tables. Use when rows are late."))
    keep_manuals(home, embed=False)
    assert found(home, "narwhal") == ["tidy-csv"]
    home.loop.rollback("tidy-csv", person())
    keep_manuals(home, embed=False)
    assert found(home, "tulip") == ["tidy-csv"]
    assert found(home, "narwhal") == []


def test_a_folder_that_is_renamed_has_its_manual_under_the_new_name(
    home: Home, desk: Desk, place: Place
) -> None:
    add(desk, "tidy-csv", "Tidies tulip tables. Use when rows are late.")
    keep_manuals(home, embed=False)
    (place.skills / "tidy-csv").rename(place.skills / "neat-csv")
    path = place.skills / "neat-csv" / "SKILL.md"
    path.write_text(skill_text("neat-csv", "Tidies tulip tables. Use when rows are late."))
    keep_manuals(home, embed=False)
    assert found(home, "tulip tables") == ["neat-csv"]


def test_a_draft_has_no_manual(home: Home, desk: Desk) -> None:
    from hermes.testing.homes import AGENT

    desk.manage("create", caller=AGENT, name="draft-csv", content=skill_text("draft-csv"))
    assert keep_manuals(home, embed=False) == 0
    assert manuals(home) == {}

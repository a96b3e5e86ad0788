"""No cache is ever stale: what another process did is in the very next answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from hermes.app import Home, prompt_catalogue, skill_search, view_tools
from hermes.records.change import Act
from hermes.testing.chaos import Tell, run_in_child
from hermes.testing.homes import Desk, Place, person, skill_text

Act_ = Callable[[Home, Desk], object]


class Watcher:
    """A process that lives on, with every cache it has: list, view, search, catalogue."""

    def __init__(self, home: Home) -> None:
        self._desk = Desk(home)
        self._views = view_tools(home)
        self._search = skill_search(home, semantic=False)
        self._catalogue = prompt_catalogue(home, self._search)

    def sees(self, name: str) -> set[str]:
        """Where the skill shows up."""
        answer = self._desk.view(name)
        return {
            where
            for where, found in {
                "list": name in self._desk.names(),
                "view": answer["success"],
                "search": any(hit.skill.name == name for hit in self._search.search(name, 50)),
                "catalogue": name in self._catalogue(name),
            }.items()
            if found
        }

    def describes(self, name: str) -> set[str]:
        """Every description that it would show now."""
        listed = self._views.skills_list()["skills"]
        found = [skill["description"] for skill in listed if skill["name"] == name]
        hits = self._search.search(name, 50)
        found += [hit.skill.description for hit in hits if hit.skill.name == name]
        return set(found)

    def catalogue(self, task: str) -> str:
        return self._catalogue(task)


EVERYWHERE = {"list", "view", "search", "catalogue"}


@pytest.fixture
def watcher(home: Home) -> Watcher:
    return Watcher(home)


@pytest.fixture
def elsewhere(place: Place, home: Home) -> Iterator[Callable[[Act_], None]]:
    """Does something in another process."""

    def act(what: Act_) -> None:
        def in_child(_: Tell) -> None:
            other = place.open()
            what(other, Desk(other))

        run_in_child(in_child)

    return act


def test_a_skill_made_changed_and_put_away_elsewhere_is_seen_at_once(
    watcher: Watcher, elsewhere: Callable[[Act_], None]
) -> None:
    assert watcher.sees("ledger") == set()
    first = skill_text("ledger", "Reads ledgers. Use for books.")
    elsewhere(lambda _, desk: desk.manage("create", name="ledger", content=first))
    assert watcher.sees("ledger") == EVERYWHERE
    second = skill_text("ledger", "Writes ledgers. Use for books.")
    elsewhere(lambda _, desk: desk.manage("edit", name="ledger", content=second))
    assert watcher.describes("ledger") == {"Writes ledgers. Use for books."}
    assert "Writes ledgers" in watcher.catalogue("ledger")
    elsewhere(lambda home, _: home.loop.rollback("ledger", person()))
    assert watcher.describes("ledger") == {"Reads ledgers. Use for books."}
    for gone, back in ((Act.ARCHIVE, Act.RESTORE), (Act.DISABLE, Act.ENABLE)):
        elsewhere(lambda home, _, act=gone: home.loop.act("ledger", act, person()))
        assert watcher.sees("ledger") <= {"view"}
        elsewhere(lambda home, _, act=back: home.loop.act("ledger", act, person()))
        assert watcher.sees("ledger") == EVERYWHERE


@pytest.mark.parametrize("first", ["list", "search", "catalogue"])
def test_a_hand_edit_is_in_the_next_answer_whichever_that_is(
    home: Home, watcher: Watcher, desk: Desk, place: Place, first: str
) -> None:
    desk.manage("create", name="ledger", content=skill_text("ledger", "Reads ledgers."))
    desk.manage("create", name="other", content=skill_text("other", "Something else."))
    assert watcher.sees("ledger") == EVERYWHERE
    file = place.skills / "ledger" / "SKILL.md"
    for number in range(20):
        file.write_text(skill_text("ledger", f"Reads ledgers, edition {number:02}."))
        if first == "list":
            assert f"edition {number:02}" in str(view_tools(home).skills_list())
        elif first == "catalogue":
            assert f"edition {number:02}" in watcher.catalogue("ledger")
        else:
            home.reader.look_at_top()
            watcher.catalogue("ledger")
            assert watcher.describes("ledger") == {f"Reads ledgers, edition {number:02}."}


def test_a_folder_put_there_by_hand_is_in_the_next_prompt(watcher: Watcher, place: Place) -> None:
    watcher.catalogue("ledger")
    for number in range(10):
        folder = place.skills / f"ledger-{number}"
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text(skill_text(folder.name, "Reads ledgers."))
        assert f"ledger-{number}" in watcher.catalogue("ledger")

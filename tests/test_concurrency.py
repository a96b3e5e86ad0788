"""Eight processes at once: no update is lost, nothing is half, every refusal is clear."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from hermes.app import view_tools
from hermes.errors import Conflict, DiskFailed
from hermes.library.locks import Locks
from hermes.records.candidate import Action
from hermes.records.change import Act
from hermes.records.folder import Folder
from hermes.records.origin import Origin
from hermes.records.proposal import Proposal
from hermes.testing.chaos import Tell, run_in_child, run_in_children
from hermes.testing.homes import Desk, Place, person, skill_text
from hermes.testing.wholeness import faults_of

PROCESSES = 8
PATCHES = 4
FOLDERS = 120


def all_at_once(begin_at: float) -> None:
    """Wait for the same moment in every process."""
    time.sleep(max(0.0, begin_at - time.time()))


def insist(call: Callable[[], dict[str, object]]) -> dict[str, object]:
    """Try until it is done; a conflict is the only reason to be refused."""
    for _ in range(1000):
        answer = call()
        if answer["success"]:
            return answer
        assert answer["error"] == "conflict", answer
        assert answer["hint"]
    raise AssertionError("never got its turn")


def test_no_patch_of_the_same_skill_is_lost(place: Place) -> None:
    with place.open() as home:
        Desk(home).manage("create", name="shared", content=skill_text("shared", body="END"))
    begin = time.time() + 0.5

    def work(tell: Tell) -> None:
        desk = Desk(place.open())
        all_at_once(begin)
        for number in range(PATCHES):
            mark = f"mark {os.getpid()} {number}"
            patch = {"old_string": "END", "new_string": f"{mark}\nEND"}
            insist(lambda patch=patch: desk.manage("patch", name="shared", **patch))
            tell("done", "shared", None, mark)

    told = run_in_children(*[work] * PROCESSES)
    marks = [mark for one in told for _, mark in one.stored]
    assert len(marks) == PROCESSES * PATCHES
    with place.open() as home:
        content = Desk(home).view("shared")["content"]
        assert [mark for mark in marks if content.count(f"{mark}\n") != 1] == []
        assert Desk(home).view("shared")["version"] == 1 + len(marks)
        assert faults_of(home) == []


def test_writers_of_different_skills_do_not_disturb_each_other(place: Place) -> None:
    begin = time.time() + 0.5

    def worker(number: int) -> Callable[[Tell], None]:
        def work(tell: Tell) -> None:
            home = place.open()
            desk, name = Desk(home), f"skill-{number}"
            all_at_once(begin)
            assert desk.manage("create", name=name, content=skill_text(name, body="one"))["success"]
            for old, new in (("one", "two"), ("two", "three")):
                answer = desk.manage("patch", name=name, old_string=old, new_string=new)
                assert answer["success"], answer
            home.loop.act(name, Act.ARCHIVE, person())
            home.loop.act(name, Act.RESTORE, person())
            home.loop.rollback(name, person(), to=2)
            tell("done", name, None, "two")

        return work

    run_in_children(*(worker(number) for number in range(PROCESSES)))
    with place.open() as home:
        desk = Desk(home)
        assert desk.names() == [f"skill-{number}" for number in range(PROCESSES)]
        for name in desk.names():
            assert "two" in desk.view(name)["content"]
        assert faults_of(home) == []


def test_homes_that_are_opened_during_writes_take_nothing_away(place: Place) -> None:
    """Every opening tidies up; what it finds may be in use."""
    names = [f"skill-{number}" for number in range(3)]
    with place.open() as home:
        for name in names:
            Desk(home).manage("create", name=name, content=skill_text(name, body="END"))
    until = time.time() + 3

    def writer(name: str) -> Callable[[Tell], None]:
        def work(tell: Tell) -> None:
            desk, number = Desk(place.open()), 0
            while time.time() < until:
                mark = f"mark {number}"
                patch = {"old_string": "END", "new_string": f"{mark}\nEND"}
                answer = desk.manage("patch", name=name, **patch)
                assert answer["success"], answer
                tell("done", name, None, mark)
                number += 1

        return work

    def opener(tell: Tell) -> None:
        while time.time() < until:
            place.open().close()
        tell("done", "", None, None)

    told = run_in_children(*map(writer, names), *[opener] * 5)
    with place.open() as home:
        for one, name in zip(told, names, strict=False):
            content = Desk(home).view(name)["content"]
            assert [mark for _, mark in one.stored if f"{mark}\n" not in content] == []
        assert list(home.settings.paths.data_dir.glob("rescued/*")) == []
        assert faults_of(home) == []


def test_of_eight_that_create_the_same_skill_one_does(place: Place) -> None:
    begin = time.time() + 0.5

    def work(tell: Tell) -> None:
        desk = Desk(place.open())
        all_at_once(begin)
        text = skill_text("only", body=f"by {os.getpid()}")
        answer = desk.manage("create", name="only", content=text)
        if answer["success"]:
            tell("done", "only", None, f"by {os.getpid()}")
        else:
            assert answer["error"] == "conflict", answer

    told = run_in_children(*[work] * PROCESSES)
    (winner,) = [mark for one in told for _, mark in one.stored]
    with place.open() as home:
        assert winner in Desk(home).view("only")["content"]
        assert faults_of(home) == []


def test_eight_first_starts_adopt_every_folder_once(place: Place) -> None:
    for number in range(FOLDERS):
        folder = place.skills / f"s-{number}"
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text(skill_text(folder.name))
    begin = time.time() + 0.5

    def work(tell: Tell) -> None:
        all_at_once(begin)
        home = place.open()
        assert home.reader.look().folders == FOLDERS
        assert view_tools(home).skills_list()["count"] == FOLDERS
        tell("done", "", None, None)

    run_in_children(*[work] * PROCESSES)
    with place.open() as home:
        skills = home.ledger.skills.all()
        assert len(skills) == FOLDERS
        assert {str(skill.origin) for skill in skills} == {"external"}
        assert all(len(home.ledger.versions.of_skill(skill.id)) == 1 for skill in skills)
        assert faults_of(home) == []


def numbered(number: str, parent: str) -> Proposal:
    """A version of skill `pair` whose two files say the same number."""
    return Proposal(
        name="pair",
        folder=Folder({})
        .with_file("SKILL.md", skill_text("pair", body=f"number {number}").encode())
        .with_file("references/n.md", f"number {number}".encode()),
        action=Action.EDIT,
        origin=Origin.REQUESTED_BY_USER,
        author="agent",
        summary="count on",
        parent_version_id=parent,
    )


def number_in(text: str) -> str:
    return text.rpartition("number ")[2].strip()


def test_readers_never_see_half_a_folder_nor_an_error(place: Place) -> None:
    """Both files of every version say the same number; who mixes two versions is found out."""
    with place.open() as home:
        text = skill_text("pair", body="number 0")
        Desk(home).manage("create", name="pair", content=text)
        home.loop.propose(numbered("1", home.reader.live("pair").version.id))
    until = time.time() + 3

    def write(tell: Tell) -> None:
        home, done = place.open(), 0
        while time.time() < until or done < 2:
            try:
                parent = home.reader.live("pair").version.id
                home.loop.propose(numbered(f"{os.getpid()}-{done}", parent))
                done += 1
            except Conflict:
                continue
        tell("done", "", None, str(done))

    def read(tell: Tell) -> None:
        home, done = place.open(), 0
        desk, views = Desk(home), view_tools(home)
        while time.time() < until or done < 2:
            assert [skill["name"] for skill in views.skills_list()["skills"]] == ["pair"]
            one, other = desk.view("pair"), desk.view("pair", file_path="references/n.md")
            assert "problem" not in one, one["problem"]
            if one["version"] == other["version"]:
                assert number_in(one["content"]) == number_in(other["content"])
            done += 1
        tell("done", "", None, str(done))

    def read_as_any_program(tell: Tell) -> None:
        """By the path alone; a folder that is replaced meanwhile may vanish, but never mix."""
        done = 0
        while time.time() < until or done < 2:
            folder = os.open(place.skills / "pair", os.O_RDONLY)
            try:
                numbers = set()
                for name in ("SKILL.md", "references/n.md"):
                    with open(os.open(name, os.O_RDONLY, dir_fd=folder)) as file:
                        numbers.add(number_in(file.read()))
                assert len(numbers) == 1
                done += 1
            except FileNotFoundError:
                continue
            finally:
                os.close(folder)
        tell("done", "", None, str(done))

    told = run_in_children(write, write, *[read] * 3, *[read_as_any_program] * 3)
    assert all(int(mark) > 1 for one in told for _, mark in one.stored), told
    with place.open() as home:
        assert faults_of(home) == []


def test_a_dead_writer_is_in_nobodys_way(place: Place) -> None:
    with place.open() as home:
        Desk(home).manage("create", name="held", content=skill_text("held", body="one"))

    def hold(tell: Tell) -> None:
        with place.open().loop.desk.library.lock("held"):
            tell("ready", "", None, None)
            time.sleep(60)

    run_in_child(hold, kill_after_s=0.0)
    with place.open() as home:
        answer = Desk(home).manage("patch", name="held", old_string="one", new_string="two")
        assert answer["success"], answer


def test_a_writer_that_hangs_is_told_by_the_name_of_its_skill(tmp_path: Path) -> None:
    locks = Locks(tmp_path, wait_s=0.2)
    with (
        locks.hold("other", "held"),
        pytest.raises(Conflict, match="another process has been writing skill 'held'"),
        Locks(tmp_path, wait_s=0.2).hold("held"),
    ):
        pass
    with Locks(tmp_path, wait_s=0.2).hold("held"):
        pass


def test_a_lock_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "locks").write_text("a file where the folder should be")
    with pytest.raises(DiskFailed, match="cannot be opened"), Locks(tmp_path / "locks").hold("a"):
        pass

"""The journalled swap of a folder: whole at every moment, and never over a person's work."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from hermes.errors import Conflict, CorruptData, DiskFailed, Refused
from hermes.ids import new_id
from hermes.library.disk import DiskLibrary
from hermes.library.filesystem import Files
from hermes.library.index import Index, Seen
from hermes.records.folder import FileContent, Folder
from hermes.records.intent import Intent
from hermes.testing.faults import SteppedFiles, TwoStepFiles
from hermes.testing.mounts import run_python
from hermes.testing.samples import NOW
from hermes.testing.wholeness import tree_on_disk

ONE = Folder({"SKILL.md": FileContent(b"one"), "scripts/run.py": FileContent(b"1", True)})
TWO = Folder({"SKILL.md": FileContent(b"two"), "references/deep/notes.md": FileContent(b"n")})


class Shelf:
    """A library in a folder of its own, with less to type."""

    def __init__(self, root: Path, files: Files | None = None) -> None:
        self.skills = root / "skills"
        self.work = root / "loop"
        self.index = Index(self.work / "index.db")
        self.library = DiskLibrary(self.skills, self.work, self.index, files)
        self.last: Intent | None = None

    def swap(self, old: Folder | None, new: Folder | None, location: str = "a-b") -> Intent:
        self.last = Intent(
            id=new_id("intent"),
            home="home",
            skill_id="skill",
            location=location,
            old_tree=old.tree() if old else None,
            new_tree=new.tree() if new else None,
            new_version_id=None,
            work="{}",
            created_at=NOW,
        )
        self.library.exchange(self.last, new)
        return self.last

    def put(self, old: Folder | None, new: Folder | None, location: str = "a-b") -> None:
        self.library.finish(self.swap(old, new, location))

    def take_back(self) -> None:
        assert self.last is not None
        self.library.withdraw(self.last)

    def tree(self, location: str = "a-b") -> str | None:
        return tree_on_disk(self.skills / location)

    def slots(self) -> list[str]:
        places = (self.work / "slots", self.skills / ".hermes-loop")
        return [name for place in places if place.is_dir() for name in os.listdir(place)]


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path)


@pytest.fixture(params=[Files, TwoStepFiles])
def files(request: pytest.FixtureRequest) -> Files:
    """A disk that can exchange two folders in one step, and one that cannot."""
    made: Files = request.param()
    return made


def at(operation: str, act: Callable[[], None], inner: Files) -> Files:
    """Files that do something once, right before the first operation of this name."""
    waiting = [act]

    def point(name: str) -> None:
        if name == operation and waiting:
            waiting.pop()()

    return SteppedFiles(point, inner)


def test_create_exchange_and_archive_leave_the_folder_and_nothing_else(
    tmp_path: Path, files: Files
) -> None:
    shelf = Shelf(tmp_path, files)
    shelf.put(None, ONE)
    assert shelf.tree() == ONE.tree()
    shelf.put(ONE, TWO)
    assert shelf.tree() == TWO.tree()
    shelf.put(TWO, None)
    assert shelf.tree() is None
    assert shelf.slots() == []


def test_a_category_is_made_with_its_first_skill(shelf: Shelf) -> None:
    shelf.put(None, ONE, "data/a-b")
    assert shelf.tree("data/a-b") == ONE.tree()


def test_modes_do_not_depend_on_the_umask(shelf: Shelf) -> None:
    before = os.umask(0o077)
    try:
        shelf.put(None, ONE)
    finally:
        os.umask(before)
    assert (shelf.skills / "a-b" / "SKILL.md").stat().st_mode & 0o777 == 0o644
    assert (shelf.skills / "a-b" / "scripts" / "run.py").stat().st_mode & 0o777 == 0o755


@pytest.mark.parametrize("operation", ["exchange", "move"])
def test_an_edit_between_check_and_swap_survives(
    tmp_path: Path, files: Files, operation: str
) -> None:
    shelf = Shelf(tmp_path)
    shelf.put(None, ONE)

    def edit() -> None:
        (shelf.skills / "a-b" / "SKILL.md").write_bytes(b"typed by a person")

    clumsy = Shelf(tmp_path, at(operation, edit, files))
    with pytest.raises(Conflict, match="changed on disk"):
        clumsy.swap(ONE, TWO if operation == "exchange" else None)
    clumsy.take_back()
    assert (shelf.skills / "a-b" / "SKILL.md").read_bytes() == b"typed by a person"
    assert (shelf.skills / "a-b" / "scripts" / "run.py").read_bytes() == b"1"
    assert shelf.slots() == []


@pytest.mark.parametrize("operation", ["exchange", "move"])
def test_such_an_edit_survives_a_crash_right_after_the_swap(
    tmp_path: Path, files: Files, operation: str
) -> None:
    shelf = Shelf(tmp_path)
    shelf.put(None, ONE)

    def edit() -> None:
        (shelf.skills / "a-b" / "SKILL.md").write_bytes(b"typed by a person")

    clumsy = Shelf(tmp_path, at(operation, edit, files))
    with pytest.raises(Conflict):  # whoever is told this dies before it can take anything back
        clumsy.swap(ONE, TWO if operation == "exchange" else None)
    assert clumsy.last is not None
    assert not shelf.library.settle_crash(clumsy.last)
    assert (shelf.skills / "a-b" / "SKILL.md").read_bytes() == b"typed by a person"
    assert shelf.slots() == []


def test_a_folder_that_appears_is_not_overwritten(tmp_path: Path, files: Files) -> None:
    shelf = Shelf(tmp_path)

    def appear() -> None:
        (shelf.skills / "a-b").mkdir(parents=True)
        (shelf.skills / "a-b" / "SKILL.md").write_bytes(b"mine")

    moves: list[str] = []

    def point(name: str) -> None:
        moves.append(name)
        if moves.count("move") == 2 and name == "move":  # the first one ends the staging
            appear()

    late = Shelf(tmp_path, SteppedFiles(point, files))
    with pytest.raises(Conflict, match="appeared or vanished"):
        late.swap(None, ONE)
    late.take_back()
    assert (shelf.skills / "a-b" / "SKILL.md").read_bytes() == b"mine"
    assert shelf.slots() == []


def test_a_folder_that_vanishes_is_not_made_again(tmp_path: Path, files: Files) -> None:
    shelf = Shelf(tmp_path)
    shelf.put(None, ONE)

    def vanish() -> None:
        (shelf.skills / "a-b").rename(tmp_path / "elsewhere")

    clumsy = Shelf(tmp_path, at("exchange", vanish, files))
    with pytest.raises(Conflict, match="appeared or vanished"):
        clumsy.swap(ONE, TWO)
    clumsy.take_back()
    assert shelf.tree() is None
    assert tree_on_disk(tmp_path / "elsewhere") == ONE.tree()
    assert shelf.slots() == []


def test_a_folder_that_became_a_link_is_left_alone(tmp_path: Path, files: Files) -> None:
    shelf = Shelf(tmp_path)
    shelf.put(None, ONE)

    def sort_elsewhere() -> None:
        (shelf.skills / "a-b").rename(tmp_path / "elsewhere")
        (shelf.skills / "a-b").symlink_to(tmp_path / "elsewhere")

    clumsy = Shelf(tmp_path, at("exchange", sort_elsewhere, files))
    with pytest.raises(Conflict):
        clumsy.swap(ONE, TWO)
    clumsy.take_back()
    assert (shelf.skills / "a-b").is_symlink()
    assert tree_on_disk(tmp_path / "elsewhere") == ONE.tree()


def test_a_second_folder_made_between_the_two_steps_is_kept(tmp_path: Path) -> None:
    """Where there is no exchange, the name is free for a moment, and somebody takes it."""
    shelf = Shelf(tmp_path)
    shelf.put(None, ONE)
    (shelf.skills / "a-b" / "SKILL.md").write_bytes(b"typed by a person")
    moves: list[str] = []

    def point(name: str) -> None:
        moves.append(name)
        if name == "move" and moves.count("move") == 3:  # staged, old one out, now ours goes in
            (shelf.skills / "a-b").mkdir()
            (shelf.skills / "a-b" / "SKILL.md").write_bytes(b"by another program")

    slow = Shelf(tmp_path, SteppedFiles(point, TwoStepFiles()))
    with pytest.raises(Conflict):
        slow.swap(ONE, TWO)
    slow.take_back()
    assert (shelf.skills / "a-b" / "SKILL.md").read_bytes() == b"by another program"
    (rescued,) = (shelf.work / "rescued").iterdir()
    assert (rescued / "SKILL.md").read_bytes() == b"typed by a person"
    assert shelf.slots() == []


def test_what_is_written_into_the_replaced_folder_is_kept(shelf: Shelf) -> None:
    """A shell that stood in the folder writes after the swap: its file is in the slot then."""
    shelf.put(None, ONE)
    inside = os.open(shelf.skills / "a-b", os.O_RDONLY)
    intent = shelf.swap(ONE, TWO)
    descriptor = os.open("note.md", os.O_WRONLY | os.O_CREAT, dir_fd=inside)
    os.write(descriptor, b"just in time")
    os.close(descriptor)
    os.close(inside)
    rescued = shelf.library.finish(intent)
    assert rescued is not None
    assert (Path(rescued) / "note.md").read_bytes() == b"just in time"
    assert shelf.tree() == TWO.tree()
    assert shelf.slots() == []


@pytest.mark.parametrize(
    ("old", "new"), [(None, ONE), (ONE, TWO), (ONE, None)], ids=["create", "exchange", "archive"]
)
def test_a_swap_is_taken_back_by_the_very_files_that_were_there(
    tmp_path: Path, files: Files, old: Folder | None, new: Folder | None
) -> None:
    """A full disk has no room for a second copy of the old folder."""
    shelf = Shelf(tmp_path, files)
    if old is not None:
        shelf.put(None, old)
    before = {path: path.stat().st_ino for path in shelf.skills.rglob("*")}
    shelf.swap(old, new)
    shelf.take_back()
    assert {path: path.stat().st_ino for path in shelf.skills.rglob("*")} == before
    assert shelf.slots() == []


def test_taking_back_twice_is_harmless(shelf: Shelf) -> None:
    shelf.put(None, ONE)
    shelf.swap(ONE, TWO)
    shelf.take_back()
    shelf.take_back()
    assert shelf.tree() == ONE.tree()


def test_half_a_staged_folder_never_becomes_live_even_when_old_and_new_are_equal(
    tmp_path: Path,
) -> None:
    """A rollback to bytes that are live already, killed while it stages them."""

    class Crash(BaseException):
        pass

    def crash() -> None:
        raise Crash

    shelf = Shelf(tmp_path)
    shelf.put(None, ONE)
    dying = Shelf(tmp_path, at("write, half done", crash, Files()))
    with pytest.raises(Crash):
        dying.swap(ONE, ONE)
    assert dying.last is not None
    assert shelf.library.settle_crash(dying.last)
    shelf.library.finish(dying.last)
    assert shelf.tree() == ONE.tree()
    assert shelf.slots() == []


def test_slots_of_nobody_are_swept_and_others_are_kept(shelf: Shelf) -> None:
    shelf.put(None, ONE)
    waiting = shelf.swap(ONE, TWO)
    for name in ("intent_dead", "intent_dead.stage", "intent_dead.trash", "intent_dead.old"):
        (shelf.work / "slots" / name / "scripts").mkdir(parents=True)
        (shelf.work / "slots" / name / "scripts" / "x.py").write_text("x")
    shelf.library.sweep(lambda: {waiting.id})
    assert shelf.slots() == [waiting.id]
    shelf.library.sweep(set)
    assert shelf.slots() == []


def test_the_journal_is_asked_after_the_slots_are_listed(shelf: Shelf) -> None:
    """A slot that another process makes meanwhile is not taken for a leftover."""
    (shelf.work / "slots" / "intent_dead").mkdir(parents=True)

    def pending() -> set[str]:
        (shelf.work / "slots" / "intent_new").mkdir()
        return set()

    shelf.library.sweep(pending)
    assert shelf.slots() == ["intent_new"]


def test_folders_of_others_are_refused(shelf: Shelf, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    shelf.put(None, ONE)
    (shelf.skills / "linked").symlink_to(outside)
    (shelf.skills / "by-link").symlink_to(outside)
    for name in ("checkout", "repo/inner"):
        (shelf.skills / name).mkdir(parents=True)
    (shelf.skills / "checkout" / ".git").mkdir()
    (shelf.skills / "repo" / ".git").write_text("gitdir: elsewhere")
    for location, why in {
        str(outside): "external",
        "linked": "link",
        "by-link/x": "link",
        "checkout": "git checkout",
        "repo/inner": "git checkout",
        "a-b/inside": "inside the skill 'a-b'",
    }.items():
        with pytest.raises(Refused, match=why):
            shelf.library.check_writable(location)
        with pytest.raises(Refused, match=why):
            shelf.swap(None, TWO, location)
    assert list(outside.iterdir()) == []
    assert shelf.tree() == ONE.tree()


def test_a_skills_folder_that_is_itself_a_link_is_ours(tmp_path: Path) -> None:
    """People keep their skills in a folder of dotfiles."""
    (tmp_path / "dotfiles").mkdir()
    (tmp_path / "dotfiles" / ".git").mkdir()
    (tmp_path / "skills").symlink_to(tmp_path / "dotfiles")
    shelf = Shelf(tmp_path)
    shelf.put(None, ONE)
    assert tree_on_disk(tmp_path / "dotfiles" / "a-b") == ONE.tree()


def test_a_missing_skills_folder_is_not_made_anew_over_a_disk_that_is_not_mounted(
    shelf: Shelf,
) -> None:
    shelf.put(None, ONE)
    shelf.index.put([Seen("a-b", "a-b", "", ONE.tree(), "h", "s")])
    shelf.skills.rename(shelf.skills.with_name("unmounted"))
    with pytest.raises(CorruptData, match="the skills folder is gone"):
        shelf.swap(None, TWO, "c-d")
    shelf.take_back()
    assert not shelf.skills.exists()
    assert shelf.last is not None
    with pytest.raises(CorruptData, match="the skills folder is gone"):
        shelf.library.settle_crash(shelf.last)


def test_a_disk_that_says_no_is_told_as_that(tmp_path: Path) -> None:
    def full() -> None:
        raise OSError(28, os.strerror(28))

    shelf = Shelf(tmp_path, at("write", full, Files()))
    with pytest.raises(DiskFailed, match="No space left on device") as told:
        shelf.swap(None, ONE)
    assert "the old state is whole" in told.value.hint
    shelf.take_back()
    assert shelf.tree() is None
    assert shelf.slots() == []


ANOTHER_MOUNT = """
import sys
from pathlib import Path

sys.path.insert(0, {tests!r})
from test_disk import ONE, TWO, Shelf

shelf = Shelf(Path({root!r}))
shelf.put(None, ONE)
shelf.swap(ONE, TWO)
assert [path.name for path in shelf.skills.glob(".hermes-loop/*")] == [shelf.last.id]
shelf.library.finish(shelf.last)
assert shelf.tree() == TWO.tree()
shelf.put(TWO, None)
assert shelf.slots() == []
"""


@pytest.mark.parametrize("kind", ["tmpfs", "bind"])
def test_skills_on_another_mount_are_staged_there(tmp_path: Path, kind: str) -> None:
    """A bind mount has the same device number, and still nothing can be renamed across."""
    home, skills = str(tmp_path), str(tmp_path / "skills")
    (tmp_path / "skills").mkdir()
    mount = ("--tmpfs", skills) if kind == "tmpfs" else ("--bind", skills, skills)
    script = ANOTHER_MOUNT.format(tests=str(Path(__file__).parent), root=home)
    result = run_python(script, "--bind", home, home, *mount)
    assert result.returncode == 0, result.stderr

"""Going back: to the exact bytes, as far as one likes, and never forward by surprise."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hermes.app import Home
from hermes.errors import Conflict, Refused
from hermes.records.change import Act
from hermes.testing.homes import Desk, Place, person, skill_text
from hermes.testing.wholeness import faults_of

ODD_BYTES = bytes(range(256)) + "é\u202e\ufeff".encode() + b"\r\n\r\n\n no newline at the end"


def everything(folder: Path) -> dict[str, tuple[bytes, int]]:
    """All that a person can see of a folder: names, bytes and who may run what."""
    return {
        path.relative_to(folder).as_posix(): (path.read_bytes(), path.stat().st_mode & 0o777)
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.fixture
def three(desk: Desk) -> Desk:
    """A skill with three versions: one, two, three."""
    desk.manage("create", name="a-b", content=skill_text("a-b", body="one"))
    desk.manage("patch", name="a-b", old_string="one", new_string="two")
    desk.manage("patch", name="a-b", old_string="two", new_string="three")
    return desk


def test_each_rollback_goes_one_version_further_back(three: Desk, home: Home) -> None:
    for body in ("two", "one"):
        home.loop.rollback("a-b", person())
        assert body in three.view("a-b")["content"]
    with pytest.raises(Refused, match="no version before"):
        home.loop.rollback("a-b", person())
    assert faults_of(home) == []


@pytest.mark.parametrize("how", ["archived and restored", "put back over a broken edit"])
def test_the_way_back_is_kept(three: Desk, home: Home, place: Place, how: str) -> None:
    if how == "archived and restored":
        home.loop.act("a-b", Act.ARCHIVE, person())
    else:
        (place.skills / "a-b" / "SKILL.md").write_text("broken")
        three.view("a-b")
    home.loop.act("a-b", Act.RESTORE, person())
    assert three.view("a-b")["version"] == 3
    home.loop.rollback("a-b", person())
    assert three.view("a-b")["version"] == 2
    assert faults_of(home) == []


def test_odd_bytes_names_and_modes_come_back_exactly(desk: Desk, home: Home, place: Place) -> None:
    folder = place.skills / "a-b"
    for name in ("SKILL.md", "scripts/run", "assets/données \u4e2d.bin", "references/deep/er/x.md"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(ODD_BYTES)
    (folder / "SKILL.md").write_bytes(skill_text("a-b").encode().replace(b"\n", b"\r\n"))
    (folder / "scripts" / "run").chmod(0o755)
    (folder / "references" / "empty").touch()
    for path in folder.rglob("*"):
        if path.is_file() and path.name != "run":
            os.chmod(path, 0o644)
    before = everything(folder)
    assert desk.view("a-b")["success"]
    for file in list(folder.rglob("*")):
        if file.is_file() and file.name != "SKILL.md":
            file.unlink()
    (folder / "SKILL.md").write_text(skill_text("a-b", body="much less"))
    assert "much less" in desk.view("a-b")["content"]
    home.loop.rollback("a-b", person())
    assert everything(folder) == before
    assert faults_of(home) == []


def test_a_rollback_never_runs_over_an_edit_on_disk(three: Desk, home: Home, place: Place) -> None:
    file = place.skills / "a-b" / "SKILL.md"
    file.write_text("typed and not readable")
    with pytest.raises(Conflict, match="an edit on disk"):
        home.loop.rollback("a-b", person())
    assert file.read_text() == "typed and not readable"
    file.write_text(skill_text("a-b", body="typed and good"))
    with pytest.raises(Conflict, match="an edit on disk"):  # nobody has looked at it yet
        home.loop.rollback("a-b", person())
    assert "typed and good" in three.view("a-b")["content"]
    home.loop.rollback("a-b", person())
    assert "three" in three.view("a-b")["content"]


def test_a_rollback_to_bytes_that_are_live_already_changes_the_books_only(
    three: Desk, home: Home, place: Place
) -> None:
    three.manage("patch", name="a-b", old_string="three", new_string="one")
    before = everything(place.skills / "a-b")
    home.loop.rollback("a-b", person(), to=1)
    assert three.view("a-b")["version"] == 1
    assert everything(place.skills / "a-b") == before
    assert faults_of(home) == []

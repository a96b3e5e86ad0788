"""A folder that did not change is not listed again; whatever changes in it is seen all the same."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from hermes.errors import CorruptData
from hermes.library.folders import settled_signature
from hermes.library.listings import Listings

Change = Callable[[Path], object]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A skill's folder that nobody has touched for a while."""
    made = tmp_path / "a-b"
    (made / "scripts").mkdir(parents=True)
    (made / "SKILL.md").write_text("words")
    (made / "scripts" / "run.py").write_text("print(1)")
    settle_down()
    return made


def settle_down() -> None:
    time.sleep(0.06)


def replaced(folder: Path) -> None:
    """By another file of the same name, size and date."""
    old = folder / "SKILL.md"
    dates = old.stat().st_atime_ns, old.stat().st_mtime_ns
    (folder / "new").write_text("sword")
    os.utime(folder / "new", ns=dates)
    (folder / "new").replace(old)


CHANGES: dict[str, Change] = {
    "a file was written": lambda folder: (folder / "SKILL.md").write_text("other"),
    "a file below was written": lambda folder: (folder / "scripts/run.py").write_text("print(2)"),
    "a file was added": lambda folder: (folder / "notes.md").write_text("new"),
    "a file was added below": lambda folder: (folder / "scripts/more.py").write_text("new"),
    "a file was removed": lambda folder: (folder / "scripts/run.py").unlink(),
    "a file was renamed": lambda folder: (folder / "SKILL.md").rename(folder / "skill.md"),
    "a file can be run": lambda folder: (folder / "scripts/run.py").chmod(0o755),
    "a file was replaced": replaced,
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_change_is_seen(folder: Path, change: Change) -> None:
    listings = Listings()
    before = listings.signature(str(folder))
    assert listings.signature(str(folder)) == before
    change(folder)
    after = listings.signature(str(folder))
    assert after != before
    settle_down()
    assert listings.signature(str(folder)) == after == settled_signature(folder)


def test_a_folder_that_did_not_change_is_not_listed_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listings = Listings()
    before = listings.signature(str(folder))
    monkeypatch.setattr(os, "scandir", lambda path: pytest.fail(f"{path} was listed again"))
    assert listings.signature(str(folder)) == before


def test_what_changes_again_in_the_same_moment_is_seen(folder: Path) -> None:
    """A folder that is too young has no moment of its own that could be trusted."""
    listings = Listings()
    seen = set()
    for number in range(40):
        (folder / f"{number}.md").write_text("new")
        seen.add(listings.signature(str(folder)))
    assert len(seen) == 40


def test_a_link_that_appears_is_an_error(folder: Path) -> None:
    listings = Listings()
    listings.signature(str(folder))
    (folder / "scripts" / "link").symlink_to("/etc/passwd")
    with pytest.raises(CorruptData, match="is a link"):
        listings.signature(str(folder))


def test_a_folder_that_went_away_is_an_error(folder: Path) -> None:
    listings = Listings()
    listings.signature(str(folder))
    folder.rename(folder.with_name("elsewhere"))
    with pytest.raises(CorruptData, match="cannot be read"):
        listings.signature(str(folder))

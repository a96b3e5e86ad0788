"""What people do in the skills folder by hand: noticed at the next read, recorded, never lost."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from hermes.app import Home
from hermes.errors import CorruptData, NotFound
from hermes.library import folders
from hermes.library.adoption import Adoption
from hermes.library.index import Index
from hermes.library.listings import Listings
from hermes.library.places import discover
from hermes.library.reader import Reader
from hermes.records.change import Act
from hermes.records.origin import Origin
from hermes.records.proposal import DiskChange, Noticed
from hermes.records.skill import Skill, SkillState
from hermes.records.trajectory import TrajectoryState
from hermes.records.version import VersionState
from hermes.store.tables.task import TaskTable
from hermes.store.tables.trajectory import TrajectoryTable
from hermes.testing import samples
from hermes.testing.chaos import Tell, run_in_child
from hermes.testing.homes import AGENT, Desk, Place, person, skill_text
from hermes.testing.wholeness import faults_of

NOBODY = 65534


def write(folder: Path, text: str | None = None, **files: str) -> Path:
    """A skill's folder by hand."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "SKILL.md").write_text(text or skill_text(folder.name))
    for name, content in files.items():
        (folder / name).write_text(content)
    return folder


def settle_down() -> None:
    """Let the clock tick on, so that what was written is old."""
    time.sleep(0.06)


def skill_of(home: Home, name: str) -> Skill:
    skill = home.ledger.skills.named(name, "personal")
    assert skill is not None, f"there is no skill {name}"
    return skill


def origins(home: Home, name: str) -> list[str]:
    return [str(v.origin) for v in home.ledger.versions.of_skill(skill_of(home, name).id)]


def snapshot(root: Path) -> dict[str, Any]:
    return {
        str(path): (path.lstat().st_mtime_ns, path.lstat().st_ino, path.lstat().st_mode)
        for path in [root, *root.rglob("*")]
    }


@pytest.fixture
def run_agent(home: Home) -> Callable[[], Callable[[], None]]:
    """Begins an agent run; what it returns ends it."""

    def begin() -> Callable[[], None]:
        task = samples.task()
        TaskTable(home.database).add(task)
        table = TrajectoryTable(home.database)
        opened = samples.trajectory(task.id)
        table.add(opened)
        ended = samples.trajectory(
            task.id, id=opened.id, state=TrajectoryState.FINISHED, ended_at=samples.LATER
        )
        return lambda: table.end(ended)

    return begin


# A hand edit.


def test_an_edit_is_seen_by_the_next_read_and_is_a_version_by_the_user(
    desk: Desk, home: Home, place: Place
) -> None:
    desk.manage("create", name="a-b", content=skill_text("a-b", body="one"))
    (place.skills / "a-b" / "SKILL.md").write_text(skill_text("a-b", "New words.", body="two"))
    answer = desk.view("a-b")
    assert "two" in answer["content"]
    assert answer["version"] == 2
    assert "problem" not in answer
    assert skill_of(home, "a-b").description == "New words."
    assert origins(home, "a-b") == ["requested_by_user", "user"]
    release = home.ledger.releases.current(skill_of(home, "a-b").id)
    assert release is not None
    assert (release.approval.by, release.approval.channel) == (home.loop.os_user, "disk")
    assert faults_of(home) == []


def test_an_edit_of_a_support_file_is_seen_by_the_next_view(desk: Desk, place: Place) -> None:
    desk.manage("create", name="a-b", content=skill_text("a-b"))
    desk.manage("write_file", name="a-b", file_path="scripts/run.py", file_content="print(1)")
    (place.skills / "a-b" / "scripts" / "run.py").write_text("print(2)")
    assert desk.view("a-b", file_path="scripts/run.py")["content"] == "print(2)"


def test_making_a_script_executable_is_an_edit(desk: Desk, home: Home, place: Place) -> None:
    write(place.skills / "a-b", **{"run.py": "print(1)"})
    assert desk.view("a-b")["version"] == 1
    settle_down()
    assert desk.view("a-b")["version"] == 1
    (place.skills / "a-b" / "run.py").chmod(0o755)
    assert desk.view("a-b")["version"] == 2
    assert faults_of(home) == []


def test_a_change_of_the_same_size_in_the_same_tick_is_seen(desk: Desk, place: Place) -> None:
    """Whatever size, time stamps and inode say: the clock may not have ticked in between."""
    file = write(place.skills / "a-b", skill_text("a-b", body="0000")) / "SKILL.md"
    for number in range(1, 60):
        with file.open("r+") as opened:
            opened.write(skill_text("a-b", body=f"{number:04}"))
        os.utime(file, ns=(1_700_000_000_000_000_000, 1_700_000_000_000_000_000))
        assert f"{number:04}" in desk.view("a-b")["content"]


def test_what_changed_a_moment_ago_is_read_once_more(home: Home, place: Place) -> None:
    """Not every system gives two changes two times: what is too young gets no signature."""
    folder = write(place.skills / "a-b")
    assert folders.settled_signature(folder) == "" or time_flew(folder)
    settle_down()
    assert folders.settled_signature(folder) == Listings().signature(str(folder))
    (folder / "notes.md").write_text("young")
    young = home.reader.look()
    assert young.changed == 1
    assert home.reader.look().changed == 1 or time_flew(folder)
    settle_down()
    home.reader.look()
    assert home.reader.look().changed == 0


def test_a_folder_that_changed_a_moment_ago_is_listed_once_more(tmp_path: Path) -> None:
    write(tmp_path / "a-b")
    assert not discover(tmp_path, ()).unchanged() or time_flew(tmp_path)
    settle_down()
    settled = discover(tmp_path, ())
    assert settled.unchanged()
    write(tmp_path / "c-d")
    assert not settled.unchanged()


def time_flew(path: Path) -> bool:
    """Whether this machine was too busy to look within the tick of a clock."""
    return time.time() - path.stat().st_ctime > 0.04


def test_a_change_while_the_gate_reads_is_seen_by_the_next_read(
    home: Home, desk: Desk, place: Place
) -> None:
    """The signature that is remembered is older than the bytes, never newer."""
    file = write(place.skills / "a-b", **{"notes.md": "before"}) / "notes.md"
    settle_down()
    data = home.settings.paths.data_dir

    def notice_and_type(changes: Sequence[DiskChange]) -> Sequence[Noticed]:
        outcome = home.loop.notice(changes)
        file.write_text("after!")
        settle_down()  # a large library takes longer than a tick
        return outcome

    Reader(
        place.skills,
        (),
        Index(data / "index.db"),
        home.ledger.skills,
        home.ledger.versions,
        notice_and_type,
        Adoption(data / "home-id", data / "adopted"),
    ).look()
    assert desk.view("a-b", file_path="notes.md")["content"] == "after!"


def test_an_unchanged_library_is_not_read_again(home: Home, place: Place) -> None:
    write(place.skills / "a-b")
    write(place.skills / "data" / "c-d")
    settle_down()
    assert home.reader.look().changed == 2
    assert home.reader.look().changed == 0


# A broken edit.


def test_a_broken_edit_is_told_with_file_and_line_and_the_last_good_version_is_served(
    desk: Desk, home: Home, place: Place
) -> None:
    desk.manage("create", name="a-b", content=skill_text("a-b", body="good"))
    file = place.skills / "a-b" / "SKILL.md"
    file.write_bytes(b"---\nname: a-b\ndescription: \xff\n---\nbad\n")
    answer = desk.view("a-b")
    assert "good" in answer["content"]
    assert "SKILL.md:3" in answer["problem"], answer["problem"]
    assert desk.names() == ["a-b"]
    assert [seen.location for seen in home.reader.problems()] == ["a-b"]
    refused = desk.manage("patch", name="a-b", old_string="good", new_string="better")
    assert refused["error"] == "conflict"
    assert b"bad" in file.read_bytes()
    file.write_text(skill_text("a-b", body="mended"))
    answer = desk.view("a-b")
    assert "mended" in answer["content"]
    assert "problem" not in answer
    assert origins(home, "a-b") == ["requested_by_user", "user"]
    assert home.reader.problems() == []


def test_a_broken_edit_can_be_given_up_and_is_kept_all_the_same(
    desk: Desk, home: Home, place: Place
) -> None:
    desk.manage("create", name="a-b", content=skill_text("a-b", body="good"))
    (place.skills / "a-b" / "SKILL.md").write_text("no frontmatter at all")
    assert "problem" in desk.view("a-b")
    home.loop.act("a-b", Act.RESTORE, person())
    assert "problem" not in desk.view("a-b")
    assert faults_of(home) == []
    kept = home.ledger.versions.of_skill(skill_of(home, "a-b").id)[-1]
    assert kept.state is VersionState.REJECTED
    assert home.ledger.versions.folder(kept).skill_md == b"no frontmatter at all"


def test_a_new_folder_that_cannot_be_read_is_told_by_name(desk: Desk, place: Place) -> None:
    write(place.skills / "a-b", "no frontmatter at all")
    answer = desk.view("a-b")
    assert answer["error"] == "not_found"
    assert "a-b" in answer["message"]
    assert "SKILL.md" in answer["message"]


def test_a_folder_whose_skill_file_was_removed_is_broken_and_not_gone(
    desk: Desk, home: Home, place: Place
) -> None:
    desk.manage("create", name="a-b", content=skill_text("a-b", body="good"))
    desk.manage("write_file", name="a-b", file_path="scripts/x.py", file_content="1")
    (place.skills / "a-b" / "SKILL.md").unlink()
    answer = desk.view("a-b")
    assert "good" in answer["content"]
    assert "SKILL.md" in answer["problem"]
    assert skill_of(home, "a-b").state is SkillState.LIVE
    (place.skills / "a-b" / "SKILL.md").write_text(skill_text("a-b", body="again"))
    assert "again" in desk.view("a-b")["content"]


# Folders that come, go and move.


def test_a_folder_added_by_hand_is_live_at_the_next_list(desk: Desk, place: Place) -> None:
    assert desk.names() == []
    write(place.skills / "a-b")
    assert desk.names() == ["a-b"]
    write(place.skills / "data" / "c-d")
    assert desk.names() == ["a-b", "c-d"]
    write(place.skills / "e-f")
    assert desk.view("e-f")["success"]


def test_the_cheap_look_sees_every_folder_that_appears_or_vanishes(
    home: Home, place: Place
) -> None:
    def live() -> set[str]:
        home.reader.look_at_top()
        return {s.name for s in home.ledger.skills.all() if s.is_shown}

    (place.skills / "empty").mkdir(parents=True)
    assert live() == set()
    settle_down()
    assert live() == set()
    write(place.skills / "empty" / "a-b")  # a category that had no skill until now
    assert live() == {"a-b"}
    for number in range(15):
        write(place.skills / f"s-{number}")
        assert f"s-{number}" in live()
        shutil.rmtree(place.skills / f"s-{number}")
        assert f"s-{number}" not in live()


def test_a_folder_removed_by_hand_archives_the_skill_and_can_be_restored(
    desk: Desk, home: Home, place: Place
) -> None:
    text = skill_text("a-b", body="one")
    desk.manage("create", name="a-b", content=text)
    shutil.rmtree(place.skills / "a-b")
    assert desk.view("a-b")["error"] == "not_found"
    assert skill_of(home, "a-b").state is SkillState.ARCHIVED
    home.loop.act("a-b", Act.RESTORE, person())
    assert (place.skills / "a-b" / "SKILL.md").read_text() == text
    assert desk.view("a-b")["version"] == 1
    assert faults_of(home) == []


def test_a_renamed_folder_is_another_skill(desk: Desk, home: Home, place: Place) -> None:
    desk.manage("create", name="a-b", content=skill_text("a-b", body="one"))
    (place.skills / "a-b").rename(place.skills / "c-d")
    assert desk.names() == ["c-d"]
    assert "one" in desk.view("c-d")["content"]
    assert skill_of(home, "a-b").state is SkillState.ARCHIVED
    assert faults_of(home) == []


@pytest.mark.parametrize("first", ["list", "view"])
def test_a_folder_moved_to_another_category_stays_the_same_skill(
    desk: Desk, home: Home, place: Place, first: str
) -> None:
    desk.manage("create", name="a-b", content=skill_text("a-b", body="one"), category="data")
    before = skill_of(home, "a-b")
    (place.skills / "text").mkdir()
    (place.skills / "data" / "a-b").rename(place.skills / "text" / "a-b")
    if first == "list":
        assert desk.names() == ["a-b"]
    assert desk.view("a-b")["version"] == 1
    after = skill_of(home, "a-b")
    assert (after.id, after.category, after.location) == (before.id, "text", "text/a-b")
    assert desk.manage("patch", name="a-b", old_string="one", new_string="two")["success"]
    assert "two" in (place.skills / "text" / "a-b" / "SKILL.md").read_text()
    assert faults_of(home) == []


def test_of_two_folders_with_one_name_the_live_one_stays_and_the_other_steps_in(
    desk: Desk, home: Home, place: Place
) -> None:
    write(place.skills / "a-b", skill_text("a-b", body="first"))
    assert "first" in desk.view("a-b")["content"]
    write(place.skills / "data" / "a-b", skill_text("a-b", body="second"))
    assert desk.names() == ["a-b"]
    assert "first" in desk.view("a-b")["content"]
    (hidden,) = home.reader.problems()
    assert hidden.location == "data/a-b"
    assert "hidden by" in str(hidden.problem)
    shutil.rmtree(place.skills / "a-b")
    assert "second" in desk.view("a-b")["content"]
    assert home.reader.problems() == []
    assert faults_of(home) == []


def test_a_skills_folder_that_is_gone_is_an_error_and_nothing_is_archived(
    desk: Desk, home: Home, place: Place
) -> None:
    desk.manage("create", name="a-b", content=skill_text("a-b"))
    desk.view("a-b")
    place.skills.rename(place.skills.with_name("unmounted"))
    with pytest.raises(CorruptData, match="the skills folder is gone"):
        home.reader.look()
    assert desk.view("a-b")["error"] == "corrupt"
    assert desk.manage("patch", name="a-b", old_string="Do", new_string="x")["error"] == "corrupt"
    assert skill_of(home, "a-b").state is SkillState.LIVE
    place.skills.with_name("unmounted").rename(place.skills)
    assert desk.view("a-b")["success"]


# What is in a folder that no skill may hold.


def test_links_and_special_files_are_told_and_never_followed(
    desk: Desk, home: Home, place: Place, tmp_path: Path
) -> None:
    (tmp_path / "secret").write_text("do not read me")
    for name in ("link", "fifo", "link-as-skill"):
        write(place.skills / name)
    (place.skills / "link" / "notes.md").symlink_to(tmp_path / "secret")
    os.mkfifo(place.skills / "fifo" / "pipe")
    (place.skills / "link-as-skill" / "SKILL.md").unlink()
    (place.skills / "link-as-skill" / "SKILL.md").symlink_to(tmp_path / "secret")
    (place.skills / "loop").symlink_to("loop")
    write(place.skills / "good")
    assert desk.names() == ["good"]
    told = {seen.location: str(seen.problem) for seen in home.reader.problems()}
    assert "link/notes.md: is a link" in told["link"]
    assert "fifo/pipe: is a special file" in told["fifo"]
    assert "SKILL.md: is a link" in told["link-as-skill"]
    settle_down()
    home.reader.look()
    assert home.reader.look().changed == 0, "a folder that stays broken is not read every time"
    (place.skills / "link" / "notes.md").unlink()
    assert desk.view("link")["success"]


def test_a_link_to_a_skill_is_read_and_never_written(
    desk: Desk, place: Place, tmp_path: Path
) -> None:
    real = write(tmp_path / "elsewhere" / "a-b", skill_text("a-b", body="one"))
    place.skills.mkdir(parents=True)
    (place.skills / "a-b").symlink_to(real)
    assert "one" in desk.view("a-b")["content"]
    refused = desk.manage("patch", name="a-b", old_string="one", new_string="two")
    assert refused["error"] == "refused"
    assert "link" in refused["message"]
    (real / "SKILL.md").write_text(skill_text("a-b", body="three"))
    assert "three" in desk.view("a-b")["content"]


def test_a_git_checkout_is_read_and_never_written(desk: Desk, place: Place) -> None:
    write(place.skills / "a-b", skill_text("a-b", body="one"))
    (place.skills / "a-b" / ".git").mkdir()
    (place.skills / "a-b" / ".git" / "HEAD").write_text("ref: refs/heads/main")
    assert desk.view("a-b")["files"] == ["SKILL.md"]
    for arguments in (
        {"action": "patch", "old_string": "one", "new_string": "two"},
        {"action": "delete"},
    ):
        refused = desk.manage(name="a-b", **arguments)
        assert refused["error"] == "refused"
        assert "git" in refused["message"]
    assert (place.skills / "a-b" / ".git" / "HEAD").exists()


def test_a_very_deep_folder_is_told_and_does_not_end_the_look(
    desk: Desk, home: Home, place: Place
) -> None:
    deep = write(place.skills / "deep")
    descriptor = os.open(deep, os.O_RDONLY)
    for _ in range(1200):
        os.mkdir("d", dir_fd=descriptor)
        inner = os.open("d", os.O_RDONLY, dir_fd=descriptor)
        os.close(descriptor)
        descriptor = inner
    os.close(descriptor)
    write(place.skills / "good")
    assert desk.names() == ["good"]
    (told,) = home.reader.problems()
    assert "folders deep" in str(told.problem)
    os.system(f"rm -rf '{deep}'")  # deeper than shutil goes


def test_what_cannot_be_looked_into_is_told_and_nothing_is_archived(tmp_path: Path) -> None:
    """Root may look into everything, so a child does it that gave up being root."""
    if os.getuid() != 0:
        home = Place(tmp_path / "home").open()
        unreadable(Desk(home), home, Place(tmp_path / "home"))
        return
    warm_up = Place(tmp_path / "home").open()  # what Python has not imported it may not reach later
    Desk(warm_up).view("nothing")
    warm_up.close()
    with tempfile.TemporaryDirectory(prefix="hermes-") as root:
        os.chown(root, NOBODY, NOBODY)
        place = Place(Path(root) / "home")

        def look(_: Tell) -> None:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
            home = place.open()
            unreadable(Desk(home), home, place)

        run_in_child(look)


def unreadable(desk: Desk, home: Home, place: Place) -> None:
    for name in ("file", "folder"):
        write(place.skills / name, skill_text(name, body="good"))
    write(place.skills / "sorted" / "inside", skill_text("inside", body="good"))
    desk.names()
    closed = {
        "file": place.skills / "file" / "SKILL.md",
        "folder": place.skills / "folder",
        "inside": place.skills / "sorted",
    }
    for path in closed.values():
        path.chmod(0)
    (place.skills / "file" / "more.md").write_text("an edit")
    for name in closed:
        answer = desk.view(name)
        assert "good" in answer["content"], answer
        assert "ermission denied" in answer.get("problem", ""), answer
    assert sorted(desk.names()) == sorted(closed)
    place.skills.chmod(0)
    with pytest.raises(CorruptData, match="cannot be looked into"):
        home.reader.look()
    assert "good" in desk.view("file")["content"]
    place.skills.chmod(0o755)
    for path in closed.values():
        path.chmod(0o755)
    assert sorted(desk.names()) == sorted(closed)
    for name in closed:
        assert "problem" not in desk.view(name)


# External folders.


def with_external(place: Place, *folders: Path) -> Home:
    config = place.root / "loop" / "config.yaml"
    config.parent.mkdir(parents=True, exist_ok=True)
    listed = ", ".join(str(folder) for folder in folders)
    config.write_text(f"skills: {{external_dirs: [{listed}]}}\n")
    return place.open()


def test_an_external_folder_is_read_and_never_written(place: Place, tmp_path: Path) -> None:
    team = tmp_path / "team"
    write(team / "deep" / "a-b", skill_text("a-b", body="one"))
    before = snapshot(team)
    home = with_external(place, team)
    desk = Desk(home)
    assert "one" in desk.view("a-b")["content"]
    assert origins(home, "a-b") == ["external"]
    for arguments in (
        {"action": "patch", "old_string": "one", "new_string": "two"},
        {"action": "write_file", "file_path": "scripts/x.py", "file_content": "1"},
        {"action": "delete"},
    ):
        refused = desk.manage(name="a-b", **arguments)
        assert refused["error"] == "refused"
    assert snapshot(team) == before
    home.close()


def test_ours_hides_an_external_skill_of_the_same_name_and_gives_it_back(
    place: Place, tmp_path: Path
) -> None:
    write(tmp_path / "team" / "a-b", skill_text("a-b", body="theirs"))
    home = with_external(place, tmp_path / "team")
    desk = Desk(home)
    assert "theirs" in desk.view("a-b")["content"]
    write(place.skills / "a-b", skill_text("a-b", body="ours"))
    assert desk.names() == ["a-b"]
    assert "ours" in desk.view("a-b")["content"]
    home.reader.look()
    (hidden,) = home.reader.problems()
    assert hidden.location == str(tmp_path / "team" / "a-b")
    shutil.rmtree(place.skills / "a-b")
    desk.names()
    assert "theirs" in desk.view("a-b")["content"]
    assert home.reader.problems() == []
    home.close()


def test_an_external_folder_that_is_not_mounted_archives_nothing(
    place: Place, tmp_path: Path
) -> None:
    team = tmp_path / "team"
    write(team / "a-b", skill_text("a-b", body="one"))
    home = with_external(place, team)
    desk = Desk(home)
    assert desk.names() == ["a-b"]
    team.rename(tmp_path / "unmounted")
    for _ in range(2):
        answer = desk.view("a-b")
        assert "one" in answer["content"]
        assert f"{team} is not there" in answer["problem"]
    (tmp_path / "unmounted").rename(team)
    assert "problem" not in desk.view("a-b")
    assert len(origins(home, "a-b")) == 1
    home.close()


def test_an_external_folder_taken_out_of_the_settings_takes_its_skills_along(
    place: Place, tmp_path: Path
) -> None:
    write(tmp_path / "team" / "a-b")
    home = with_external(place, tmp_path / "team")
    assert Desk(home).names() == ["a-b"]
    home.close()
    home = with_external(place)
    assert Desk(home).names() == []
    assert skill_of(home, "a-b").state is SkillState.ARCHIVED
    home.close()
    home = with_external(place, tmp_path / "team")
    assert Desk(home).names() == ["a-b"]
    home.close()


# While an agent runs, nobody knows whose a change is.


def test_an_edit_while_an_agent_runs_waits_for_review(
    desk: Desk, home: Home, place: Place, run_agent: Callable[[], Callable[[], None]]
) -> None:
    desk.manage("create", name="a-b", content=skill_text("a-b", body="one"))
    end = run_agent()
    (place.skills / "a-b" / "SKILL.md").write_text(skill_text("a-b", body="two"))
    write(place.skills / "c-d")
    for _ in range(2):
        answer = desk.view("a-b")
        assert "one" in answer["content"]
        assert "waits for review" in answer["problem"]
        assert desk.names() == ["a-b"]
    end()
    home.reader.rebuild()
    assert "one" in desk.view("a-b")["content"], "the end of the run makes it nobody's edit"
    waiting = {c.skill_name: c for c in home.ledger.candidates.awaiting()}
    assert {c.origin for c in waiting.values()} == {Origin.UNKNOWN}
    home.loop.approve(waiting["a-b"].id, person("ana"))
    assert "two" in desk.view("a-b")["content"]
    assert "problem" not in desk.view("a-b")
    assert skill_of(home, "a-b").approver == "ana"
    home.loop.approve(waiting["c-d"].id, person("ana"))
    assert desk.names() == ["a-b", "c-d"]
    assert faults_of(home) == []


@pytest.mark.parametrize("how", ["typed", "moved"])
def test_before_the_first_look_an_agent_cannot_pass_for_what_was_here_before(
    place: Place, tmp_path: Path, how: str
) -> None:
    folder = write((place.skills if how == "typed" else tmp_path) / "a-b", skill_text("a-b"))
    write(place.skills / "old")
    settle_down()
    home = place.open()
    task = samples.task()
    TaskTable(home.database).add(task)
    TrajectoryTable(home.database).add(samples.trajectory(task.id))
    settle_down()
    if how == "typed":
        with (folder / "SKILL.md").open("r+") as file:
            file.write(skill_text("a-b", body="by an agent"))
    else:
        folder.rename(place.skills / "a-b")
    assert Desk(home).names() == ["old"]
    assert [one.origin for one in home.ledger.candidates.awaiting()] == [Origin.UNKNOWN]
    home.close()


def test_an_edit_that_is_rejected_leaves_the_disk_and_stays_rejected(
    desk: Desk, home: Home, place: Place, run_agent: Callable[[], Callable[[], None]]
) -> None:
    desk.manage("create", name="a-b", content=skill_text("a-b", body="one"))
    end = run_agent()
    (place.skills / "a-b" / "SKILL.md").write_text(skill_text("a-b", body="two"))
    write(place.skills / "c-d")
    desk.names()
    desk.view("a-b")
    end()
    for candidate in home.ledger.candidates.awaiting():
        home.loop.reject(candidate.id, person(note="not mine"))
    assert "one" in (place.skills / "a-b" / "SKILL.md").read_text()
    assert "problem" not in desk.view("a-b")
    # What was never live has nothing to be put back over it; it stays, and stays refused.
    for _ in range(2):
        assert desk.names() == ["a-b"]
        assert "rejected" in desk.view("c-d")["message"]
        home.reader.rebuild()
    (place.skills / "c-d" / "SKILL.md").write_text(skill_text("c-d", body="mine now"))
    assert desk.names() == ["a-b", "c-d"]
    assert faults_of(home) == []


def test_a_folder_removed_while_an_agent_runs_stays_live(
    desk: Desk, home: Home, place: Place, run_agent: Callable[[], Callable[[], None]]
) -> None:
    for name in ("a-b", "c-d"):
        desk.manage("create", name=name, content=skill_text(name, body="one"))
    end = run_agent()
    shutil.rmtree(place.skills / "a-b")
    shutil.rmtree(place.skills / "c-d")
    for _ in range(2):
        answer = desk.view("a-b")
        assert "one" in answer["content"]
        assert "not on this machine" in answer["problem"]
    end()
    assert desk.names() == ["a-b", "c-d"], "the end of the run does not make it the user's act"
    assert home.ledger.events.latest()[-1].kind == "folder.vanished"
    home.loop.act("a-b", Act.RESTORE, person())
    assert (place.skills / "a-b" / "SKILL.md").exists()
    home.loop.act("c-d", Act.ARCHIVE, person())
    assert desk.names() == ["a-b"]
    assert faults_of(home) == []


# First start, and the index.


def test_first_start_adopts_what_is_there_and_changes_nothing(place: Place) -> None:
    for number in range(30):
        write(place.skills / f"s-{number}", **{"notes.txt": "x"})
    write(place.skills / "data" / "inner")
    write(place.skills / "broken", "nothing")
    (write(place.skills / "linked") / "away").symlink_to("/etc/passwd")
    (place.skills / ".hub").mkdir()
    (place.skills / ".hub" / "lock.json").write_text("{}")
    before = snapshot(place.skills)
    home = place.open()
    assert len(Desk(home).names()) == 31
    assert snapshot(place.skills) == before
    assert {str(skill.origin) for skill in home.ledger.skills.all()} == {"external"}
    approvals = {
        release.approval.by
        for skill in home.ledger.skills.all()
        if (release := home.ledger.releases.current(skill.id))
    }
    assert approvals == {"policy:adopted"}
    write(place.skills / "later")
    assert Desk(home).view("later")["success"]
    assert skill_of(home, "later").origin is Origin.USER
    assert faults_of(home) == [f"{name} is on disk and not live" for name in ("broken", "linked")]
    home.close()


def test_a_first_start_that_died_half_way_goes_on_as_one(place: Place) -> None:
    class Crash(BaseException):
        pass

    for number in range(230):
        write(place.skills / f"s-{number}")
    home = place.open()

    def die(done: int, total: int) -> None:
        assert done < total
        raise Crash

    with pytest.raises(Crash):
        home.reader.look(progress=die)
    home.close()
    home = place.open()
    assert home.reader.look().folders == 230
    assert {str(skill.origin) for skill in home.ledger.skills.all()} == {"external"}
    home.close()


def damage_nothing(path: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        Path(f"{path}{suffix}").unlink(missing_ok=True)


def write_rubbish(path: Path) -> None:
    path.write_bytes(os.urandom(8192))


def tear_off(path: Path) -> None:
    damage_nothing(Path(f"{path}-none"))
    for suffix in ("-wal", "-shm"):
        Path(f"{path}{suffix}").unlink(missing_ok=True)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2 - 100])


def scribble(path: Path) -> None:
    for suffix in ("-wal", "-shm"):
        Path(f"{path}{suffix}").unlink(missing_ok=True)
    data = bytearray(path.read_bytes())
    data[1024:4096] = os.urandom(3072)
    path.write_bytes(bytes(data))


def empty(path: Path) -> None:
    damage_nothing(path)
    path.write_bytes(b"")


@pytest.mark.parametrize("damage", [damage_nothing, write_rubbish, tear_off, scribble, empty])
@pytest.mark.parametrize("running", [False, True], ids=["restarted", "running"])
def test_an_index_that_is_deleted_or_damaged_is_rebuilt(
    place: Place, damage: Callable[[Path], None], running: bool
) -> None:
    home = place.open()
    desk = Desk(home)
    desk.manage("create", name="a-b", content=skill_text("a-b", body="one"))
    for number in range(20):
        write(place.skills / f"s-{number}")
    desk.names()
    if not running:
        home.close()
    damage(home.settings.paths.data_dir / "index.db")
    if not running:
        home = place.open()
        desk = Desk(home)
    assert len(desk.names()) == 21
    assert desk.view("a-b")["version"] == 1
    (place.skills / "a-b" / "SKILL.md").write_text(skill_text("a-b", body="two"))
    assert "two" in desk.view("a-b")["content"]
    assert len(home.ledger.versions.of_skill(skill_of(home, "a-b").id)) == 2
    assert faults_of(home) == []
    home.close()


def test_a_store_that_was_put_back_from_a_backup_takes_the_folder_as_it_is(tmp_path: Path) -> None:
    place = Place(tmp_path / "home")  # the copy of a file is a backup of SQLite only
    home = place.open()
    desk = Desk(home)
    desk.manage("create", name="a-b", content=skill_text("a-b", body="one"))
    desk.view("a-b")
    home.close()
    database = home.settings.paths.database_file
    shutil.copy(database, tmp_path / "backup")
    home = place.open()
    Desk(home).manage("patch", name="a-b", old_string="one", new_string="two")
    Desk(home).view("a-b")
    home.close()
    settle_down()
    shutil.copy(tmp_path / "backup", database)
    home = place.open()
    assert "two" in Desk(home).view("a-b")["content"]
    assert faults_of(home) == []
    home.close()


def test_names_that_no_database_holds_are_not_found(desk: Desk) -> None:
    for name in ("a\0b", "\ud800", "", "x" * 100_000):
        answer = desk.view(name)
        assert answer["error"] == "not_found"
        assert len(answer["message"]) < 300


def test_a_missing_skill_suggests_a_near_one(home: Home, desk: Desk) -> None:
    desk.manage("create", name="tidy-csv", content=skill_text("tidy-csv"))
    with pytest.raises(NotFound, match="did you mean tidy-csv"):
        home.reader.live("tidy-cvs")
    desk.manage("create", caller=AGENT, name="draft", content=skill_text("draft"))
    with pytest.raises(NotFound, match="a draft"):
        home.reader.live("draft")

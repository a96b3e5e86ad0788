"""Read, write, edit, list, search: what they do, and what they answer when it cannot be done."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hermes.agent.confinement import Confinement
from hermes.agent.tool import Toolbox
from hermes.agent.tools import searching
from hermes.agent.tools.files import file_tools
from hermes.records.tool_answer import ToolAnswer


class Desk:
    def __init__(self, project: Path) -> None:
        self.box = Toolbox.of(file_tools(Confinement(project)))

    def good(self, tool: str, **arguments: object) -> str:
        answer = self._call(tool, arguments)
        assert not answer.failed, answer.text
        return answer.text

    def bad(self, tool: str, **arguments: object) -> str:
        answer = self._call(tool, arguments)
        assert answer.failed, answer.text
        return answer.text

    def _call(self, tool: str, arguments: dict[str, object]) -> ToolAnswer:
        return self.box.call(tool, arguments)  # type: ignore[arg-type]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "data.csv").write_text("id,amount\n1,50\n2,150\n")
    return tmp_path


@pytest.fixture
def desk(project: Path) -> Desk:
    return Desk(project)


def test_a_file_is_read_in_parts(desk: Desk) -> None:
    assert desk.good("read_file", path="data.csv") == "id,amount\n1,50\n2,150\n"
    part = desk.good("read_file", path="data.csv", first_line=2, lines=1)
    assert part == "1,50\n\n[1 more lines; read on from line 3]"
    assert "has 3 lines" in desk.bad("read_file", path="data.csv", first_line=9)


def test_what_cannot_be_read_is_told_with_the_way_out(desk: Desk, project: Path) -> None:
    (project / "photo.png").write_bytes(b"\x89PNG\xff\xfe")
    (project / "folder").mkdir()
    (project / "folder" / "inside.txt").write_text("x")
    os.mkfifo(project / "pipe")
    with (project / "huge.log").open("wb") as file:
        file.truncate(100 * 1024 * 1024)
    assert "use python" in desk.bad("read_file", path="photo.png")
    assert "is a folder; it has folder/inside.txt" in desk.bad("read_file", path="folder")
    assert "its folder has folder/inside.txt" in desk.bad("read_file", path="folder/inside.csv")
    assert "no ordinary file" in desk.bad("read_file", path="pipe")
    assert "use shell with head" in desk.bad("read_file", path="huge.log")
    assert "there is no file" in desk.bad("read_file", path="nope.txt")
    assert "NUL" in desk.bad("read_file", path="a\0b")
    assert desk.bad("read_file", path="n" * 5_000)


def test_a_file_is_written_whole_and_keeps_its_mode(desk: Desk, project: Path) -> None:
    script = project / "run.sh"
    script.write_text("old")
    script.chmod(0o755)
    assert "replaced run.sh" in desk.good("write_file", path="run.sh", content="a\r\nb\n")
    assert script.read_bytes() == b"a\r\nb\n"
    assert script.stat().st_mode & 0o777 == 0o755
    assert "wrote deep/er/new.txt" in desk.good("write_file", path="deep/er/new.txt", content="x")
    assert sorted(path.name for path in project.iterdir()) == ["data.csv", "deep", "run.sh"]


def test_writing_through_a_link_writes_where_it_leads(desk: Desk, project: Path) -> None:
    (project / "link").symlink_to("data.csv")
    desk.good("write_file", path="link", content="new")
    assert (project / "link").is_symlink()
    assert (project / "data.csv").read_text() == "new"


def test_a_text_that_is_no_unicode_leaves_everything_as_it_was(desk: Desk, project: Path) -> None:
    assert "surrogate" in desk.bad("write_file", path="data.csv", content="\ud800")
    assert (project / "data.csv").read_text() == "id,amount\n1,50\n2,150\n"
    assert [path.name for path in project.iterdir()] == ["data.csv"]


def test_a_folder_that_is_a_file_and_a_disk_that_says_no(desk: Desk, project: Path) -> None:
    assert desk.bad("write_file", path="data.csv/x.txt", content="x")
    (project / "folder").mkdir()
    assert desk.bad("write_file", path="folder", content="x")
    assert (project / "folder").is_dir()


def test_an_edit_replaces_exactly_what_it_names(desk: Desk, project: Path) -> None:
    edit = {"path": "data.csv", "old_string": "1,50", "new_string": "1,60"}
    assert "edited data.csv" in desk.good("edit_file", **edit)
    assert (project / "data.csv").read_text() == "id,amount\n1,60\n2,150\n"
    assert desk.bad("edit_file", path="data.csv", old_string="absent", new_string="x")
    (project / "twice").write_text("a a")
    assert desk.bad("edit_file", path="twice", old_string="a", new_string="b")
    desk.good("edit_file", path="twice", old_string="a", new_string="b", replace_all=True)
    assert (project / "twice").read_text() == "b b"


def test_an_edit_leaves_the_mark_at_the_beginning_of_a_file(desk: Desk, project: Path) -> None:
    (project / "sheet.csv").write_bytes(b"\xef\xbb\xbfid,name\r\n1,a\r\n")
    assert desk.good("read_file", path="sheet.csv").startswith("id,name")
    desk.good("edit_file", path="sheet.csv", old_string="id,name", new_string="number,name")
    assert (project / "sheet.csv").read_bytes() == b"\xef\xbb\xbfnumber,name\r\n1,a\r\n"


def test_listing_shows_what_is_there_and_nothing_behind_links(desk: Desk, project: Path) -> None:
    (project / "sub").mkdir()
    (project / "sub" / "b.csv").write_text("")
    (project / ".ssh").mkdir()
    (project / ".ssh" / "id").write_text("key")
    (project / "root").symlink_to("/")
    assert desk.good("list_files") == "data.csv\nsub/"
    assert desk.good("list_files", recursive=True, pattern="*.csv") == "data.csv\nsub/b.csv"
    assert desk.good("list_files", pattern="*.none") == "(nothing)"
    assert "no folder" in desk.bad("list_files", path="nope")
    for number in range(600):
        (project / "sub" / f"f{number}").write_text("")
    assert "more than 500" in desk.good("list_files", path="sub")


def test_searching_finds_lines_in_text_files_only(desk: Desk, project: Path) -> None:
    (project / "bin").write_bytes(b"150\0\xff")
    (project / ".netrc").write_text("150")
    os.mkfifo(project / "pipe")
    assert desk.good("search_files", pattern=r"\d{3}") == "data.csv:3: 2,150"
    assert desk.good("search_files", pattern="150", path="data.csv") == "data.csv:3: 2,150"
    assert desk.good("search_files", pattern="150", files="*.py") == "(no match)"
    assert "no regular expression" in desk.bad("search_files", pattern="(")
    (project / "many").write_text("hit\n" * 1_000)
    assert "more than 200" in desk.good("search_files", pattern="hit")


def test_a_pattern_that_takes_for_ever_is_given_up(
    desk: Desk, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "PATIENCE_S", 1.0)
    (project / "trap").write_text("a" * 60 + "\n")
    assert "takes too long" in desk.bad("search_files", pattern="(a+)+b", path="trap")


def test_wrong_arguments_are_told_one_by_one(desk: Desk) -> None:
    text = desk.bad("read_file", path=7, first_line=0)
    assert text.startswith("read_file was not called: ")
    assert "path:" in text
    assert "first_line:" in text
    assert "There is no tool 'no_such'. There are: edit_file," in desk.bad("no_such")


def test_a_tool_that_breaks_does_not_take_the_run_with_it(project: Path) -> None:
    from hermes.agent.tool import Tool

    def breaks(_: object) -> ToolAnswer:
        raise ZeroDivisionError("by zero")

    box = Toolbox.of([Tool(name="t", description="", parameters={}, run=breaks)])
    assert box.call("t", {}) == ToolAnswer(text="t broke: ZeroDivisionError: by zero", failed=True)

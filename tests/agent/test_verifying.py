"""Success by what a person named before the run, and by nothing that the run made of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hermes import settings
from hermes.agent.verifying import AllOf, CommandPasses, FileWritten
from hermes.app.sandbox import workspace_ground
from hermes.errors import SandboxUnavailable
from hermes.records.sandbox import SandboxPolicy
from hermes.sandbox.select import OnFirstUse, Options


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


def command(project: Path, text: str) -> CommandPasses:
    loaded = settings.load({"HERMES_HOME": str(project.parent / "home"), "HOME": str(project)})
    sandbox, policy, _ = workspace_ground(loaded, project)
    return CommandPasses(text, sandbox, policy)


def test_a_command_passes_or_says_why_not(project: Path) -> None:
    (project / "out.txt").write_text("2\n")
    assert command(project, "grep -qx 2 out.txt").verify() == (
        True,
        "grep -qx 2 out.txt",
        "`grep -qx 2 out.txt` passed",
    )
    passed, _, said = command(project, "echo wrong >&2; exit 4").verify()
    assert not passed
    assert said.endswith("failed with exit code 4: wrong")


def test_a_command_that_cannot_be_run_has_not_passed(project: Path) -> None:
    class Broken(OnFirstUse):
        def run(self, *args: object, **more: object) -> object:  # type: ignore[override]
            raise SandboxUnavailable("nothing isolates here")

    policy = SandboxPolicy.workspace(project=str(project))
    check = CommandPasses("true", Broken(Options(environment={})), policy)
    assert check.verify() == (False, "true", "could not be checked: nothing isolates here")


def test_a_file_has_to_be_written_by_the_run(project: Path) -> None:
    file = project / "out.txt"
    check = FileWritten(file)
    assert check.verify()[0] is False
    file.write_text("")
    assert "is empty" in check.verify()[2]
    file.write_text("1")
    assert check.verify() == (True, "--expect out.txt", "out.txt was written")
    untouched = FileWritten(file)
    assert "was there before and was not written" in untouched.verify()[2]
    folder = project / "folder"
    folder.mkdir()
    assert FileWritten(folder).verify()[0] is False
    os.mkfifo(project / "pipe")
    assert FileWritten(project / "pipe").verify()[2] == "pipe is no ordinary file"


def test_a_file_that_was_to_be_matched_and_was_changed_decides_nothing(project: Path) -> None:
    wanted, file = project / "wanted.txt", project / "out.txt"
    wanted.write_text("1\n2\n")
    check = FileWritten(file, wanted)
    file.write_bytes(b"1\r\n2")
    assert check.verify()[0] is True  # line ends are no difference
    file.write_text("1\n3\n")
    assert "is not what wanted.txt says" in check.verify()[2]
    wanted.write_text("1\n3\n")
    assert check.verify() == (
        False,
        "--expect out.txt",
        "wanted.txt was changed by the run itself",
    )
    wanted.unlink()
    assert check.verify()[0] is False


def test_all_of_several_have_to_pass(project: Path) -> None:
    (project / "out.txt").write_text("x")
    yes, no = command(project, "true"), FileWritten(project / "never.txt")
    passed, what, said = AllOf([yes, no]).verify()
    assert not passed
    assert what == "true; --expect never.txt"
    assert "`true` passed; never.txt was not written" in said
    assert AllOf([yes, yes]).verify()[0]

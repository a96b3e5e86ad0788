"""`skills rollback`, `pin`, `archive`, `disable` and their reversals."""

from __future__ import annotations

import pytest

from hermes.testing.homes import skill_text

from .conftest import Shell

BY = ("--by", "ana")


def two_versions(shell: Shell) -> None:
    shell.create("tidy-csv", body="one")
    shell.agent("patch", asked=True, name="tidy-csv", old_string="one", new_string="two")


def test_a_rollback_restores_the_bytes_and_says_who(shell: Shell) -> None:
    two_versions(shell)
    answer = shell("skills", "rollback", "tidy-csv", *BY, "--note", "it was worse")
    assert (answer.code, answer.out) == (
        0,
        "tidy-csv: rolled back from version 2 to 1 by ana\n",
    )
    text = (shell.skills / "tidy-csv" / "SKILL.md").read_text()
    assert text == skill_text("tidy-csv", body="one")
    with shell.open() as home:
        release = home.ledger.releases.page()[-1]
    assert (release.approval.by, release.approval.note) == ("ana", "it was worse")
    assert release.approval.channel == "pipe"


def test_a_rollback_to_a_version_by_its_number(shell: Shell) -> None:
    two_versions(shell)
    shell("skills", "rollback", "tidy-csv", *BY)
    plain = shell("skills", "rollback", "tidy-csv", *BY, "--to", "2", "--json").json
    assert (plain["version"], plain["release"]["approval"]["by"]) == (2, "ana")


def test_a_rollback_that_cannot_be_done(shell: Shell) -> None:
    two_versions(shell)
    assert "no version 7" in shell("skills", "rollback", "tidy-csv", *BY, "--to", "7").err
    assert "live already" in shell("skills", "rollback", "tidy-csv", *BY, "--to", "2").err
    assert "no skill 'nothing'" in shell("skills", "rollback", "nothing", *BY).err
    shell.create("first")
    assert "no version before it" in shell("skills", "rollback", "first", *BY).err


def test_a_rollback_needs_somebody(shell: Shell) -> None:
    two_versions(shell)
    answer = shell("skills", "rollback", "tidy-csv")
    assert (answer.code, "--by" in answer.err) == (2, True)
    assert shell("skills", "rollback", "tidy-csv", "--by", "policy:trust").code == 1
    assert shell("skills", "rollback", "tidy-csv", "--by", " ").code == 1
    assert "two" in (shell.skills / "tidy-csv" / "SKILL.md").read_text()


@pytest.mark.parametrize(
    ("act", "reversal", "flag"),
    [("pin", "unpin", "pinned"), ("disable", "enable", "disabled")],
)
def test_a_flag_is_set_and_taken_back(shell: Shell, act: str, reversal: str, flag: str) -> None:
    shell.create("tidy-csv")

    def is_set() -> bool:
        (skill,) = shell("skills", "list", "--json").json["skills"]
        return bool(skill[flag])

    answer = shell("skills", act, "tidy-csv", *BY, "--reason", "because")
    assert answer.code == 0
    assert f"hermes skills {reversal} tidy-csv" in answer.err
    assert is_set()
    again = shell("skills", act, "tidy-csv")
    assert (again.code, again.out) == (0, "tidy-csv: nothing to do, it was so already\n")
    assert shell("skills", act, "tidy-csv", "--json").json["changed"] is False
    assert shell("skills", reversal, "tidy-csv", "--json").json["changed"] is True
    assert not is_set()


def test_archive_and_restore(shell: Shell) -> None:
    shell.create("tidy-csv", body="one")
    folder = shell.skills / "tidy-csv"
    assert shell("skills", "archive", "tidy-csv", *BY, "--reason", "unused").code == 0
    assert not folder.exists()
    assert shell("skills", "restore", "tidy-csv", *BY).out == "tidy-csv is live again\n"
    assert (folder / "SKILL.md").read_text() == skill_text("tidy-csv", body="one")


def test_restore_puts_the_live_version_over_a_broken_folder(shell: Shell) -> None:
    shell.create("tidy-csv", body="one")
    file = shell.write("tidy-csv", "broken\n")
    answer = shell("skills", "restore", "tidy-csv", *BY)
    assert (answer.code, "was put back" in answer.out) == (0, True)
    assert file.read_text() == skill_text("tidy-csv", body="one")


def test_without_by_the_system_says_who(shell: Shell) -> None:
    shell.create("tidy-csv")
    shell("skills", "pin", "tidy-csv")
    with shell.open() as home:
        skill = home.ledger.skills.named("tidy-csv", "personal")
        assert skill is not None
        (change,) = home.ledger.changes.of_skill(skill.id)
    assert change.approval.by == change.approval.os_user


def test_an_act_takes_no_shortened_name(shell: Shell) -> None:
    shell.create("tidy-csv")
    for words in (["archive", "tidy"], ["pin", "tidy"], ["rollback", "tidy", *BY]):
        answer = shell("skills", *words)
        assert answer.code == 1
        assert "did you mean tidy-csv?" in answer.err
    assert (shell.skills / "tidy-csv").exists()


def test_a_skill_that_was_never_live_cannot_be_archived(shell: Shell) -> None:
    shell.create("waits", asked=False)
    answer = shell("skills", "archive", "waits", *BY)
    assert (answer.code, "hermes review list" in answer.err) == (1, True)

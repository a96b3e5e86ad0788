"""`skills history`, `skills diff` and `skills why`."""

from __future__ import annotations

from .conftest import Shell


def three_versions(shell: Shell) -> None:
    shell.create("tidy-csv", body="one")
    shell.agent("patch", asked=True, name="tidy-csv", old_string="one", new_string="two")
    file = shell.skills / "tidy-csv" / "SKILL.md"
    file.write_text(file.read_text().replace("two", "three"))


def test_history_tells_every_version_and_who_let_it_live(shell: Shell) -> None:
    three_versions(shell)
    answer = shell("skills", "history", "tidy-csv")
    assert answer.code == 0
    assert [(row[0], row[1]) for row in answer.rows] == [
        ("1", "superseded"),
        ("2", "superseded"),
        ("3", "active"),
    ]
    versions = shell("skills", "history", "tidy-csv", "--json").json["versions"]
    assert [one["what"] for one in versions] == ["create", "patch", "changed on disk"]
    assert [one["author"] for one in versions[:2]] == ["agent", "agent"]
    assert versions[0]["approved_by"] == "policy:review:requested_by_user"


def test_history_tells_acts_too(shell: Shell) -> None:
    shell.create("tidy-csv")
    shell("skills", "archive", "tidy-csv", "--by", "ana", "--reason", "unused")
    answer = shell("skills", "history", "tidy-csv")
    assert "archive" in answer.out
    assert "unused" in answer.out
    (act,) = shell("skills", "history", "tidy-csv", "--json").json["acts"]
    assert act["approval"]["by"] == "ana"


def test_a_diff_is_of_what_is_live_and_what_was_before(shell: Shell) -> None:
    three_versions(shell)
    answer = shell("skills", "diff", "tidy-csv")
    assert answer.code == 0
    assert "--- v2/SKILL.md\n+++ v3/SKILL.md\n" in answer.out
    assert "-two\n+three\n" in answer.out
    shell("skills", "rollback", "tidy-csv", "--to", "1", "--by", "ana")
    assert "-three\n+one\n" in shell("skills", "diff", "tidy-csv").out


def test_a_first_version_is_all_new(shell: Shell) -> None:
    shell.create("tidy-csv", body="one")
    assert "--- /dev/null\n+++ v1/SKILL.md\n" in shell("skills", "diff", "tidy-csv").out


def test_a_diff_of_two_named_versions(shell: Shell) -> None:
    three_versions(shell)
    assert "-three\n+one\n" in shell("skills", "diff", "tidy-csv", "v3", "1").out
    plain = shell("skills", "diff", "tidy-csv", "1", "3", "--json").json
    assert (plain["old"], plain["new"]) == (1, 3)
    assert "-one\n+three\n" in plain["diff"]
    assert shell("skills", "diff", "tidy-csv", "2", "2").out == "no difference\n"


def test_a_diff_with_a_candidate(shell: Shell) -> None:
    shell.create("tidy-csv", body="one")
    shell.create("other")
    waiting = shell.agent("patch", name="tidy-csv", old_string="one", new_string="uno")
    answer = shell("skills", "diff", "tidy-csv", "--candidate", waiting["candidate"])
    assert "-one\n+uno\n" in answer.out
    wrong = shell("skills", "diff", "other", "--candidate", waiting["candidate"])
    assert (wrong.code, "of skill 'tidy-csv'" in wrong.err) == (1, True)


def test_a_diff_that_cannot_be_made_says_what_to_give(shell: Shell) -> None:
    three_versions(shell)
    shell.create("waits", asked=False)
    assert shell("skills", "diff", "tidy-csv", "1").code == 2
    assert shell("skills", "diff", "tidy-csv", "1", "2", "3").code == 2
    assert shell("skills", "diff", "tidy-csv", "one", "two").code == 2
    assert shell("skills", "diff", "tidy-csv", "1", "2", "--candidate", "x").code == 2
    assert "has no version 9" in shell("skills", "diff", "tidy-csv", "1", "9").err
    assert "is not live" in shell("skills", "diff", "waits").err


def test_why_names_author_candidate_checks_evidence_and_approver(shell: Shell) -> None:
    waiting = shell.create("release-notes", asked=False)
    shell("review", "approve", waiting["candidate"], "--by", "ana", "--note", "reads well")
    shell("skills", "pin", "release-notes", "--by", "bo", "--reason", "it is good")
    answer = shell("skills", "why", "release-notes")
    assert answer.code == 0
    for said in (
        "release-notes (live, pinned, unproven)",
        "live: version 1, active",
        "written by agent on its own, in session_1",
        waiting["candidate"],
        "no examples or steps",
        "format: passed",
        "scores: not measured yet",
        "approved by ana (pipe",
        ": reads well",
        "pin on ",
        ": it is good",
    ):
        assert said in answer.out, said


def test_why_holds_every_record_for_a_program(shell: Shell) -> None:
    three_versions(shell)
    plain = shell("skills", "why", "tidy-csv", "--json").json
    assert plain["skill"]["name"] == "tidy-csv"
    assert [one["version"]["number"] for one in plain["versions"]] == [1, 2, 3]
    for one in plain["versions"]:
        assert one["candidate"]["version_id"] == one["version"]["id"]
        assert one["verdicts"][0]["decision"] == "validated"
        assert one["releases"][0]["approval"]["by"]


def test_why_a_rejected_draft_is_not_live(shell: Shell) -> None:
    waiting = shell.create("vague", asked=False)
    shell("review", "reject", waiting["candidate"], "--by", "ana", "--reason", "too vague")
    answer = shell("skills", "why", "vague")
    assert "vague (draft, unproven)" in answer.out
    assert "version 1, rejected" in answer.out


def test_unknown_names(shell: Shell) -> None:
    for command in ("history", "diff", "why"):
        answer = shell("skills", command, "nothing")
        assert (answer.code, answer.out) == (1, "")

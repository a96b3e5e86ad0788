"""`skills show`."""

from __future__ import annotations

from hermes.testing.homes import skill_text

from .conftest import Shell


def test_a_skill_is_shown_with_what_is_known_of_it(shell: Shell) -> None:
    shell.create("tidy-csv", body="Sort the rows.")
    answer = shell("skills", "show", "tidy-csv")
    assert answer.code == 0
    assert "origin       requested_by_user\n" in answer.out
    assert answer.out.endswith(skill_text("tidy-csv", body="Sort the rows."))
    plain = shell("skills", "show", "tidy-csv", "--json").json
    assert plain["version"] == 1
    assert plain["approved_by"] == "policy:review:requested_by_user"
    assert plain["content"] == skill_text("tidy-csv", body="Sort the rows.")


def test_a_support_file_is_shown_alone(shell: Shell) -> None:
    shell.write("tidy-csv")
    shell.write("tidy-csv", "print(1)\n", "scripts/tidy.py")
    assert shell("skills", "show", "tidy-csv", "--file", "scripts/tidy.py").out == "print(1)\n"
    answer = shell("skills", "show", "tidy-csv", "--file", "scripts/no.py")
    assert answer.code == 1
    assert "it has SKILL.md, scripts/tidy.py" in answer.err


def test_a_file_that_is_no_text_is_not_sent_to_the_terminal(shell: Shell) -> None:
    shell.write("tidy-csv")
    shell.write("tidy-csv", "", "assets/logo.png").write_bytes(b"\x89PNG\x1b[2J\xff")
    answer = shell("skills", "show", "tidy-csv", "--file", "assets/logo.png")
    assert answer.out == "assets/logo.png is not text; it has 9 bytes\n"
    plain = shell("skills", "show", "tidy-csv", "--file", "assets/logo.png", "--json").json
    assert plain["content"] is None


def test_an_unknown_name_is_answered_with_the_nearest(shell: Shell) -> None:
    shell.create("tidy-csv")
    answer = shell("skills", "show", "tidi-csv")
    assert answer.code == 1
    assert "did you mean tidy-csv?" in answer.err
    assert shell("skills", "show", "zzz").err == (
        "hermes: there is no skill 'zzz' (`hermes skills list` shows them)\n"
    )


def test_a_unique_beginning_is_enough_to_read_and_is_told(shell: Shell) -> None:
    shell.create("tidy-csv")
    shell.create("bake-bread")
    answer = shell("skills", "show", "ti", "--json")
    assert answer.json["name"] == "tidy-csv"
    assert answer.err == "note: 'ti' is taken for 'tidy-csv'\n"


def test_a_beginning_of_several_names_them(shell: Shell) -> None:
    shell.create("tidy-csv")
    shell.create("tidy-json")
    answer = shell("skills", "show", "tidy")
    assert answer.code == 1
    assert "fits 2 skills: tidy-csv, tidy-json" in answer.err


def test_a_whole_name_wins_over_those_it_begins(shell: Shell) -> None:
    shell.create("tidy")
    shell.create("tidy-csv")
    answer = shell("skills", "show", "tidy", "--json")
    assert answer.json["name"] == "tidy"
    assert answer.err == ""


def test_a_broken_edit_is_told_and_the_last_good_version_is_shown(shell: Shell) -> None:
    shell.create("tidy-csv", body="Good.")
    shell.write("tidy-csv", "no frontmatter at all\n")
    answer = shell("skills", "show", "tidy-csv")
    assert answer.code == 0
    assert answer.out.endswith(skill_text("tidy-csv", body="Good."))
    assert "problem: tidy-csv: " in answer.err
    assert "SKILL.md:1" in answer.err


def test_a_skill_that_is_not_live_says_so(shell: Shell) -> None:
    shell.create("waits", asked=False)
    assert "a draft that is not live yet" in shell("skills", "show", "waits").err
    shell.create("gone")
    shell("skills", "archive", "gone")
    answer = shell("skills", "show", "gone")
    assert answer.code == 1
    assert "is archived" in answer.err


def test_a_name_that_is_no_text_is_an_error_like_any_other(shell: Shell) -> None:
    for name in ("", "../../etc", "\ud800", "a\nb"):
        answer = shell("skills", "show", name)
        assert answer.code == 1, name
        assert answer.err.count("\n") == 1
        assert "unexpected" not in answer.err

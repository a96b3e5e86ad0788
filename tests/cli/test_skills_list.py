"""`skills list` and `skills search`."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from hermes.testing.homes import skill_text

from .conftest import ATTACK, Shell


def test_an_empty_home_says_where_skills_go(shell: Shell) -> None:
    answer = shell("skills", "list")
    assert answer.code == 0
    assert f"{shell.skills}/<name>/SKILL.md" in answer.out
    assert shell("skills", "list", "--json").json == {"skills": [], "problems": []}


def test_a_list_tells_version_state_origin_and_marks(shell: Shell) -> None:
    shell.create("tidy-csv", description="Tidies CSV.")
    shell.agent("patch", asked=True, name="tidy-csv", old_string="Do it.", new_string="Do it now.")
    shell.create("waits", asked=False)
    shell("skills", "pin", "tidy-csv")
    shell("skills", "disable", "tidy-csv")
    answer = shell("skills", "list")
    assert answer.rows == [
        ["tidy-csv", "2", "live", "requested_by_user", "pinned, disabled, unproven", "-",
         "Tidies CSV."],
        ["waits", "-", "draft", "assistant_tool", "-", "-", "Does a thing. Use when testing."],
    ]  # fmt: skip


def test_a_skill_put_there_by_hand_is_listed_at_once(shell: Shell) -> None:
    shell("skills", "list")
    shell.write("data/mine")
    (skill,) = shell("skills", "list", "--json").json["skills"]
    assert (skill["name"], skill["category"], skill["origin"]) == ("mine", "data", "user")
    assert skill["proven"] is False


def test_filters(shell: Shell) -> None:
    shell("skills", "list")
    shell.write("data/mine")
    shell.create("asked-for")

    def listed(*words: str) -> list[str]:
        return [one["name"] for one in shell("skills", "list", "--json", *words).json["skills"]]

    assert listed() == ["asked-for", "mine"]
    assert listed("--origin", "user") == ["mine"]
    assert listed("--category", "data") == ["mine"]
    assert listed("--origin", "hub") == []
    assert shell("skills", "list", "--origin", "hub").out == "no such skills\n"
    shell("skills", "archive", "mine")
    assert listed() == ["asked-for"]
    assert listed("--all") == ["asked-for", "mine"]


def test_an_unknown_origin_is_wrong_usage(shell: Shell) -> None:
    answer = shell("skills", "list", "--origin", "nobody")
    assert answer.code == 2
    assert "requested_by_user" in answer.err


def test_problems_are_told_beside_the_list_with_file_and_line(shell: Shell) -> None:
    shell.write("good")
    shell.write("broken", "---\nname: broken\n---\nNo description.\n")
    answer = shell("skills", "list")
    assert answer.code == 0
    assert [row[0] for row in answer.rows] == ["good"]
    assert "problem: broken: " in answer.err
    assert "SKILL.md:2: there is no description" in answer.err
    (problem,) = shell("skills", "list", "--json").json["problems"]
    assert problem["location"] == "broken"


def test_a_hostile_description_cannot_act_on_the_terminal(shell: Shell) -> None:
    quoted = ATTACK.replace("\x1b", "\\e").replace("\x07", "\\a")  # as YAML writes them
    shell.write("nice", f'---\nname: nice\ndescription: "{quoted}"\n---\nBody.\n')
    for words in (["list"], ["list", "--json"], ["show", "nice"], ["why", "nice"]):
        answer = shell("skills", *words)
        assert answer.code == 0, answer.err
        assert not {"\x1b", "\x07", "\u202e"} & set(answer.out + answer.err)
    (skill,) = shell("skills", "list", "--json").json["skills"]
    assert skill["description"] == ATTACK, "a program gets the description as it is"


def test_a_missing_skills_folder_is_not_taken_for_an_empty_one(shell: Shell) -> None:
    shell.create("tidy-csv")
    shell("skills", "list")
    shell.skills.rename(shell.skills.with_name("elsewhere"))
    answer = shell("skills", "list")
    assert answer.code == 1
    assert "skills folder is gone" in answer.err
    assert answer.out == ""


def test_a_broken_database_is_an_error_that_says_what_to_do(shell: Shell) -> None:
    shell.create("tidy-csv")
    (shell.root / "loop" / "loop.db").write_bytes(b"no database" * 1000)
    for words in (["skills", "list"], ["review", "list"], ["releases", "list"], ["events"]):
        answer = shell(*words)
        assert answer.code == 1
        assert answer.out == ""
        assert "hermes db restore" in answer.err


def test_a_list_of_unchanged_skills_does_not_load_the_gate(shell: Shell) -> None:
    shell.write("one")
    time.sleep(0.2)  # until nobody can change it within the same tick of the clock
    shell("skills", "list")
    program = (
        "import sys; from hermes.cli.main import main; "
        "main(['skills', 'list']); print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "HERMES_HOME": str(shell.root)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "one" in done.stdout
    loaded = set(done.stderr.split())
    heavy = ("hermes.loop", "hermes.library.skillmd", "hermes.records.candidate", "rich", "numpy",
             "yaml", "difflib")  # fmt: skip
    assert not [name for name in heavy if name in loaded]


# Search.


def test_a_need_is_found_by_meaning(shell: Shell) -> None:
    shell.create("tidy-csv", description="Trims cells and sorts a CSV file. Use on untidy exports.")
    shell.create("bake-bread", description="Bakes a loaf of bread. Use when hungry.")
    shell.create("draft", asked=False, description="Cleans messy spreadsheets.")
    answer = shell("skills", "search", "clean up a messy spreadsheet", "-k", "1")
    assert answer.code == 0
    assert [row[1] for row in answer.rows] == ["tidy-csv"]
    found = shell("skills", "search", "clean up a messy spreadsheet", "--json").json
    assert found["by_meaning"] is True
    assert "draft" not in [hit["skill"]["name"] for hit in found["hits"]]


def test_nothing_fits(shell: Shell) -> None:
    answer = shell("skills", "search", "anything")
    assert (answer.code, answer.out) == (0, "nothing in the library fits\n")


@pytest.mark.parametrize("words", [["   "], ["x", "-k", "0"], ["x", "-k", "many"], []])
def test_a_search_for_nothing_is_wrong_usage(shell: Shell, words: list[str]) -> None:
    assert shell("skills", "search", *words).code == 2


def test_the_description_is_cut_on_a_terminal_only(shell: Shell) -> None:
    shell.write("long", skill_text("long", description="word " * 100))
    assert "word " * 90 in shell("skills", "list").out

"""skill_manage: whatever is sent, the answer is JSON that helps, and the library stays whole."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from skills_ref import validate

from hermes.app import Home, manage_tool
from hermes.library.manage import ARGUMENTS
from hermes.records.change import Act
from hermes.testing.homes import AGENT, ASKED, Desk, Place, person, skill_text
from hermes.testing.wholeness import faults_of, tree_on_disk

LONGEST_ANSWER = 20_000
ODD_TEXTS = (
    "",
    " ",
    "\0",
    "a\0b",
    "\ud800",
    "../../../etc/passwd",
    "/etc/passwd",
    "C:\\Windows",
    "~",
    ".",
    "..",
    "con",
    "a\nb",
    "\u202eb-a",
    "ﬁle",
    "x" * 200_000,
    "'; DROP TABLE skills; --",
    "{{ name }} %s $(rm -rf ~)",
)
ODD_VALUES = (None, 0, -1, 10**40, 1.5, float("nan"), True, [], {}, ["a"], {"a": 1}, b"bytes")


def call(home: Home, arguments: dict[str, Any]) -> dict[str, Any]:
    """One call; the answer must be JSON of a bounded size, whatever was sent."""
    answer = manage_tool(home)(arguments, ASKED)
    text = json.dumps(answer, allow_nan=False)
    assert len(text) < LONGEST_ANSWER
    assert answer["success"] in (True, False)
    if not answer["success"]:
        assert answer["error"]
        assert answer["message"]
    return answer


@pytest.fixture
def made(home: Home, desk: Desk) -> Home:
    """A home with one skill that has a script."""
    desk.manage("create", name="a-b", content=skill_text("a-b", body="one\n\ntwo"))
    desk.manage("write_file", name="a-b", file_path="scripts/run.py", file_content="print(1)\n")
    home.reader.look()
    return home


GOOD: dict[str, dict[str, Any]] = {
    "create": {"name": "c-d", "content": skill_text("c-d"), "category": "data"},
    "edit": {"name": "a-b", "content": skill_text("a-b", body="new"), "base_version": 2},
    "patch": {
        "name": "a-b",
        "old_string": "one",
        "new_string": "three",
        "replace_all": False,
        "file_path": "SKILL.md",
        "base_version": 2,
    },
    "delete": {"name": "a-b", "reason": "unused"},
    "write_file": {
        "name": "a-b",
        "file_path": "references/notes.md",
        "file_content": "notes",
        "base_version": 2,
    },
    "remove_file": {"name": "a-b", "file_path": "scripts/run.py", "base_version": 2},
}


@pytest.mark.parametrize("action", GOOD)
def test_every_action_works_and_leaves_a_whole_home(made: Home, action: str) -> None:
    answer = call(made, {"action": action, **GOOD[action]})
    assert answer["success"], answer
    assert faults_of(made) == []


def broken_calls() -> Iterator[tuple[str, dict[str, Any]]]:
    for action, arguments in GOOD.items():
        for name in arguments:
            without = {key: value for key, value in arguments.items() if key != name}
            if ARGUMENTS[action][name]:
                yield f"{action} without {name}", {"action": action, **without}
            for value in ODD_VALUES:
                if not isinstance(value, bool) or name != "replace_all":
                    yield f"{action} {name}={value!r}", {"action": action, **arguments, name: value}
        for extra in ("approve", "by", "origin", "", "x" * 100_000):
            yield f"{action} +{extra[:9]}", {"action": action, **arguments, extra: "x"}
    for value in (*ODD_VALUES, *ODD_TEXTS, "approve", "CREATE", "rollback"):
        yield f"action={value!r:.20}", {"action": value, "name": "a-b"}
    yield "nothing", {}


def test_arguments_that_are_missing_unknown_or_of_a_wrong_type_are_told(made: Home) -> None:
    before = tree_on_disk(made.settings.paths.skills_dir)
    for what, arguments in broken_calls():
        answer = call(made, arguments)
        assert not answer["success"], what
        assert answer["error"] in ("wrong_call", "conflict"), (what, answer)
        assert answer["hint"], what
    assert tree_on_disk(made.settings.paths.skills_dir) == before
    assert faults_of(made) == []


@pytest.mark.parametrize("action", GOOD)
def test_odd_texts_never_do_harm(made: Home, action: str) -> None:
    """In every text argument: refused with a reason, or taken as the plain text it is."""
    root = made.settings.paths.skills_dir
    outside = {path for path in root.parent.rglob("*") if root not in path.parents}
    usual = {key: value for key, value in GOOD[action].items() if key != "base_version"}
    for name in [key for key, value in usual.items() if isinstance(value, str)]:
        for text in ODD_TEXTS:
            call(made, {"action": action, **usual, name: text})
            skill = made.ledger.skills.named("a-b", "personal")
            if skill is not None and skill.active_version_id is None:
                made.loop.act("a-b", Act.RESTORE, person())
    now = {path for path in root.parent.rglob("*") if root not in path.parents}
    assert {path.name for path in now - outside if path.suffix != ".lock"} <= {"slots"}
    assert faults_of(made) == []


# What is written conforms.

words = st.text(
    st.characters(codec="utf-8", exclude_characters="\r"), min_size=1, max_size=60
).filter(lambda text: text.strip() != "")
frontmatters = st.fixed_dictionaries(
    {"description": words},
    optional={
        "license": words,
        "compatibility": words,
        "tags": st.lists(words, max_size=3),
        "metadata": st.dictionaries(words, words, max_size=3),
        "when_to_use": words,
        "version": st.integers() | words,
        "allowed-tools": st.lists(words, max_size=2) | words,
    },
)


@pytest.fixture(scope="module")
def one_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    home = Place(tmp_path_factory.mktemp("conforming") / "home").open()
    yield home
    home.close()


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    fields=frontmatters, body=st.text(st.characters(codec="utf-8"), max_size=200), raw=st.booleans()
)
def test_whatever_is_written_passes_the_reference_validator(
    one_home: Home, fields: dict[str, Any], body: str, raw: bool
) -> None:
    """JSON is YAML, so any value can be sent; or badly quoted, as a model would."""
    lines = [
        f"{key}: {value if raw and isinstance(value, str) else json.dumps(value)}"
        for key, value in fields.items()
    ]
    text = "\n".join(["---", "name: prop", *lines, "---", body])
    skill = one_home.ledger.skills.named("prop", "personal")
    action = "edit" if skill and skill.active_version_id else "create"
    answer = call(one_home, {"action": action, "name": "prop", "content": text})
    folder = one_home.settings.paths.skills_dir / "prop"
    if answer["success"]:
        assert validate(folder) == []
        assert folder.joinpath("SKILL.md").read_bytes().decode()
    else:
        assert answer["error"] in ("invalid_skill", "wrong_call"), answer


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    path=st.text(max_size=40) | st.from_regex(r"(scripts|assets)/[a-z./\\]{1,20}", fullmatch=True)
)
def test_whatever_file_is_written_stays_inside_and_is_what_was_sent(
    one_home: Home, path: str
) -> None:
    desk = Desk(one_home)
    if one_home.ledger.skills.named("files", "personal") is None:
        desk.manage("create", name="files", content=skill_text("files"))
    answer = call(
        one_home,
        {"action": "write_file", "name": "files", "file_path": path, "file_content": "x"},
    )
    folder = one_home.settings.paths.skills_dir / "files"
    if answer["success"]:
        written = folder / path
        assert folder in written.resolve().parents
        assert written.read_text() == "x"
        assert validate(folder) == []
        assert call(one_home, {"action": "remove_file", "name": "files", "file_path": path})[
            "success"
        ]
        assert not written.exists()


# Patches.


def test_a_patch_must_match_exactly_once_unless_told_otherwise(made: Home, desk: Desk) -> None:
    none = desk.manage("patch", name="a-b", old_string="One", new_string="x")
    assert (none["error"], none["matches"]) == ("patch_mismatch", 0)
    assert "one" in none["message"] + none["hint"], "it shows the nearest line"
    many = desk.manage("patch", name="a-b", old_string="o", new_string="x")
    assert many["error"] == "patch_mismatch"
    assert many["matches"] > 1
    every = desk.manage("patch", name="a-b", old_string="two", new_string="2", replace_all=True)
    assert every["matches"] == 1
    same = desk.manage("patch", name="a-b", old_string="one", new_string="one")
    assert same["error"] == "wrong_call"
    empty = desk.manage("patch", name="a-b", old_string="", new_string="x")
    assert empty["error"] == "wrong_call"
    script = desk.manage(
        "patch", name="a-b", file_path="scripts/run.py", old_string="1", new_string="2"
    )
    assert script["success"]
    assert desk.view("a-b", file_path="scripts/run.py")["content"] == "print(2)\n"


def test_a_patch_that_would_break_the_skill_is_refused(made: Home, desk: Desk) -> None:
    before = desk.view("a-b")["content"]
    for old, new in (("name: a-b", "name: other"), ("---\n# a-b", "# a-b"), ("description:", "x:")):
        answer = desk.manage("patch", name="a-b", old_string=old, new_string=new)
        assert answer["error"] == "invalid_skill", answer
    assert desk.view("a-b")["content"] == before


def test_a_binary_file_is_not_patched(made: Home, desk: Desk) -> None:
    folder = made.settings.paths.skills_dir / "a-b"
    (folder / "assets").mkdir()
    (folder / "assets" / "logo.png").write_bytes(b"\x89PNG\xff\xfe")
    answer = desk.manage(
        "patch", name="a-b", file_path="assets/logo.png", old_string="PNG", new_string="x"
    )
    assert answer["error"] == "wrong_call"
    assert "not text" in answer["message"]


# Conflicts and look-alikes.


def test_a_change_to_another_version_than_the_live_one_is_a_conflict(
    made: Home, desk: Desk
) -> None:
    for arguments in (
        {"action": "patch", "old_string": "one", "new_string": "1"},
        {"action": "edit", "content": skill_text("a-b", body="x")},
        {"action": "write_file", "file_path": "scripts/a.py", "file_content": "x"},
        {"action": "remove_file", "file_path": "scripts/run.py"},
    ):
        answer = desk.manage(name="a-b", base_version=1, **arguments)
        assert answer["error"] == "conflict"
        assert "version 2" in answer["message"]
        assert "skill_view" in answer["hint"]
    assert desk.manage("patch", name="a-b", base_version=2, old_string="one", new_string="1")[
        "success"
    ]


def test_names_that_look_like_another_are_refused(desk: Desk) -> None:
    desk.manage("create", name="tool-1l", content=skill_text("tool-1l"))
    for name in ("tool-ll", "tool-11", "tool-l1"):
        answer = desk.manage("create", name=name, content=skill_text(name))
        assert answer["error"] == "conflict", answer
        assert "tool-1l" in answer["message"]
    for name in ("t\u043eol-1l", "Tool-1L", "tool--1l", "ｔool-1l"):
        answer = desk.manage("create", name=name, content=skill_text(name))
        assert answer["error"] == "invalid_skill", answer


def test_a_skill_is_not_made_inside_another_nor_over_a_category(made: Home, desk: Desk) -> None:
    inside = desk.manage("create", name="c-d", content=skill_text("c-d"), category="a-b")
    assert inside["error"] == "refused"
    assert "inside the skill 'a-b'" in inside["message"]
    desk.manage("create", name="c-d", content=skill_text("c-d"), category="data")
    over = desk.manage("create", name="data", content=skill_text("data"))
    assert over["error"] == "conflict"
    assert desk.names() == ["a-b", "c-d"]
    assert faults_of(made) == []


def test_a_change_that_changes_nothing_is_told_and_not_stored(made: Home, desk: Desk) -> None:
    answer = desk.manage("edit", name="a-b", content=desk.view("a-b")["content"])
    assert answer["error"] == "wrong_call"
    assert desk.view("a-b")["version"] == 2


def test_an_agents_own_draft_does_not_change_what_is_live(made: Home, desk: Desk) -> None:
    answer = desk.manage("patch", caller=AGENT, name="a-b", old_string="one", new_string="1")
    assert answer["state"] == "awaiting_review"
    assert "hermes review" in answer["message"]
    assert "one" in desk.view("a-b")["content"]


# A write that could never be ended is not begun.


def test_a_reason_that_cannot_be_stored_is_refused_before_the_disk_is_touched(
    made: Home, desk: Desk
) -> None:
    for reason in ("a\0b", "\ud800"):
        answer = desk.manage("delete", name="a-b", reason=reason)
        assert answer["error"] == "wrong_call"
    kinds = [event.kind for event in made.ledger.events.latest()]
    assert "release.interrupted" not in kinds
    assert desk.names() == ["a-b"]


def test_who_the_system_says_it_was_is_kept_of_a_deletion(made: Home, desk: Desk) -> None:
    assert desk.manage("delete", name="a-b", reason="unused")["success"] is True
    (archived,) = [e for e in made.ledger.events.latest() if e.kind == "skill.archived"]
    assert archived.data["os_user"] == made.loop.os_user

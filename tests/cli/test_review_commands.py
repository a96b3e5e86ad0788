"""`hermes review`: what waits, everything needed to decide, and the decision."""

from __future__ import annotations

import pytest

from hermes.records.session import Session
from hermes.testing import samples

from .conftest import ATTACK, Shell

BY = ("--by", "ana")


def test_an_empty_queue(shell: Shell) -> None:
    assert shell("review", "list").out == "nothing waits for review\n"
    assert shell("review", "list", "--json").json == []


def test_what_waits_is_listed(shell: Shell) -> None:
    waiting = shell.create("release-notes", asked=False)
    shell.create("live-already")
    (row,) = shell("review", "list").rows
    assert row[:5] == [waiting["candidate"], "release-notes", "create", "assistant_tool", "agent"]
    (plain,) = shell("review", "list", "--json").json
    assert plain["skill_name"] == "release-notes"


def test_a_candidate_is_shown_with_all_that_a_decision_needs(shell: Shell) -> None:
    shell.create("tidy-csv", body="one")
    waiting = shell.agent("patch", name="tidy-csv", old_string="one", new_string="uno")
    answer = shell("review", "show", waiting["candidate"])
    assert answer.code == 0
    for said in (
        "state      awaiting_review",
        "written by agent on its own",
        "session    session_1",
        "no examples or steps",
        "validated: ",
        "format: passed",
        "--- live/SKILL.md\n+++ v2/SKILL.md",
        "-one\n+uno\n",
    ):
        assert said in answer.out, said
    assert f"hermes review approve {waiting['candidate']}" in answer.err
    plain = shell("review", "show", waiting["candidate"], "--json").json
    assert plain["candidate"]["id"] == waiting["candidate"]
    assert plain["verdicts"][0]["checks"][0]["name"] == "format"
    assert "+uno" in plain["diff"]


def test_a_known_session_is_named(shell: Shell) -> None:
    waiting = shell.create("release-notes", asked=False)
    with shell.open() as home:
        session: Session = samples.session(id="session_1", title="Ship 2.0")
        home.sessions.add(session)
    assert "session_1 Ship 2.0" in shell("review", "show", waiting["candidate"]).out


def test_an_approval_makes_it_live_and_leaves_a_trace(shell: Shell) -> None:
    waiting = shell.create("release-notes", asked=False)
    answer = shell("review", "approve", waiting["candidate"], *BY, "--note", "fine")
    assert (answer.code, answer.out) == (0, "release-notes version 1 is live, approved by ana\n")
    assert (shell.skills / "release-notes" / "SKILL.md").exists()
    again = shell("review", "approve", waiting["candidate"], *BY)
    assert (again.code, "does not wait" in again.err) == (1, True)
    shown = shell("review", "show", waiting["candidate"])
    assert "state      active" in shown.out
    assert "the same as what is live" in shown.out
    assert shown.err == ""


def test_a_rejection_needs_a_reason_and_is_final(shell: Shell) -> None:
    waiting = shell.create("vague", asked=False)
    assert shell("review", "reject", waiting["candidate"], *BY).code == 2
    blank = shell("review", "reject", waiting["candidate"], *BY, "--reason", " ")
    assert (blank.code, "needs a reason" in blank.err) == (1, True)
    plain = shell(
        "review", "reject", waiting["candidate"], *BY, "--reason", "too vague", "--json"
    ).json
    assert (plain["state"], plain["reason"]) == ("rejected", "too vague")
    assert shell("review", "list").out == "nothing waits for review\n"


def test_a_decision_needs_somebody(shell: Shell) -> None:
    waiting = shell.create("vague", asked=False)
    assert shell("review", "approve", waiting["candidate"]).code == 2
    refused = shell("review", "approve", waiting["candidate"], "--by", "policy:trust")
    assert (refused.code, "not a person" in refused.err) == (1, True)
    assert not (shell.skills / "vague").exists()


def test_any_unique_beginning_of_an_id_is_enough(shell: Shell) -> None:
    waiting = shell.create("one", asked=False)["candidate"]
    bare = waiting.removeprefix("candidate_")
    for shortened in (waiting, waiting[:14], bare, bare[:5], bare[:5].upper()):
        assert shell("review", "show", shortened, "--json").json["candidate"]["id"] == waiting


def test_an_ambiguous_beginning_names_the_matches(shell: Shell) -> None:
    ids = [shell.create(name, asked=False)["candidate"] for name in ("one", "two")]
    answer = shell("review", "approve", ids[0][:12], *BY)
    assert answer.code == 1
    assert "fits 2 candidates" in answer.err
    for candidate, name in zip(ids, ("one", "two"), strict=True):
        assert f"{candidate} ({name})" in answer.err
    assert not (shell.skills / "one").exists()


def test_what_waits_is_meant_before_what_was_decided(shell: Shell) -> None:
    first = shell.create("one", asked=False)["candidate"]
    shell("review", "reject", first, *BY, "--reason", "no")
    second = shell.create("two", asked=False)["candidate"]
    common = first[:12]
    assert second.startswith(common)
    assert shell("review", "show", common, "--json").json["candidate"]["id"] == second
    assert shell("review", "show", first, "--json").json["candidate"]["id"] == first


@pytest.mark.parametrize("wrong", ["candidate_zzz", "zzz", "", "candidate_", "\ud800", "release_0"])
def test_an_unknown_id(shell: Shell, wrong: str) -> None:
    shell.create("one", asked=False)
    for words in (["show", wrong], ["approve", wrong, *BY]):
        answer = shell("review", *words)
        assert answer.code == 1
        assert "unexpected" not in answer.err
        assert answer.out == ""


def test_a_candidate_that_live_work_overtook_is_refused(shell: Shell) -> None:
    shell.create("tidy-csv", body="one\n\ntwo")
    waiting = shell.agent("patch", name="tidy-csv", old_string="one", new_string="ONE")
    shell.agent("patch", asked=True, name="tidy-csv", old_string="two", new_string="TWO")
    answer = shell("review", "approve", waiting["candidate"], *BY)
    assert (answer.code, "another version" in answer.err) == (1, True)


def test_a_hostile_candidate_cannot_act_on_the_terminal(shell: Shell) -> None:
    waiting = shell.agent(
        "create",
        name="nice",
        content=f"---\nname: nice\ndescription: Nice.\n---\n# Nice\n\n{ATTACK}\n",
    )
    assert waiting["success"], waiting
    answer = shell("review", "show", waiting["candidate"])
    assert answer.code == 0
    assert not {"\x1b", "\x07", "\u202e"} & set(answer.out + answer.err)
    assert "<U+202E>" in answer.out, "a reviewer sees that something is hidden there"

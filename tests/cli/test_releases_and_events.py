"""`hermes releases` and `hermes events`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import hermes
from hermes.cli.event_sentences import sentence
from hermes.records.event import FIRST, Event
from hermes.testing import samples

from .conftest import ATTACK, Shell


def test_nothing_was_released(shell: Shell) -> None:
    assert shell("releases", "list").out == "nothing was ever released\n"
    assert shell("releases", "list", "--json").json == []
    assert shell("events").out == "nothing has happened yet\n"
    assert shell("events", "--json").json == []


def test_releases_tell_what_is_live_and_what_was(shell: Shell) -> None:
    shell.create("tidy-csv", body="one")
    shell.agent("patch", asked=True, name="tidy-csv", old_string="one", new_string="two")
    rows = shell("releases", "list").rows
    assert [(row[1], row[2], row[3]) for row in rows] == [
        ("tidy-csv", "1", "ended"),
        ("tidy-csv", "2", "active"),
    ]
    assert rows[0][-1] == "replaced by version 2"
    plain = shell("releases", "list", "--limit", "1", "--json").json
    assert [one["state"] for one in plain] == ["active"]


def test_one_release_by_the_beginning_of_its_id(shell: Shell) -> None:
    waiting = shell.create("release-notes", asked=False)
    shell("review", "approve", waiting["candidate"], "--by", "ana", "--note", "fine")
    (release,) = shell("releases", "list", "--json").json
    answer = shell("releases", "show", release["id"][:16])
    assert answer.code == 0
    assert "approved by ana (pipe" in answer.out
    assert "100% of tasks" in answer.out
    assert shell("releases", "show", release["id"], "--json").json == release


def test_releases_whose_ids_begin_alike(shell: Shell) -> None:
    shell.create("one")
    shell.create("two")
    answer = shell("releases", "show", "release_0")
    assert (answer.code, "fits 2 releases" in answer.err) == (1, True)
    assert "hermes releases list" in shell("releases", "show", "zzz").err


@pytest.mark.parametrize("wrong", ["0", "-1", "many", ""])
def test_a_limit_is_a_number_from_one(shell: Shell, wrong: str) -> None:
    for command in (["releases", "list"], ["events"]):
        assert shell(*command, f"--limit={wrong}").code == 2


def test_events_are_sentences(shell: Shell) -> None:
    waiting = shell.create("release-notes", asked=False)
    shell("review", "approve", waiting["candidate"], "--by", "ana", "--note", "fine")
    shell.create("other")
    lines = [line.partition("  ")[2] for line in shell("events").out.splitlines()]
    assert lines[:2] == [
        "agent proposed version 1 of release-notes (create); it waits for review as "
        + waiting["candidate"],
        "ana made version 1 of release-notes live: fine (pipe)",
    ]
    assert lines[3].startswith("version 1 of other went live: policy 'review'")
    assert len(shell("events", "--skill", "release-notes").out.splitlines()) == 2
    assert len(shell("events", "--limit", "1").out.splitlines()) == 1


def test_events_for_a_program(shell: Shell) -> None:
    shell.create("tidy-csv")
    shell("skills", "pin", "tidy-csv", "--by", "ana")
    event = shell("events", "--json").json[-1]
    assert (event["kind"], event["actor"]) == ("skill.pinned", "ana")
    assert event["text"] == "ana pinned tidy-csv (pipe)"
    assert event["data"]["channel"] == "pipe"


def test_events_of_an_unknown_skill(shell: Shell) -> None:
    assert shell("events", "--skill", "nothing").code == 1


def test_an_edit_on_disk_is_in_the_trail_at_once(shell: Shell) -> None:
    shell("skills", "list")
    shell.write("mine")
    assert "wrote version 1 of mine (found on disk)" in shell("events").out


def test_a_hostile_note_cannot_act_on_the_terminal(shell: Shell) -> None:
    waiting = shell.create("release-notes", asked=False)
    shell("review", "approve", waiting["candidate"], "--by", "ana", "--note", ATTACK)
    (release,) = shell("releases", "list", "--json").json
    for words in (["events"], ["events", "--json"], ["releases", "show", release["id"]]):
        answer = shell(*words)
        assert answer.code == 0
        assert not {"\x1b", "\x07", "\u202e"} & set(answer.out)


def event(kind: str, **data: object) -> Event:
    return Event(
        seq=1,
        at=samples.NOW,
        kind=kind,
        actor="ana",
        skill_id="skl_1",
        subject_id="candidate_1",
        data=data,
        previous=FIRST,
        hash="0" * 64,
    )


def test_every_kind_of_event_that_is_written_has_its_sentence() -> None:
    sources = Path(hermes.__file__).parent / "stages"
    text = "\n".join(file.read_text() for file in sources.rglob("*.py"))
    kinds = set(re.findall(r'"((?:skill|folder|release|proposal|candidate)\.[a-z_]+)"', text))
    kinds |= {f"candidate.{state}" for state in ("awaiting_review", "validated", "rejected")}
    assert "release.activated" in kinds
    for kind in kinds:
        assert kind not in sentence(event(kind), "tidy-csv"), f"{kind} has no sentence"


@pytest.mark.parametrize(
    ("kind", "data", "said"),
    [
        (
            "candidate.rejected",
            {"version": 2, "verdict": "rejected", "reason": "format: no"},
            "version 2 of tidy-csv by ana was refused: format: no",
        ),
        (
            "candidate.rejected",
            {"version": 2, "by": "ana", "note": "too vague", "channel": "terminal"},
            "ana rejected version 2 of tidy-csv: too vague (terminal)",
        ),
        (
            "release.rolled_back",
            {"from": 3, "to": 1, "channel": "pipe", "agent_session_open": True},
            "ana rolled tidy-csv back from version 3 to 1 (pipe, an agent session was open)",
        ),
        (
            "proposal.refused",
            {"findings": ["../evil: is absolute"]},
            "a proposal of ana for candidate_1 was turned away: ../evil: is absolute",
        ),
        (
            "release.interrupted",
            {"why": "no space"},
            "a release of tidy-csv was interrupted: no space",
        ),
        ("moon.rose", {"x": 1}, 'ana: moon.rose on tidy-csv {"x":1}'),
    ],
)
def test_sentences(kind: str, data: dict[str, object], said: str) -> None:
    assert sentence(event(kind, **data), "tidy-csv") == said

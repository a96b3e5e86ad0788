"""When a session is looked back at, from the person's side: by what was done and what was said."""

from __future__ import annotations

from pathlib import Path

import pytest

from hermes.app import Home
from hermes.app.agent import Request
from hermes.records.turn import TurnEnd
from hermes.records.waiting import ReviewKind
from hermes.store.tables.execution import ReviewCountTable
from hermes.testing.agents import Call, ScriptedAgent, Watcher, session_of
from hermes.testing.homes import Desk, Place, skill_text
from hermes.testing.looking_back import look_back

BOTH = {ReviewKind.SKILL, ReviewKind.MEMORY}


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path / "home")


def _configured(place: Place, text: str) -> Home:
    place.open().close()
    config = place.root / "loop" / "config.yaml"
    config.write_text(config.read_text() + text)
    return place.open()


def _rounds(count: int, mark: str = "") -> list[Call]:
    return [Call("list_files", {"pattern": f"{mark}*{number}"}) for number in range(count)]


def test_a_correction_leads_to_one_review_a_task(home: Home, tmp_path: Path) -> None:
    agent = ScriptedAgent("Done: 2 rows.", "Now 1 row.", "Now 3 rows.", "A.", "B.")
    session = session_of(home, agent, tmp_path / "project")

    def say(text: str, *, fresh: bool = False) -> set[ReviewKind]:
        return set(session.ask(Request(text=text, fresh=fresh), Watcher()).reviews)

    wrong = "no, that's wrong, the header is not a row"
    assert say("count the rows of data.csv") == set()
    assert say(wrong) == BOTH
    assert say(wrong) == set()  # the same task was looked at for that already
    assert say("count the rows of other.csv", fresh=True) == set()
    assert say(wrong) == BOTH
    session.close()


def test_a_session_that_is_taken_up_again_remembers_what_it_was_reviewed_for(
    home: Home, place: Place, tmp_path: Path
) -> None:
    wrong = "no, that's wrong, the header is not a row"
    session = session_of(home, ScriptedAgent("2 rows.", "1 row."), tmp_path / "project")
    session.ask(Request(text="count the rows of data.csv"), Watcher())
    turn = session.ask(Request(text=wrong), Watcher())
    session.close()
    assert set(turn.reviews) == BOTH
    resumed = session_of(
        home, ScriptedAgent("3 rows."), tmp_path / "project", resume=turn.session_id
    )
    again = resumed.ask(Request(text=wrong), Watcher())
    resumed.close()
    assert again.trajectory_id == turn.trajectory_id
    assert again.reviews == ()


def test_frustration_is_heard(home: Home, tmp_path: Path) -> None:
    agent = ScriptedAgent("Done: 2 rows.", "Sorry.")
    session = session_of(home, agent, tmp_path / "project")
    session.ask(Request(text="count the rows of data.csv"), Watcher())
    turn = session.ask(Request(text="this is so annoying, you keep getting it wrong!"), Watcher())
    session.close()
    assert set(turn.reviews) == BOTH


def test_the_intervals_are_settings_and_zero_is_off(place: Place, tmp_path: Path) -> None:
    home = _configured(place, "skills: {creation_nudge_interval: 0}\nmemory: {nudge_interval: 2}\n")
    agent = ScriptedAgent(*_rounds(12), "a", "b", "c")
    session = session_of(home, agent, tmp_path / "project")
    turns = [session.ask(Request(text=f"task {n}", fresh=True), Watcher()) for n in range(3)]
    session.close()
    assert [turn.reviews for turn in turns] == [(), (ReviewKind.MEMORY,), ()]
    counts = ReviewCountTable(home.database).of(turns[0].session_id)
    assert counts[ReviewKind.MEMORY] == 1
    home.close()


def test_no_answer_no_review_but_the_rounds_count(home: Home, tmp_path: Path) -> None:
    agent = ScriptedAgent(*_rounds(5), *_rounds(4), KeyboardInterrupt(), *_rounds(1, "z"), "done")
    session = session_of(home, agent, tmp_path / "project", max_steps=5)
    stopped = session.ask(Request(text="look around", fresh=True), Watcher())
    interrupted = session.ask(Request(text="look again", fresh=True), Watcher())
    answered = session.ask(Request(text="once more", fresh=True), Watcher())
    session.close()
    assert [turn.answer.end for turn in (stopped, interrupted, answered)] == [
        TurnEnd.STOPPED,
        TurnEnd.INTERRUPTED,
        TurnEnd.ANSWERED,
    ]
    assert [turn.reviews for turn in (stopped, interrupted, answered)] == [
        (),
        (),
        (ReviewKind.SKILL,),
    ]


def test_a_session_without_skill_tools_has_no_catalogue_and_no_review(
    home: Home, tmp_path: Path
) -> None:
    made = Desk(home).manage("create", name="csv-totals", content=skill_text("csv-totals"))
    assert made["state"] == "active"
    agent = ScriptedAgent(*_rounds(11), "Done: 2 rows.", "Right.")
    session = session_of(home, agent, tmp_path / "project", learning=False)
    first = session.ask(Request(text="count the rows of data.csv"), Watcher())
    second = session.ask(Request(text="no, that's wrong"), Watcher())
    session.close()
    assert (first.reviews, second.reviews) == ((), ())
    assert "csv-totals" not in agent.instructions[0]
    assert not {"skill_manage", "skill_view", "memory_add"} & set(agent.tools[0])


def test_what_the_counter_counted_is_what_the_review_reads(home: Home, tmp_path: Path) -> None:
    agent = ScriptedAgent(*_rounds(6), "a", *_rounds(4, "x"), "b", *_rounds(10, "y"), "c")
    session = session_of(home, agent, tmp_path / "project")
    session.ask(Request(text="the first of the tasks", fresh=True), Watcher())
    second = session.ask(Request(text="the second of the tasks", fresh=True), Watcher())
    assert second.reviews == (ReviewKind.SKILL,)
    _, looked = look_back(home, second, "Nothing.", kinds=second.reviews)
    told = str(looked.asked[0][-1])
    assert told.index("the first of the tasks") < told.index("the second of the tasks")
    third = session.ask(Request(text="the third of the tasks", fresh=True), Watcher())
    session.close()
    assert third.reviews == (ReviewKind.SKILL,)
    _, looked = look_back(home, third, "Nothing.", kinds=third.reviews)
    told = str(looked.asked[0][-1])
    assert "the third of the tasks" in told
    assert "the second of the tasks" not in told  # that was looked at

"""Hermes Agent: a session that was compressed goes on in another, as one line of work."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from .reader_samples import HERMES_TABLES, hermes_message, insert, read_all, read_one, said

SUMMARY = (
    "[CONTEXT COMPACTION — REFERENCE ONLY] Earlier turns were compacted: the rows were counted."
)
MERGED = f"{SUMMARY}\n\n--- END OF CONTEXT SUMMARY — respond to the message below ---\n\n"
TODO = "[Your active task list was preserved across context compression]\n- [ ] plot (pending)"
FIRST = ["user:count the rows", "call:terminal", "result:terminal", "assistant:Twelve."]
NEW = ["call:terminal", "result:terminal", "assistant:Plotted."]


class State:
    """A state.db, session by session."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection
        self._started = 1.7e9

    def session(self, name: str, parent: str | None = None, **more: Any) -> State:
        self._name, self._started = name, self._started + 100
        fields = {"id": name, "source": "cli", "parent_session_id": parent, "cwd": "/p"}
        insert(self._connection, "sessions", **fields | {"started_at": self._started} | more)
        return self

    def says(self, role: str, content: str, **more: Any) -> State:
        hermes_message(self._connection, role, content, session_id=self._name, **more)
        return self

    def does(self, call: str, command: str, output: str) -> State:
        arguments = json.dumps({"command": command})
        calls = [{"id": call, "function": {"name": "terminal", "arguments": arguments}}]
        self.says("assistant", "", tool_calls=json.dumps(calls))
        return self.says("tool", output, tool_call_id=call, tool_name="terminal")

    def compressed(self, **more: Any) -> State:
        """It ends here; whatever continues it begins afterwards."""
        values = {"end_reason": "compression", "ended_at": self._started + 50} | more
        for name, value in values.items():
            query = f"UPDATE sessions SET {name} = ? WHERE id = ?"
            self._connection.execute(query, (value, self._name))
        return self

    def counted(self) -> State:
        return (
            self.says("user", "count the rows")
            .does("c1", "wc -l a.csv", "12")
            .says("assistant", "Twelve.")
        )


@pytest.fixture
def state(tmp_path: Path) -> Iterator[State]:
    path = tmp_path / "state.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.executescript(HERMES_TABLES)
        yield State(path, connection)


def test_a_session_and_what_continues_it_are_one_conversation(state: State) -> None:
    state.session("s1", title="Rows").counted().says("user", "plot them").compressed()
    state.session("s2", "s1", title="Rows (2)")
    state.says("user", "count the rows").says("user", SUMMARY).says("assistant", "Twelve.")
    state.says("user", "plot them").says("user", TODO)
    state.does("c2", "python plot.py", "ok").says("assistant", "Plotted.")
    conversation, turns = read_one(state.path)
    assert said(turns) == [*FIRST, "user:plot them", *NEW]
    heading = conversation.heading
    assert (heading.external_id, heading.parent_external_id) == ("s1", None)
    assert heading.title == "Rows"
    assert len({turn.key for turn in turns}) == len(turns)


def test_results_that_were_cut_in_the_copy_are_known_by_their_call(state: State) -> None:
    state.session("s1").counted().compressed()
    state.session("s2", "s1").says("user", "count the rows")
    state.does("c1", "wc", "[Old tool output cleared to save context space]")
    state.says("user", "thanks").says("assistant", "", reasoning="glad")
    assert said(read_one(state.path)[1]) == [*FIRST, "user:thanks", "thought:glad"]


def test_a_summary_in_front_of_the_user_s_own_words_is_taken_off(state: State) -> None:
    state.session("s1").counted().compressed()
    state.session("s2", "s1").says("user", f"{MERGED}plot them").does("c2", "p", "ok")
    state.says("assistant", "Plotted.")
    assert said(read_one(state.path)[1]) == [*FIRST, "user:plot them", *NEW]


def test_it_may_go_on_more_than_once_and_repeat_words_that_are_new(state: State) -> None:
    state.session("s1").says("user", "go on").says("assistant", "One.").compressed()
    state.session("s2", "s1").says("user", SUMMARY).says("assistant", "One.")
    state.says("user", "go on").says("assistant", "Two.").compressed()
    state.session("s3", "s2").says("user", SUMMARY).says("assistant", "Two.")
    state.says("user", "go on").says("assistant", "Three.")
    conversation, turns = read_one(state.path)
    asked = ["user:go on", "assistant:One.", "user:go on", "assistant:Two."]
    assert said(turns) == [*asked, "user:go on", "assistant:Three."]
    assert conversation.heading.external_id == "s1"


def test_a_subagent_of_either_part_belongs_to_the_whole(state: State) -> None:
    state.session("s1").counted().compressed(ended_at=1.7e9 + 900)
    state.session("early", "s1").says("user", "look around")
    state.session("s2", "s1", started_at=1.7e9 + 901).says("user", "plot them")
    state.session("late", "s2", started_at=1.7e9 + 950).says("user", "look again")
    found = {one.heading.external_id: one.heading for one, _ in read_all(state.path)}
    assert found.keys() == {"s1", "early", "late"}
    assert {found["early"].parent_external_id, found["late"].parent_external_id} == {"s1"}


def test_only_one_session_continues_another(state: State) -> None:
    state.session("s1").counted().compressed()
    state.session("s2", "s1").says("user", "plot them")
    state.session("s3", "s1").says("user", "sum them")
    first, branch = read_all(state.path)
    assert said(first[1]) == [*FIRST, "user:plot them"]
    assert branch[0].heading.parent_external_id == "s1"


@pytest.mark.parametrize("parent", ["s1", "gone"])
def test_a_session_that_ended_otherwise_is_not_continued(state: State, parent: str) -> None:
    state.session("s1").counted().compressed(end_reason="user_exit")
    state.session("s2", parent).says("user", SUMMARY).says("user", "plot them")
    (_, _), (second, turns) = read_all(state.path)
    assert second.heading.parent_external_id == parent
    assert said(turns) == ["user:plot them"]

"""Ctrl-C, kill -9 and a second terminal: the session stays sound, and can be taken up again."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from hermes.records.trajectory import TrajectoryState
from hermes.testing.model_servers import Calls, Hangs, Reply, Says
from hermes.testing.terminal import CTRL_C, CTRL_D


@pytest.mark.parametrize(
    "reply",
    [Calls("shell", {"command": "sleep 300"}), Hangs("Let me think")],
    ids=["while a command runs", "while the model speaks"],
)
def test_ctrl_c_stops_the_turn_and_the_next_message_works(chatter: Any, reply: Reply) -> None:
    server = chatter.serve(reply, Says("Here again."))
    chat = chatter.start()
    chat.prompt()
    chat.enter("begin something long please")
    chat.wait("sleep 300" if isinstance(reply, Calls) else "Let me think")
    time.sleep(1.0)  # the command is running by now
    chat.press(CTRL_C)
    chat.wait("stopped; what was done is recorded")
    chat.prompt()
    (run, steps), *_ = chatter.runs()
    assert run.state is TrajectoryState.INTERRUPTED
    assert steps[-1].metadata["end"] == "interrupted"
    assert chat.ask("are you there?") == "Here again."
    assert "begin something long" in json.dumps(server.asked[-1]["messages"])


def test_resume_goes_on_after_the_end(chatter: Any) -> None:
    chatter.serve(Says("The word is heron."))
    chat = chatter.start()
    chat.ask("remember a word for me")
    chat.press(CTRL_D)
    chat.ended()
    server = chatter.serve(Says("It was heron."))
    again = chatter.start("--resume")
    again.wait("then: The word is heron.")
    assert again.ask("which word was it?") == "It was heron."
    assert "The word is heron." in json.dumps(server.asked[0]["messages"])
    assert len({run.session_id for run, _ in chatter.runs()}) == 1


def test_resume_goes_on_after_kill(chatter: Any) -> None:
    chatter.serve(Calls("list_files", {}), Calls("shell", {"command": "sleep 300"}))
    chat = chatter.start()
    chat.prompt()
    chat.enter("look around and then wait")
    chat.wait("sleep 300")
    chat.kill()
    (before, steps), *_ = chatter.runs()
    assert before.state is TrajectoryState.OPEN
    server = chatter.serve(Says("I was looking around."))
    part = before.session_id.removeprefix("session_")[:-2]
    again = chatter.start("--resume", part)
    again.wait("you: look around and then wait")
    assert chatter.runs()[0][0].state is TrajectoryState.INTERRUPTED
    assert again.ask("what were you doing?") == "I was looking around."
    sent = server.asked[0]["messages"]
    answered = {one["tool_call_id"] for one in sent if one["role"] == "tool"}
    called = {call["id"] for one in sent for call in one.get("tool_calls") or ()}
    assert called == answered
    assert chatter.runs()[0][1][: len(steps)] == steps


def test_what_cannot_be_resumed_is_one_line(chatter: Any) -> None:
    chat = chatter.start("--resume")
    assert chat.ended() == 1
    assert "there is no session to resume" in chat.text
    unknown = chatter.start("--resume", "nosuch")
    assert unknown.ended() == 1
    assert "there is no session 'nosuch'" in unknown.text


def test_two_chats_in_one_home(chatter: Any) -> None:
    chatter.serve(Hangs("Thinking"), Says("I am the other one."))
    one = chatter.start()
    one.prompt()
    one.enter("think about it for long")
    one.wait("Thinking")
    other = chatter.start()
    assert other.ask("who are you?") == "I am the other one."
    states = [run.state for run, _ in chatter.runs()]
    assert states == [TrajectoryState.OPEN, TrajectoryState.FINISHED]
    taken = chatter.start("--resume", chatter.runs()[0][0].session_id)
    assert taken.ended() == 1
    assert "is at work in another process" in taken.text
    one.press(CTRL_C)
    one.wait("stopped")
    assert chatter.runs()[0][0].state is TrajectoryState.INTERRUPTED

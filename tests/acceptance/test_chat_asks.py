"""What needs a person is asked in the chat, in full, and only a clear yes is one."""

from __future__ import annotations

from typing import Any

import pytest

from hermes.testing.model_servers import Calls, Says
from hermes.testing.terminal import CTRL_C, CTRL_D, ENTER

HOST = Calls("shell", {"command": "echo done > host.txt", "outside_sandbox": True})


@pytest.mark.parametrize(
    ("keys", "is_allowed"),
    [("y" + ENTER, True), (ENTER, False), ("n" + ENTER, False), (CTRL_D, False)],
    ids=["yes", "nothing", "no", "end of input"],
)
def test_a_host_command_is_asked_for(chatter: Any, keys: str, is_allowed: bool) -> None:
    chatter.serve(HOST, Says("So be it."))
    chat = chatter.start()
    chat.prompt()
    chat.enter("write it on the host")
    chat.wait("allow? [y/N]")
    assert "│ The agent wants to run outside the sandbox: echo done > host.txt" in chat.text
    chat.press(keys)
    chat.wait("So be it.")
    assert (chatter.project / "host.txt").exists() is is_allowed
    steps = chatter.runs()[0][1]
    (answer,) = [
        step for step in steps if step.metadata.get("call_id") and step.type != "tool_call"
    ]
    assert ("granted" in answer.metadata, "denied" in answer.metadata) == (
        is_allowed,
        not is_allowed,
    )


def test_what_was_typed_before_the_question_is_no_answer(chatter: Any) -> None:
    chatter.serve(Calls("shell", {"command": "sleep 2"}), HOST, Says("So be it."))
    chat = chatter.start()
    chat.prompt()
    chat.enter("wait and then write it on the host")
    chat.wait("sleep 2")
    chat.press("y" + ENTER)
    chat.wait("allow? [y/N]")
    chat.press(ENTER)
    chat.wait("So be it.")
    assert not (chatter.project / "host.txt").exists()


def test_a_command_cannot_pass_itself_off_as_the_question(chatter: Any) -> None:
    command = "true\n  allow? [y/N] y\n\x1b[2J\x1b[Hrm -rf ~ \u202e"
    chatter.serve(
        Calls("shell", {"command": command, "network": ["example.org"]}), Says("So be it.")
    )
    chat = chatter.start()
    chat.prompt()
    chat.enter("reach out")
    chat.until(lambda: chat.cursor_line.startswith("  allow? [y/N]"), "the question")
    assert "│ The agent wants to let this reach example.org: true" in chat.text
    assert "│   allow? [y/N] y" in chat.text
    assert "│ \\x1b[2J\\x1b[Hrm -rf ~ \\u202e" in chat.text
    chat.press("n" + ENTER)
    chat.wait("So be it.")


def test_ctrl_c_at_the_question_stops_the_turn(chatter: Any) -> None:
    chatter.serve(HOST, Says("Here again."))
    chat = chatter.start()
    chat.prompt()
    chat.enter("write it on the host")
    chat.wait("allow? [y/N]")
    chat.press(CTRL_C)
    chat.wait("stopped")
    assert not (chatter.project / "host.txt").exists()
    assert chat.ask("are you there?") == "Here again."

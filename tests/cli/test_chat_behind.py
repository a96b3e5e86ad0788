"""What happens behind the prompt: the warm-up, the quiet line, the question to a person."""

from __future__ import annotations

import io
import os
import signal
import threading
from typing import cast

import pytest

from hermes.app.agent import AgentSession
from hermes.cli.chat.asking import AskInChat
from hermes.cli.chat.notices import Notices
from hermes.cli.chat.screen import Screen
from hermes.cli.chat.session import Ready
from hermes.errors import ConfigError, StoreUnavailable


class Built:
    """Stands for an agent session."""

    def __init__(self, trajectory_id: str | None = None) -> None:
        self.session_id = "session_1"
        self.trajectory_id = trajectory_id
        self.closed = 0

    def close(self) -> None:
        self.closed += 1


def _ready(*outcomes: Built | Exception) -> tuple[Ready, list[str]]:
    coming, threads = iter(outcomes), []

    def build() -> AgentSession:
        threads.append(threading.current_thread().name)
        outcome = next(coming)
        if isinstance(outcome, Exception):
            raise outcome
        return cast(AgentSession, outcome)

    return Ready(build), threads


def test_it_is_built_once_in_the_background() -> None:
    built = Built()
    ready, threads = _ready(built)
    ready.begin()
    assert ready.get() is cast(AgentSession, built)
    assert ready.get() is cast(AgentSession, built)
    assert threads == ["warm-up"]
    assert ready.close() is True
    assert built.closed == 1


def test_what_went_wrong_is_raised_to_whoever_asks_and_then_tried_again() -> None:
    built = Built()
    ready, _ = _ready(ConfigError("no model"), RuntimeError("a bug"), built)
    ready.begin()
    with pytest.raises(ConfigError, match="no model"):
        ready.get()
    with pytest.raises(RuntimeError, match="a bug"):
        ready.get()
    assert ready.get() is cast(AgentSession, built)


def test_whoever_waits_for_it_may_give_up_waiting() -> None:
    built, go_on = Built(), threading.Event()

    def build() -> AgentSession:
        assert go_on.wait(30)
        return cast(AgentSession, built)

    ready = Ready(build)
    ready.begin()
    pressed = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    pressed.start()
    with pytest.raises(KeyboardInterrupt):
        ready.get()
    assert ready.close() is False
    go_on.set()
    assert ready.get() is cast(AgentSession, built)
    assert ready.close() is True


def test_a_dropped_session_is_named_if_something_was_done_in_it() -> None:
    ready, _ = _ready(Built(), Built("trajectory_1"))
    ready.begin()
    assert ready.drop() is None
    ready.begin()
    assert ready.drop() == "session_1"
    assert ready.drop() is None


def test_what_waits_is_told_once_and_then_what_is_new() -> None:
    waiting, told = {"a", "b"}, []
    notices = Notices(lambda: waiting, told.append)
    notices.look()
    notices.look()
    waiting.remove("a")
    waiting.add("c")
    notices.look()
    assert told == ["2 drafts await review: /review", "1 draft awaits review: /review"]


def test_a_database_that_is_away_ends_nothing() -> None:
    looked, told = [], threading.Event()

    def waiting() -> set[str]:
        looked.append(1)
        if len(looked) == 1:
            raise StoreUnavailable("away")
        return {"a"}

    notices = Notices(waiting, lambda _: told.set(), every=0.01)
    notices.begin()
    assert told.wait(30)
    notices.close()


def test_notices_that_never_began_can_be_closed() -> None:
    told: list[str] = []
    Notices(lambda: {"a"}, told.append).close()
    assert told == []


@pytest.mark.parametrize(
    ("answer", "allowed"),
    [("y", True), (" YES ", True), ("", False), ("yep", False), ("n", False), (EOFError(), False)],
)
def test_only_yes_is_yes(answer: str | EOFError, allowed: bool) -> None:
    stream = io.StringIO()

    def read(question: str) -> str:
        stream.write(question)
        if isinstance(answer, EOFError):
            raise answer
        return answer

    asker = AskInChat(Screen(stream, drawn=False), read)
    assert asker.allows("Run this:\nrm \x1b[8m-rf\nAllow it?") is allowed
    assert stream.getvalue() == ("  │ Run this:\n  │ rm \\x1b[8m-rf\n  │ Allow it?\n  [y/N] ")

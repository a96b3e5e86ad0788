"""Ctrl-C during a turn stops it where it waits, and never in the middle of writing something."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

import pytest

from hermes.agent.interrupts import Interrupts
from hermes.app import Home
from hermes.records.trajectory import TrajectoryState
from hermes.records.turn import TurnEnd
from hermes.stages.execute.stage import Request
from hermes.testing.agents import Call, ScriptedAgent, Watcher, run_of, session_of


def _press() -> None:
    os.kill(os.getpid(), signal.SIGINT)


def test_it_is_held_back_and_then_heard() -> None:
    interrupts, done = Interrupts(), []
    with interrupts.held():
        _press()
        done.append("written")
        with pytest.raises(KeyboardInterrupt), interrupts.heard():
            done.append("never")
    assert done == ["written"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_it_is_heard_at_once_where_the_agent_waits() -> None:
    interrupts = Interrupts()
    with interrupts.held():
        with pytest.raises(KeyboardInterrupt), interrupts.heard():
            _press()
        _press()  # held again behind it
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_one_that_comes_too_late_stops_nothing() -> None:
    interrupts = Interrupts()
    with interrupts.held():
        _press()
    with interrupts.held(), interrupts.heard():
        done = True
    assert done


def test_another_thread_is_none_of_its_business() -> None:
    interrupts, seen = Interrupts(), []

    def work() -> None:
        with interrupts.held(), interrupts.heard():
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [signal.default_int_handler]


class Impatient(Watcher):
    """Presses Ctrl-C when the agent has written down a call and has not made it yet."""

    def __init__(self) -> None:
        super().__init__()
        self.was_left_alone = False

    def calling(self, tool: str, line: str) -> None:
        _press()
        self.was_left_alone = True


def test_a_turn_is_stopped_soundly_and_the_next_one_works(home: Home, tmp_path: Path) -> None:
    agent = ScriptedAgent(Call("list_files"), "Here again.")
    session = session_of(home, agent, tmp_path / "project")
    watcher = Impatient()
    turn = session.ask(Request(text="list the files"), watcher)
    assert watcher.was_left_alone
    assert turn.answer.end is TurnEnd.INTERRUPTED
    run, steps = run_of(home, turn.trajectory_id)
    assert run.state is TrajectoryState.INTERRUPTED
    assert [step.step_id for step in steps] == list(range(1, len(steps) + 1))
    again = session.ask(Request(text="and now?"), Watcher())
    assert again.answer.text == "Here again."
    session.close()
    agent.check_used()


def test_a_command_is_broken_off(home: Home, tmp_path: Path) -> None:
    agent = ScriptedAgent(Call("shell", {"command": "sleep 300"}), "Here again.")
    session = session_of(home, agent, tmp_path / "project")
    timer = threading.Timer(2.0, _press)
    timer.start()
    turn = session.ask(Request(text="sleep well"), Watcher())
    timer.join()
    assert turn.answer.end is TurnEnd.INTERRUPTED
    assert session.ask(Request(text="and now?"), Watcher()).answer.text == "Here again."
    session.close()

"""The conversation itself, with keys from a pipe: what breaks in it does not break it."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from hermes.app import Home
from hermes.cli.chat.loop import Chat
from hermes.cli.command import Call
from hermes.cli.exits import INTERRUPTED
from hermes.cli.output import Output


class Commands:
    """Stands for the command line: what it was given, and how each call ends."""

    def __init__(self, *ends: int | BaseException) -> None:
        self.given: list[list[str]] = []
        self._ends = iter(ends)

    def __call__(self, words: Sequence[str]) -> int:
        self.given.append(list(words))
        end = next(self._ends)
        if isinstance(end, BaseException):
            raise end
        return end


def _talk(home: Home, keys: str, commands: Commands, capsys: pytest.CaptureFixture[str]) -> str:
    root = str(home.settings.paths.home)
    environ = {"HERMES_HOME": root, "HOME": root, "NO_COLOR": "1"}
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
        pipe.send_text(keys)
        chat = Chat(Call(out=Output(sys.stdout, sys.stderr), environ=environ), home, commands)
        try:
            chat.open(None)
            chat.talk()
        finally:
            while not chat.close():  # nothing of it may go on in the next test
                time.sleep(0.01)
    return capsys.readouterr().out


def test_a_broken_command_is_written_down_told_and_survived(
    home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    commands = Commands(RuntimeError("a bug"), 0)
    said = _talk(home, "/skills\r/memory\r/quit\r", commands, capsys)
    assert "unexpected RuntimeError: a bug" in said
    assert commands.given == [["skills", "list"], ["memory", "list"]]
    (log,) = Path(home.settings.paths.logs_dir).glob("crash-*.log")
    assert "a bug" in log.read_text()


def test_a_command_that_is_stopped_stops_nothing_else(
    home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    commands = Commands(INTERRUPTED, KeyboardInterrupt(), 0)
    said = _talk(home, "/skills\r/skills\r/skills\r/quit\r", commands, capsys)
    assert said.count("stopped") == 2
    assert len(commands.given) == 3


def test_empty_lines_are_nothing(home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    commands = Commands()
    said = _talk(home, "\r   \r/quit\r", commands, capsys)
    assert said.splitlines() == [
        "Hermes Loop · no model yet · /help, Ctrl-D ends",
        "/model NAME chooses a model; `hermes model pull` gets one",
    ]
    assert commands.given == []

"""Who approves: the claimed name, beside what the system knows."""

from __future__ import annotations

import os
import pty
import pwd
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest

from hermes.cli.command import Command, Parser
from hermes.cli.exits import UsageError
from hermes.cli.identity import approval, by_option
from hermes.cli.output import Output
from hermes.errors import WrongCall
from hermes.records.approval import Channel


def test_the_person_is_claimed_and_the_user_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOGNAME", "somebody-else")
    monkeypatch.setenv("USER", "somebody-else")
    given = approval("  Ann Lee ", agent_session_open=True, note=" looks right ")
    assert (given.by, given.note) == ("Ann Lee", "looks right")
    assert given.os_user == pwd.getpwuid(os.getuid()).pw_name
    assert given.agent_session_open
    assert abs(datetime.now(UTC) - given.at) < timedelta(minutes=1)


def test_the_channel_is_where_the_words_came_from(monkeypatch: pytest.MonkeyPatch) -> None:
    assert approval("Ann", agent_session_open=False).channel is Channel.PIPE
    monkeypatch.setattr(sys, "stdin", None)
    assert approval("Ann", agent_session_open=False).channel is Channel.PIPE
    master, slave = pty.openpty()
    with os.fdopen(slave) as terminal, os.fdopen(master):
        monkeypatch.setattr(sys, "stdin", terminal)
        assert approval("Ann", agent_session_open=False).channel is Channel.TERMINAL


@pytest.mark.parametrize("name", ["", "  ", "policy:trust", "Policy:review", "a\x1b[2J", "x" * 101])
def test_nobody_and_nothing_cannot_approve(name: str) -> None:
    with pytest.raises(WrongCall, match="--by"):
        approval(name, agent_session_open=False)


def test_by_is_mandatory() -> None:
    parser = Parser("hermes x", Command(run=lambda call: None), Output(sys.stdout, sys.stderr))
    by_option(parser)
    with pytest.raises(UsageError, match="--by"):
        parser.parse_args([])
    assert parser.parse_args(["--by", "Ann"]).by == "Ann"


@pytest.mark.skipif(os.getuid() != 0, reason="only root may become an id without a name")
def test_a_user_without_a_name() -> None:
    code = (
        "import os; from hermes.cli.identity import approval; os.setuid(54321);"
        "print(approval('Ann', agent_session_open=False).os_user)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "uid:54321\n"

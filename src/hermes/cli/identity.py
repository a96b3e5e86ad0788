"""Who approves at the command line: the name that was claimed, and what the system knows of it."""

from __future__ import annotations

import os
import pwd
import sys
from argparse import ArgumentParser

from hermes.errors import WrongCall
from hermes.ids import now
from hermes.records.approval import Approval, Channel

_LONGEST_NAME = 100


def by_option(parser: ArgumentParser) -> None:
    """`--by NAME`, mandatory: an act that needs an approver does not guess one."""
    parser.add_argument("--by", metavar="NAME", required=True, help="the person who decides this")


def optional_by_option(parser: ArgumentParser) -> None:
    """`--by NAME` for an act that is taken back as easily: the system's user stands in."""
    user = "who decides this; without it, the user the system knows"
    parser.add_argument("--by", metavar="NAME", default=_os_user(), help=user)


def approval(by: str, *, agent_session_open: bool, note: str = "") -> Approval:
    """The approval that a person gives by calling a command now."""
    return Approval(
        by=_person(by),
        os_user=_os_user(),
        channel=Channel.TERMINAL if _stdin_is_terminal() else Channel.PIPE,
        agent_session_open=agent_session_open,
        note=note.strip(),
        at=now(),
    )


def _person(by: str) -> str:
    name = by.strip()
    if not name or len(name) > _LONGEST_NAME or not name.isprintable():
        raise WrongCall(f"--by: expected a name of 1 to {_LONGEST_NAME} printable characters")
    if name.lower().startswith("policy:"):
        raise WrongCall("--by: a policy is not a person", hint="name the person who decides")
    return name


def _os_user() -> str:
    """By the kernel's user id: LOGNAME and USER, which getpass believes, are anybody's to set."""
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:  # a container often runs as an id without a name
        return f"uid:{os.getuid()}"


def _stdin_is_terminal() -> bool:
    return sys.stdin is not None and not sys.stdin.closed and sys.stdin.isatty()

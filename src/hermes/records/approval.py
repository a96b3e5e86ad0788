"""Approval: who allowed a thing, and how sure we are that it was them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from hermes.records.codec import Json


class Channel(StrEnum):
    """POLICY is not a person: the named policy allowed it."""

    TERMINAL = "terminal"
    PIPE = "pipe"
    TOKEN = "token"
    DISK = "disk"
    POLICY = "policy"


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """`by` is the claimed person, or `policy:<name>`; `os_user` is what the system says."""

    by: str
    os_user: str
    channel: Channel
    agent_session_open: bool
    note: str = ""
    at: datetime

    def __post_init__(self) -> None:
        if not self.by.strip():
            raise ValueError("an approval names somebody")

    def how(self) -> dict[str, Json]:
        """What the audit trail keeps of it beside who it was; never what it was about."""
        return {
            "os_user": self.os_user,
            "channel": str(self.channel),
            "agent_session_open": self.agent_session_open,
        }

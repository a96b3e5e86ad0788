"""Change: an act on a skill as a whole, and its reversal."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from hermes.records.approval import Approval


class Act(StrEnum):
    ARCHIVE = "archive"
    RESTORE = "restore"
    PIN = "pin"
    UNPIN = "unpin"
    DISABLE = "disable"
    ENABLE = "enable"


REVERSALS = {
    Act.ARCHIVE: Act.RESTORE,
    Act.RESTORE: Act.ARCHIVE,
    Act.PIN: Act.UNPIN,
    Act.UNPIN: Act.PIN,
    Act.DISABLE: Act.ENABLE,
    Act.ENABLE: Act.DISABLE,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """`version_id` is what was active before an archive, and so what a restore brings back."""

    id: str
    skill_id: str
    act: Act
    reason: str
    version_id: str | None
    approval: Approval
    at: datetime

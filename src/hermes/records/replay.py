"""Replay: a recorded example done again by a program; Proof: what that says of a procedure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from hermes.records.trial import TrialOutcome


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayRun:
    """What a program did to a folder of files. `files` are those that it made or changed.

    `unkept` says what it left behind that nobody can take over: a link, a device, too much.
    `reached_out` tells a program that tried the network, whatever came of that; `stopped` one that
    a limit ended, or whose output was cut.
    """

    outcome: TrialOutcome
    error: str = ""
    exit_code: int = 0
    stdout: str = ""
    stderr: str = ""
    files: Mapping[str, bytes] = field(default_factory=dict)
    unkept: tuple[str, ...] = ()
    reached_out: bool = False
    stopped: bool = False
    seconds: float = 0.0

    def __post_init__(self) -> None:
        if (self.outcome is TrialOutcome.PASSED) == bool(self.error.strip()):
            raise ValueError("a run that did not pass says why, and only such a one does")


class CaseOutcome(StrEnum):
    """BROKEN: it ran and came to another result. NOT_COVERED: the procedure has no place for it.

    NOT_REPLAYABLE says nothing about the procedure, and is never a pass.
    """

    PROVEN = "proven"
    BROKEN = "broken"
    NOT_COVERED = "not covered"
    NOT_REPLAYABLE = "not replayable"


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseResult:
    """One example replayed. `compared` names what agreed: files, and what was printed."""

    example_id: str
    outcome: CaseOutcome
    reason: str = ""
    compared: tuple[str, ...] = ()
    seconds: float = 0.0

    def __post_init__(self) -> None:
        proven = self.outcome is CaseOutcome.PROVEN
        if proven == bool(self.reason):
            raise ValueError("a case that is not proven says why, and only such a one does")
        if proven and not self.compared:
            raise ValueError("a case is proven by something that was compared")


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """`held_out`: each example by what the others teach. `as_proposed`: by what would be released.

    Empty lists are honest: nothing could be held out, or there is nothing to run.
    """

    held_out: tuple[CaseResult, ...] = ()
    as_proposed: tuple[CaseResult, ...] = ()

    @property
    def score(self) -> float | None:
        """The share of replayable examples that the others prove; None where none is replayable."""
        counted = [one for one in self.held_out if one.outcome is not CaseOutcome.NOT_REPLAYABLE]
        if not counted:
            return None
        return sum(one.outcome is CaseOutcome.PROVEN for one in counted) / len(counted)

"""Trial: one thing of a skill that can be run to see whether it works; TrialResult: how it went."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class TrialKind(StrEnum):
    """How it is run. FUNCTIONS is a Python file that defines tests and does not call them."""

    SCRIPT = "script"
    FUNCTIONS = "functions"
    SHELL = "shell"
    TEMPLATE = "template"


class TrialOutcome(StrEnum):
    """NOT_RUN: it cannot be run here, which says nothing about it. CUT_OFF: no time was left."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_RUN = "not_run"
    CUT_OFF = "cut_off"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """`name` is the path of the test in the skill's folder; `program` is the text of a template."""

    name: str
    kind: TrialKind
    program: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialResult:
    """`error` says why it did not pass; `refused` is what the sandbox did not let it do."""

    name: str
    outcome: TrialOutcome
    error: str = ""
    refused: tuple[str, ...] = ()
    seconds: float = 0.0

    def __post_init__(self) -> None:
        if (self.outcome is TrialOutcome.PASSED) == bool(self.error.strip()):
            raise ValueError("a trial that did not pass says why, and only such a one does")

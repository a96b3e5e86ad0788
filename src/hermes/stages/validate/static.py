"""The static checks of a candidate: syntax, secrets and personal data, code, hidden instructions.

One examination serves all of them; each check tells its part of it, in the order they are run.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from hermes.ports import Checker
from hermes.records.candidate import Candidate
from hermes.records.folder import Folder
from hermes.records.origin import AGENT_ORIGINS, Origin
from hermes.records.verdict import Check, CheckOutcome
from hermes.rules.scan.finding import Finding, ScanReport, ScanVerdict, Severity

Examine = Callable[[Mapping[str, bytes]], ScanReport]
"""Files → report: the examiner in its child, or a double in tests."""

_SYNTAX = frozenset({"does-not-parse"})
_SECRETS = frozenset({"contains-secret", "personal-data"})
_CODE = frozenset({"risky-code"})
_NOT_EXAMINED = "not-examined"
TOLD_APART = _SYNTAX | _SECRETS | _CODE
"""Rules that have a check of their own; the rest is what the scan tells."""
_MOST_SHOWN = 20
_HERE_BEFORE_US = frozenset({Origin.EXTERNAL, Origin.BUNDLED})
"""Already live when we came, thousands at a time: `hermes skills scan` looks at them when asked."""


class Examined:
    """The report of the folder asked for last: four checks in a row cost one examination."""

    def __init__(self, examine: Examine) -> None:
        self._examine = examine
        self._last: tuple[str, ScanReport] | None = None

    def report(self, folder: Folder) -> ScanReport:
        tree, last = folder.tree(), self._last
        if last is None or last[0] != tree:
            files = {path: file.data for path, file in folder.files.items()}
            last = self._last = (tree, self._examine(files))
        return last[1]


@dataclass(frozen=True, slots=True)
class _PartCheck(ABC):
    """Tells the findings of some rules; a subclass says what they come to, for whom."""

    examined: Examined
    name: ClassVar[str]
    rules: ClassVar[frozenset[str]]

    def check(self, candidate: Candidate, folder: Folder) -> Check | None:
        if candidate.origin in _HERE_BEFORE_US:
            return None
        report = self.examined.report(folder)
        if why := _why_not_examined(report):
            return Check(name=self.name, outcome=CheckOutcome.UNPROVEN, findings=(why,))
        found = tuple(finding for finding in report.findings if finding.rule in self.rules)
        outcome = self._outcome(candidate.origin, found) if found else CheckOutcome.PASSED
        return _check(self.name, found, outcome)

    @abstractmethod
    def _outcome(self, origin: Origin, found: tuple[Finding, ...]) -> CheckOutcome:
        """What these findings come to in a skill of this origin."""


class SyntaxCheck(_PartCheck):
    """A machine can send a script that parses; what a person keeps is theirs, and only told."""

    name = "syntax"
    rules = _SYNTAX

    def _outcome(self, origin: Origin, found: tuple[Finding, ...]) -> CheckOutcome:
        return CheckOutcome.FAILED if origin in AGENT_ORIGINS else CheckOutcome.WARNED


class SecretsCheck(_PartCheck):
    """A skill that contains a secret is not released, whoever wrote it."""

    name = "secrets"
    rules = _SECRETS

    def _outcome(self, origin: Origin, found: tuple[Finding, ...]) -> CheckOutcome:
        worst = max(finding.severity.rank for finding in found)
        if worst >= Severity.HIGH.rank:
            return CheckOutcome.FAILED
        return CheckOutcome.WARNED if worst >= Severity.MEDIUM.rank else CheckOutcome.PASSED


class CodeCheck(_PartCheck):
    """Constructs that are easily misused: told to the reviewer, no reason to refuse."""

    name = "code"
    rules = _CODE

    def _outcome(self, origin: Origin, found: tuple[Finding, ...]) -> CheckOutcome:
        return CheckOutcome.WARNED


@dataclass(frozen=True, slots=True)
class ScanCheck:
    """What the package would do. `guard_agent_created` off leaves out what agents wrote here.

    A person's own edit is told, not refused: it is their machine and their decision.
    """

    examined: Examined
    guard_agent_created: bool = True

    def check(self, candidate: Candidate, folder: Folder) -> Check | None:
        if candidate.origin in _HERE_BEFORE_US:
            return None
        if candidate.origin in AGENT_ORIGINS and not self.guard_agent_created:
            return None
        report = self.examined.report(folder)
        found = tuple(f for f in report.findings if f.rule not in TOLD_APART)
        if report.verdict is ScanVerdict.BLOCK and _blocks(found):
            refused = candidate.origin is not Origin.USER
            outcome = CheckOutcome.FAILED if refused else CheckOutcome.WARNED
            return _check("scan", found, outcome, report.explanation)
        told = any(finding.severity is not Severity.NOTE for finding in found)
        return _check("scan", found, CheckOutcome.WARNED if told else CheckOutcome.PASSED)


def _why_not_examined(report: ScanReport) -> str:
    """Empty where it was. What nobody looked at has not passed, and has not failed either."""
    return next((one.message for one in report.findings if one.rule == _NOT_EXAMINED), "")


def _blocks(found: tuple[Finding, ...]) -> bool:
    """Whether these findings, without the secrets told elsewhere, are among those that block."""
    return any(finding.severity is not Severity.NOTE for finding in found)


def _check(name: str, found: tuple[Finding, ...], outcome: CheckOutcome, first: str = "") -> Check:
    """Sentences for the verdict: what, where, and what to do; the explanation leads."""
    lines = [first] if first else []
    lines += [f"{finding}; {finding.advice}" for finding in found[:_MOST_SHOWN]]
    if len(found) > _MOST_SHOWN:
        lines.append(f"and {len(found) - _MOST_SHOWN} more")
    return Check(name=name, outcome=outcome, findings=tuple(lines))


def static_checks(examine: Examine, *, guard_agent_created: bool) -> tuple[Checker, ...]:
    """All of them, in the order in which they are told."""
    examined = Examined(examine)
    return (
        SyntaxCheck(examined),
        SecretsCheck(examined),
        CodeCheck(examined),
        ScanCheck(examined, guard_agent_created),
    )

"""Which outcome a report gives, for whom: machines are refused, people are told."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from hermes.records.candidate import Candidate
from hermes.records.folder import FileContent, Folder
from hermes.records.origin import Origin
from hermes.records.verdict import CheckOutcome
from hermes.rules.scan.catalogue import RULES
from hermes.rules.scan.finding import Finding, ScanReport, ScanVerdict, Severity
from hermes.stages.validate.static import CodeCheck, Examined, ScanCheck, SecretsCheck, SyntaxCheck
from hermes.testing import samples

FOLDER = Folder({"SKILL.md": FileContent(b"x")})


def candidate(origin: Origin = Origin.USER) -> Candidate:
    return samples.candidate("skl_1", "ver_1", origin=origin)


def reported(*findings: Finding, verdict: ScanVerdict = ScanVerdict.CLEAN) -> Examined:
    return Examined(lambda files: ScanReport(findings, verdict, "the package does things"))


def finding(rule: str, severity: Severity) -> Finding:
    return RULES[rule].finding("scripts/a.py", 3, severity, "detail")


@pytest.mark.parametrize(
    ("origin", "outcome"),
    [(Origin.ASSISTANT_TOOL, CheckOutcome.FAILED), (Origin.USER, CheckOutcome.WARNED)],
)
def test_syntax_is_a_machines_business(origin: Origin, outcome: CheckOutcome) -> None:
    examined = reported(finding("does-not-parse", Severity.NOTE))
    check = SyntaxCheck(examined).check(candidate(origin=origin), FOLDER)
    assert check.outcome is outcome
    assert "scripts/a.py:3" in check.findings[0]
    assert "correct the file" in check.findings[0]


def test_a_secret_fails_whoever_wrote_it_and_an_example_does_not() -> None:
    user = candidate(origin=Origin.USER)
    real = SecretsCheck(reported(finding("contains-secret", Severity.HIGH)))
    example = SecretsCheck(reported(finding("contains-secret", Severity.NOTE)))
    assert real.check(user, FOLDER).outcome is CheckOutcome.FAILED
    assert example.check(user, FOLDER).outcome is CheckOutcome.PASSED


def test_risky_code_is_only_told() -> None:
    check = CodeCheck(reported(finding("risky-code", Severity.NOTE)))
    assert check.check(candidate(), FOLDER).outcome is CheckOutcome.WARNED


@pytest.mark.parametrize(
    ("origin", "verdict", "severity", "outcome"),
    [
        (Origin.HUB, ScanVerdict.BLOCK, Severity.CRITICAL, CheckOutcome.FAILED),
        (Origin.EXTRACT, ScanVerdict.BLOCK, Severity.HIGH, CheckOutcome.FAILED),
        (Origin.USER, ScanVerdict.BLOCK, Severity.HIGH, CheckOutcome.WARNED),
        (Origin.HUB, ScanVerdict.WARN, Severity.MEDIUM, CheckOutcome.WARNED),
        (Origin.HUB, ScanVerdict.CLEAN, Severity.NOTE, CheckOutcome.PASSED),
    ],
)
def test_the_scan(
    origin: Origin, verdict: ScanVerdict, severity: Severity, outcome: CheckOutcome
) -> None:
    examined = reported(finding("leak", severity), verdict=verdict)
    check = ScanCheck(examined).check(candidate(origin=origin), FOLDER)
    assert check is not None
    assert check.outcome is outcome


def test_a_secret_alone_is_not_told_twice() -> None:
    examined = reported(finding("contains-secret", Severity.HIGH), verdict=ScanVerdict.BLOCK)
    check = ScanCheck(examined).check(candidate(origin=Origin.HUB), FOLDER)
    assert check is not None
    assert check.outcome is CheckOutcome.PASSED


def test_the_guard_can_be_switched_off_for_agents_only() -> None:
    examined = reported(finding("leak", Severity.HIGH), verdict=ScanVerdict.BLOCK)
    check = ScanCheck(examined, guard_agent_created=False)
    assert check.check(candidate(origin=Origin.ASSISTANT_TOOL), FOLDER) is None
    assert check.check(candidate(origin=Origin.HUB), FOLDER) is not None


def test_four_checks_cost_one_examination() -> None:
    asked: list[Mapping[str, bytes]] = []

    def examine(files: Mapping[str, bytes]) -> ScanReport:
        asked.append(files)
        return ScanReport((), ScanVerdict.CLEAN, "nothing")

    examined = Examined(examine)
    for check in (SyntaxCheck(examined), SecretsCheck(examined), ScanCheck(examined)):
        check.check(candidate(), FOLDER)
    assert asked == [{"SKILL.md": b"x"}]
    ScanCheck(examined).check(candidate(), FOLDER.with_file("a.md", b"y"))
    assert len(asked) == 2


def test_what_nobody_could_look_at_has_not_passed() -> None:
    unseen = finding("not-examined", Severity.HIGH)
    user, agent = candidate(origin=Origin.USER), candidate(origin=Origin.ASSISTANT_TOOL)
    for check in (SyntaxCheck, SecretsCheck, CodeCheck):
        answer = check(reported(unseen, verdict=ScanVerdict.BLOCK)).check(user, FOLDER)
        assert answer is not None
        assert answer.outcome is CheckOutcome.UNPROVEN
    scan = ScanCheck(reported(unseen, verdict=ScanVerdict.BLOCK))
    refused, told = scan.check(agent, FOLDER), scan.check(user, FOLDER)
    assert refused is not None
    assert told is not None
    assert (refused.outcome, told.outcome) == (CheckOutcome.FAILED, CheckOutcome.WARNED)

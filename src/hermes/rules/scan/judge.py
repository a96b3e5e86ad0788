"""Brings the findings of a whole package into order and adds them up to one verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from hermes.rules.scan.catalogue import RULES
from hermes.rules.scan.combinations import together
from hermes.rules.scan.destinations import host_of
from hermes.rules.scan.effects import Effect
from hermes.rules.scan.finding import Finding, ScanReport, ScanVerdict
from hermes.rules.scan.purpose import Purpose
from hermes.rules.scan.weights import HIGH, MEDIUM, alone

MAX_REPEATED = 3


def judge(effects: Sequence[Effect], purpose: Purpose, extra: Iterable[Finding] = ()) -> ScanReport:
    """The findings, worst first, and the verdict they add up to."""
    found: dict[tuple[str, str, int], Finding] = {}
    for effect, (rule, severity) in (*alone(effects, purpose), *together(effects, purpose)):
        finding = RULES[rule].finding(effect.file, effect.line, severity, _detail(effect))
        key = (rule, effect.file, effect.line)
        if key not in found or found[key].severity.rank < severity.rank:
            found[key] = finding
    findings = _shown(sorted((*found.values(), *extra), key=_order))
    verdict = _verdict(findings)
    return ScanReport(findings, verdict, _explanation(findings, verdict))


def _order(finding: Finding) -> tuple[int, str, int, str]:
    return -finding.severity.rank, finding.file, finding.line, finding.rule


def _shown(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The worst few of each rule in each file: the hundredth repetition tells a reader nothing."""
    seen: Counter[tuple[str, str]] = Counter()
    kept = []
    for finding in findings:
        seen[finding.rule, finding.file] += 1
        if seen[finding.rule, finding.file] <= MAX_REPEATED:
            kept.append(finding)
    return tuple(kept)


def _detail(effect: Effect) -> str:
    what = " ".join(effect.what.split())[:100]
    host = host_of(effect.host) if effect.host else ""
    return f"{what} → {host}" if what and host and host not in what else what or host


_TOLD_ELSEWHERE = frozenset({"personal-data", "risky-code", "does-not-parse"})
"""Faults, not attacks: other checks tell them and decide about them."""


def _verdict(findings: Sequence[Finding]) -> ScanVerdict:
    """A strong sign blocks; a lesser one warns, and two lesser ones of different kinds block."""
    signs = [finding for finding in findings if finding.rule not in _TOLD_ELSEWHERE]
    worst = max((finding.severity.rank for finding in signs), default=0)
    lesser = {finding.rule for finding in signs if finding.severity is MEDIUM}
    if worst >= HIGH.rank or len(lesser) > 1:
        return ScanVerdict.BLOCK
    return ScanVerdict.WARN if lesser else ScanVerdict.CLEAN


def _explanation(findings: Sequence[Finding], verdict: ScanVerdict) -> str:
    if verdict is ScanVerdict.CLEAN:
        nothing = "nothing that would harm the user"
        return f"only notes, {nothing}" if findings else nothing
    worst = [finding for finding in findings if finding.severity.rank >= MEDIUM.rank]
    reasons = list(
        dict.fromkeys(RULES[f.rule].meaning if f.rule in RULES else f.message for f in worst)
    )
    return f"the package {'; '.join(reasons[:3])}"

"""Weighs the effects of a whole package into findings and one verdict.

One effect alone is rarely proof: honest skills read keys, call hosts, write settings. What counts is
what they do together: a secret and a stranger's host, an act and an order to hide it, a program and
a road by which anybody can replace it. Every step up or down has its reason here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from hermes.rules.scan.catalogue import RULES
from hermes.rules.scan.destinations import Reach, host_of, is_mailbox, reach_of
from hermes.rules.scan.effects import Effect, Kind, Surface, having
from hermes.rules.scan.finding import Finding, ScanReport, ScanVerdict, Severity
from hermes.rules.scan.purpose import Purpose

NOTE, MEDIUM, HIGH, CRITICAL = Severity.NOTE, Severity.MEDIUM, Severity.HIGH, Severity.CRITICAL

MAX_REPEATED = 3
NEAR = 14
"""Lines within which two sentences speak of one thing."""

_TEST = re.compile(
    r"(?i)(?:^|/)(?:tests?|__tests__|fixtures?|evals?|examples?|samples?)/|(?:^|/)test_|\.(?:test|spec)\.|_test\."
)

Weighed = tuple[str, Severity]


def judge(effects: Sequence[Effect], purpose: Purpose, extra: Iterable[Finding] = ()) -> ScanReport:
    """The findings, worst first, and the verdict they add up to."""
    found: dict[tuple[str, str, int], Finding] = {}
    for effect, (rule, severity) in (*_alone(effects, purpose), *_together(effects, purpose)):
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


def _alone(effects: Iterable[Effect], purpose: Purpose) -> Iterator[tuple[Effect, Weighed]]:
    for effect in effects:
        weigh = _WEIGHTS.get(effect.kind)
        weighed = weigh(effect) if weigh else None
        if weighed:
            rule, severity = weighed
            yield effect, (rule, _in_context(severity, effect, purpose))


def _in_context(severity: Severity, effect: Effect, purpose: Purpose) -> Severity:
    """Mentions that warn, security lessons and test data weigh less; what is hidden weighs more."""
    if effect.surface in (Surface.HIDDEN, Surface.DECODED):
        return severity.shifted(1)
    steps = 0
    if effect.warned and effect.surface is not Surface.SCRIPT:
        steps -= 2 if effect.surface is Surface.SNIPPET else 3
    if purpose.about_security and effect.surface in (Surface.PROSE, Surface.SNIPPET):
        steps -= 1
    if _TEST.search(effect.file):
        steps -= 1
    return severity.shifted(steps)


def _leak(effect: Effect) -> Weighed:
    reach = reach_of(effect.host or "$X")
    if reach in (Reach.UNKNOWN, Reach.ADDRESS, Reach.DROP):
        return "leak", CRITICAL
    spoken = effect.surface in (Surface.PROSE, Surface.FRONT)
    if reach in (Reach.KNOWN, Reach.CHOSEN):
        return "leak", NOTE if spoken else MEDIUM
    return "leak", HIGH if reach is Reach.SHARED else NOTE


def _fetch_run(effect: Effect) -> Weighed:
    reach = reach_of(effect.host or "$X")
    if reach in (Reach.ADDRESS, Reach.DROP):
        return "fetch-and-run", CRITICAL
    if reach is Reach.UNKNOWN:
        unseen = effect.surface is Surface.SCRIPT or effect.host.startswith("http://")
        return "fetch-and-run", CRITICAL if unseen else HIGH
    written = reach is Reach.CHOSEN and "://" in effect.host and effect.surface is Surface.SCRIPT
    return "fetch-and-run", MEDIUM if reach is Reach.SHARED or written else NOTE


def _obeys(effect: Effect) -> Weighed:
    reach = reach_of(effect.host)
    if reach in (Reach.UNKNOWN, Reach.ADDRESS, Reach.DROP):
        return "obeys-remote-text", HIGH
    return "obeys-remote-text", MEDIUM if reach is Reach.SHARED else NOTE


def _startup(effect: Effect) -> Weighed:
    if re.search(r"(?i)authorized_keys|ld\.so\.preload|hooksPath", effect.what):
        return "starts-by-itself", HIGH
    strange = effect.host and reach_of(effect.host) in (Reach.UNKNOWN, Reach.ADDRESS, Reach.DROP)
    return "starts-by-itself", CRITICAL if strange else NOTE


def _guard(effect: Effect) -> Weighed:
    if _USUAL_FLAGS.search(effect.what):
        return "guard-off", NOTE
    spoken = effect.surface in (Surface.PROSE, Surface.FRONT)
    return "guard-off", MEDIUM if spoken else HIGH


_USUAL_FLAGS = re.compile(
    r"(?i)skip-permissions|dangerously|yolo|TLS_REJECT|ExecutionPolicy|chattr|history|HIST|in advance|iptables"
)
"""What agents' own manuals recommend in a sandbox; told, but no sign of an attack."""


def _remote_shell(effect: Effect) -> Weighed:
    inside = effect.host and reach_of(effect.host) is Reach.LOCAL
    return "remote-shell", HIGH if inside and effect.surface is Surface.SNIPPET else CRITICAL


def _package_source(effect: Effect) -> Weighed:
    reach = reach_of(effect.host)
    if reach in (Reach.ADDRESS, Reach.DROP) or effect.host.startswith("http://"):
        return "odd-package-source", CRITICAL
    index = re.search(r"/simple/?$|/npm/?$|/whl", effect.host)
    return "odd-package-source", MEDIUM if index else HIGH


def _agent_write(effect: Effect) -> Weighed:
    return "writes-agent-files", HIGH if _strange(effect) else NOTE


def _destroy(effect: Effect) -> Weighed:
    by_surface = {Surface.SCRIPT: HIGH, Surface.SNIPPET: MEDIUM, Surface.DECODED: HIGH}
    return "destroys-data", by_surface.get(effect.surface, NOTE)


def _private_read(effect: Effect) -> Weighed:
    return "reads-credentials", MEDIUM if effect.surface is Surface.HIDDEN else NOTE


def _by_surface(rule: str, script: Severity, text: Severity) -> Callable[[Effect], Weighed]:
    return lambda effect: (
        rule,
        script if effect.surface in (Surface.SCRIPT, Surface.FRONT) else text,
    )


def _flat(rule: str, severity: Severity) -> Callable[[Effect], Weighed]:
    return lambda effect: (rule, severity)


_WEIGHTS: dict[Kind, Callable[[Effect], Weighed]] = {
    Kind.LEAK: _leak,
    Kind.FETCH_RUN: _fetch_run,
    Kind.OBEY_REMOTE: _obeys,
    Kind.STARTUP: _startup,
    Kind.GUARD_OFF: _guard,
    Kind.INVISIBLE: _flat("invisible-text", HIGH),
    Kind.REMOTE_SHELL: _remote_shell,
    Kind.ODD_INDEX: _package_source,
    Kind.AGENT_WRITE: _agent_write,
    Kind.DECODE_RUN: _flat("encoded-and-run", CRITICAL),
    Kind.DISGUISE: _flat("disguised-command", HIGH),
    Kind.MINE: _flat("coin-miner", CRITICAL),
    Kind.FLOOD: _flat("request-flood", HIGH),
    Kind.DESTROY: _destroy,
    Kind.CONCEAL: _by_surface("hides-from-user", HIGH, MEDIUM),
    Kind.OVERRIDE: _by_surface("overrides", CRITICAL, HIGH),
    Kind.ROLE_MARK: _flat("fake-role", NOTE),
    Kind.ASK_SECRET: _flat("asks-for-secret", MEDIUM),
    Kind.DECEIVE: _flat("turns-on-user", HIGH),
    Kind.LOCKED_ARCHIVE: _flat("locked-archive", HIGH),
    Kind.PASTE: _flat("paste-into-terminal", NOTE),
    Kind.LOOKALIKE: _flat("lookalike-letters", HIGH),
    Kind.SQUAT: _flat("typosquat", HIGH),
    Kind.INSTALL_HOOK: _flat("install-hook", HIGH),
    Kind.STANDING_ORDER: _flat("acts-unasked", MEDIUM),
    Kind.BROAD_TOOLS: _flat("every-tool", NOTE),
    Kind.SECRET_READ: _private_read,
    Kind.ENV_READ: _flat("reads-credentials", NOTE),
    Kind.PRIVATE_READ: _private_read,
    Kind.TRIGGER: _flat("waits-for-moment", NOTE),
}

_ACTS = (
    Kind.LEAK, Kind.SEND, Kind.FETCH_RUN, Kind.RUN, Kind.AGENT_WRITE, Kind.SECRET_READ, Kind.OBEY_REMOTE,
    Kind.STARTUP, Kind.DECEIVE, Kind.GUARD_OFF, Kind.OVERRIDE, Kind.DESTROY, Kind.ASK_SECRET, Kind.DECODE_RUN,
    Kind.ENV_READ,
)  # fmt: skip
_TAKEN = (Kind.SECRET_READ, Kind.ENV_READ, Kind.PRIVATE_READ)


def _together(effects: Sequence[Effect], purpose: Purpose) -> Iterator[tuple[Effect, Weighed]]:
    meant = [effect for effect in effects if not effect.warned or effect.surface is Surface.SCRIPT]
    for effect, (rule, severity) in (
        *_taken_and_sent(meant, purpose),
        *_hidden_acts(meant),
        *_lasting_acts(meant),
        *_lures(meant, purpose),
        *_moments(meant),
        *_unexplained_sending(meant, purpose),
    ):
        yield effect, (rule, _in_context(severity, effect, purpose))


def _strange(effect: Effect) -> bool:
    return bool(effect.host) and reach_of(effect.host) in (Reach.UNKNOWN, Reach.ADDRESS, Reach.DROP)


def _taken_and_sent(
    effects: Sequence[Effect], purpose: Purpose
) -> Iterator[tuple[Effect, Weighed]]:
    """A secret and a stranger's host: in one file, or in two files of one package."""
    code = [e for e in effects if e.surface not in (Surface.PROSE, Surface.FRONT)]
    sends = [e for e in having(code, Kind.SEND, Kind.LEAK) if _strange(e) or is_mailbox(e.host)]
    for taken in having(code, *_TAKEN):
        same = [send for send in sends if send.file == taken.file]
        if sends and taken.surface is Surface.SCRIPT:
            yield taken, ("secrets-and-network", HIGH)
        elif any(abs(send.line - taken.line) < NEAR for send in same):
            yield taken, ("secrets-and-network", MEDIUM)


def _hidden_acts(effects: Sequence[Effect]) -> Iterator[tuple[Effect, Weighed]]:
    """An order to hide something, next to something worth hiding."""
    for conceal in having(effects, Kind.CONCEAL):
        for act in _near(conceal, having(effects, *_ACTS)):
            if act.kind is Kind.RUN and act.surface is not Surface.PROSE:
                continue
            yield (
                conceal,
                ("hidden-act", CRITICAL if act.kind not in (Kind.RUN, Kind.DESTROY) else HIGH),
            )
            break


def _near(effect: Effect, others: Iterable[Effect]) -> Iterator[Effect]:
    return (
        other
        for other in others
        if other.file == effect.file
        and abs(other.line - effect.line) <= NEAR
        and other is not effect
    )


def _lasting_acts(effects: Sequence[Effect]) -> Iterator[tuple[Effect, Weighed]]:
    """What is written into memory or startup files, when it carries an order or a stranger's host."""
    orders = [
        *having(effects, Kind.CONCEAL, Kind.OVERRIDE, Kind.OBEY_REMOTE, Kind.DECODE_RUN),
        *(e for e in having(effects, Kind.FETCH_RUN, Kind.LEAK) if _strange(e)),
    ]
    for write in having(effects, Kind.AGENT_WRITE):
        if any(_near(write, orders)):
            yield write, ("writes-agent-files", CRITICAL)
        elif write.surface is Surface.SCRIPT and any(
            _near(write, (e for e in effects if _strange(e)))
        ):
            yield write, ("writes-agent-files", HIGH)
        elif any(_near(write, having(effects, Kind.ALWAYS))) and any(
            _near(write, having(effects, Kind.RUN))
        ):
            yield write, ("writes-agent-files", MEDIUM)
    for start in having(effects, Kind.STARTUP):
        if any(_near(start, orders)):
            yield start, ("starts-by-itself", CRITICAL)
        elif start.surface is Surface.SCRIPT and any(
            _near(start, (e for e in effects if _strange(e)))
        ):
            yield start, ("starts-by-itself", HIGH)
    for mark in having(effects, Kind.ROLE_MARK):
        if mark.surface is Surface.HIDDEN or any(
            _near(mark, having(effects, Kind.OVERRIDE, Kind.CONCEAL))
        ):
            yield mark, ("fake-role", HIGH)
    for loss in having(effects, Kind.DESTROY):
        if any(_near(loss, having(effects, Kind.ALWAYS, Kind.UNASKED))):
            yield loss, ("destroys-data", MEDIUM)


def _lures(effects: Sequence[Effect], purpose: Purpose) -> Iterator[tuple[Effect, Weighed]]:
    """Prerequisites that are the attack: locked archives, pasted commands, secrets asked for."""
    for locked in having(effects, Kind.LOCKED_ARCHIVE):
        if any(_near(locked, having(effects, Kind.FETCH_RUN, Kind.PASTE))) or locked.host:
            yield locked, ("locked-archive", CRITICAL)
    for paste in having(effects, Kind.PASTE):
        near = list(
            _near(paste, having(effects, Kind.FETCH_RUN, Kind.DECODE_RUN, Kind.LOCKED_ARCHIVE))
        )
        if near or _strange(paste):
            yield paste, ("paste-into-terminal", HIGH)
    for ask in having(effects, Kind.ASK_SECRET):
        if any(
            e.kind in (Kind.SEND, Kind.LEAK, Kind.RUN)
            for e in effects
            if _strange(e) or e.kind is Kind.RUN
        ):
            yield ask, ("asks-for-secret", HIGH)
    for always in having(effects, Kind.ALWAYS):
        if always.surface is Surface.FRONT and any(
            e.kind in (Kind.OVERRIDE, Kind.CONCEAL) for e in effects if e.surface is Surface.FRONT
        ):
            yield always, ("always-first", MEDIUM)
    for unasked in having(effects, Kind.UNASKED):
        bold = having(
            effects,
            Kind.LEAK,
            Kind.OBEY_REMOTE,
            Kind.GUARD_OFF,
            Kind.DESTROY,
            Kind.DECEIVE,
            Kind.SEND,
        )
        if any(_near(unasked, bold)):
            yield unasked, ("acts-unasked", MEDIUM)


def _unexplained_sending(
    effects: Sequence[Effect], purpose: Purpose
) -> Iterator[tuple[Effect, Weighed]]:
    """Sending to a stranger whom the skill never names: on every task, or wrapped up, or with keys."""
    for send in having(effects, Kind.SEND):
        spoken = send.surface in (Surface.PROSE, Surface.FRONT, Surface.HIDDEN)
        regular = any(
            abs(a.line - send.line) <= 3 for a in _near(send, having(effects, Kind.ALWAYS))
        )
        if spoken and regular and _strange(send):
            yield send, ("sends-data", MEDIUM if purpose.names(send.host) else HIGH)
    for send in having(effects, Kind.VEILED_SEND):
        if _strange(send) and not purpose.names(send.host):
            yield send, ("leak", MEDIUM)
    for key in having(effects, Kind.KEY_READ):
        foreign = [
            send
            for send in having(effects, Kind.SEND)
            if send.file == key.file and _strange(send) and not purpose.names(send.host)
        ]
        if (
            key.surface is Surface.SCRIPT
            and foreign
            and _maker(key.what) not in foreign[0].host.lower()
        ):
            yield key, ("secrets-and-network", MEDIUM)


def _maker(key: str) -> str:
    """SENDGRID_API_KEY belongs to sendgrid."""
    return key.split("_")[0].lower().strip(".")


def _moments(effects: Sequence[Effect]) -> Iterator[tuple[Effect, Weighed]]:
    """A condition on the calendar, with something behind it."""
    bad = (Kind.FETCH_RUN, Kind.DECODE_RUN, Kind.LEAK, Kind.DESTROY, Kind.REMOTE_SHELL, Kind.RUN)
    for trigger in having(effects, Kind.TRIGGER):
        if any(e.file == trigger.file for e in having(effects, *bad)):
            yield trigger, ("waits-for-moment", HIGH)


def _verdict(findings: Sequence[Finding]) -> ScanVerdict:
    """A strong sign blocks; a lesser one warns, and two lesser ones of different kinds block."""
    worst = max((finding.severity.rank for finding in findings), default=0)
    lesser = {finding.rule for finding in findings if finding.severity is MEDIUM}
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

"""What each effect weighs by itself, and what its surroundings add or take away.

One effect alone is rarely proof: honest skills read keys, call hosts, write settings.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from hermes.rules.scan.destinations import Reach, reach_of
from hermes.rules.scan.effects import Effect, Kind, Surface
from hermes.rules.scan.finding import Severity
from hermes.rules.scan.purpose import Purpose

NOTE, MEDIUM, HIGH, CRITICAL = Severity.NOTE, Severity.MEDIUM, Severity.HIGH, Severity.CRITICAL

Weighed = tuple[str, Severity]
"""A rule, and how bad this is."""

_TEST = re.compile(
    r"(?i)(?:^|/)(?:tests?|__tests__|fixtures?|evals?|examples?|samples?)/|(?:^|/)test_|\.(?:test|spec)\.|_test\.|"
    r"(?:^|/)(?:SECURITY|CHANGELOG|CONTRIBUTING|CODE_OF_CONDUCT)\.md$"
)


def alone(effects: Iterable[Effect], purpose: Purpose) -> Iterator[tuple[Effect, Weighed]]:
    for effect in effects:
        weigh = _WEIGHTS.get(effect.kind)
        weighed = weigh(effect) if weigh else None
        if weighed:
            rule, severity = weighed
            yield effect, (rule, in_context(severity, effect, purpose))


def in_context(severity: Severity, effect: Effect, purpose: Purpose) -> Severity:
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


def is_strange(effect: Effect) -> bool:
    """Whether it reaches a host that nobody has reason to know."""
    return bool(effect.host) and reach_of(effect.host) in (Reach.UNKNOWN, Reach.ADDRESS, Reach.DROP)


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
    return "writes-agent-files", HIGH if is_strange(effect) else NOTE


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

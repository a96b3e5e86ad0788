"""What effects mean together: a secret and a stranger's host, an act and an order to hide it, a
program and a road by which anybody can replace it. Every step up has its reason here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from hermes.rules.scan.destinations import host_of, is_mailbox
from hermes.rules.scan.effects import Effect, Kind, Surface, having
from hermes.rules.scan.purpose import Purpose
from hermes.rules.scan.weights import CRITICAL, HIGH, MEDIUM, Weighed, in_context, is_strange

NEAR = 14
"""Lines within which two sentences speak of one thing."""

_ACTS = (
    Kind.LEAK, Kind.SEND, Kind.FETCH_RUN, Kind.RUN, Kind.AGENT_WRITE, Kind.SECRET_READ, Kind.OBEY_REMOTE,
    Kind.STARTUP, Kind.DECEIVE, Kind.GUARD_OFF, Kind.OVERRIDE, Kind.DESTROY, Kind.ASK_SECRET, Kind.DECODE_RUN,
    Kind.ENV_READ,
)  # fmt: skip
_TAKEN = (Kind.SECRET_READ, Kind.ENV_READ, Kind.PRIVATE_READ)


def together(effects: Sequence[Effect], purpose: Purpose) -> Iterator[tuple[Effect, Weighed]]:
    meant = [effect for effect in effects if not effect.warned or effect.surface is Surface.SCRIPT]
    for effect, (rule, severity) in (
        *_taken_and_sent(meant, purpose),
        *_hidden_acts(meant),
        *_lasting_acts(meant),
        *_lures(meant, purpose),
        *_moments(meant),
        *_unexplained_sending(meant, purpose),
    ):
        yield effect, (rule, in_context(severity, effect, purpose))


def _taken_and_sent(
    effects: Sequence[Effect], purpose: Purpose
) -> Iterator[tuple[Effect, Weighed]]:
    """A secret and a stranger's host: in one file, or in two files of one package."""
    code = [e for e in effects if e.surface not in (Surface.PROSE, Surface.FRONT)]
    sends = [e for e in having(code, Kind.SEND, Kind.LEAK) if is_strange(e) or is_mailbox(e.host)]
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
        *(e for e in having(effects, Kind.FETCH_RUN, Kind.LEAK) if is_strange(e)),
    ]
    for write in having(effects, Kind.AGENT_WRITE):
        if any(_near(write, orders)):
            yield write, ("writes-agent-files", CRITICAL)
        elif write.surface is Surface.SCRIPT and any(
            _near(write, (e for e in effects if is_strange(e)))
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
            _near(start, (e for e in effects if is_strange(e)))
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
        if near or is_strange(paste):
            yield paste, ("paste-into-terminal", HIGH)
    for ask in having(effects, Kind.ASK_SECRET):
        if any(
            e.kind in (Kind.SEND, Kind.LEAK, Kind.RUN)
            for e in effects
            if is_strange(e) or e.kind is Kind.RUN
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
        if spoken and regular and is_strange(send):
            yield send, ("sends-data", MEDIUM if purpose.names(send.host) else HIGH)
    for send in having(effects, Kind.VEILED_SEND):
        if is_strange(send) and not purpose.names(send.host):
            yield send, ("leak", MEDIUM)
    for key in having(effects, Kind.KEY_READ):
        foreign = [
            send
            for send in having(effects, Kind.SEND)
            if send.file == key.file and is_strange(send) and not purpose.names(send.host)
        ]
        if (
            key.surface is Surface.SCRIPT
            and foreign
            and _maker(key.what) not in host_of(foreign[0].host)
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

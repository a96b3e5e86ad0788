"""Does a text tell the agent what to do? From an untrusted source that has to be allowed first.

Two questions. The skill scanner's: does it make the agent obey, hide, send or run something. And a
grammatical one: is it an order or a standing rule. An episode tells what somebody said, so there
only orders for the future count, and orders that touch an address, a secret or a safeguard.
"""

from __future__ import annotations

import re

from hermes.records.memory import MemoryKind
from hermes.rules.remembering.grammar import bare_order, is_unjudged
from hermes.rules.remembering.orders import OBLIGES, ORDER, PERMITS, TO_YOU
from hermes.rules.remembering.standing import STANDING
from hermes.rules.remembering.standing_abroad import STANDING_ABROAD
from hermes.rules.remembering.unveiled import unveiled
from hermes.rules.scan.effects import Kind

_HARMLESS = frozenset({Kind.LOOKALIKE, Kind.TRIGGER, Kind.RUN, Kind.FETCH, Kind.PRIVATE_READ})
"""Told about in any log; what makes them dangerous is among the others."""

_ORDERS = (ORDER, TO_YOU, OBLIGES, PERMITS)
_REACHES_FAR = re.compile(
    r"://|\b[\w.+-]+@[\w-]+\.\w|\b\d{1,3}(?:\.\d{1,3}){3}\b|\.env\b|--no-verify|\bsudo\b|"
    r"\b(?:memory|rules?|secrets?|passwords?|credentials?|keys?|tokens?|administrator|access|"
    r"protections?|firewalls?|sandbox|reviews?|approvals?|backups?|tests|certificates?|audits?|"
    r"guidelines|instructions|destructive|unseen|approve|confirm\w*|consent|permissions?|owners?|"
    r"authenticat\w+|accounts?|vaults?|licences?|refusals?|links?|budgets?|audits?|orders)\b",
    re.IGNORECASE,
)
"""An address to send to or fetch from, a secret, or a safeguard."""
_READ = 20_000  # characters


def instruction_in(text: str, kind: MemoryKind) -> str | None:
    """What makes it read as an instruction, in a few words; None where it only tells."""
    # Of all texts a user's own are the most, and they are never asked: they need not wait for this.
    from hermes.rules.scan.package import file_effects

    text = text[:_READ]
    for effect in file_effects("memory.md", text):
        if effect.kind not in _HARMLESS:
            return f"it {effect.kind.value}"
    return next(filter(None, (_order_in(_tidy(said), kind) for said in unveiled(text))), None)


def _tidy(text: str) -> str:
    """Never two spaces or line ends in a row: a search would try each of thousands of them."""
    lines = (" ".join(line.split()) for line in text.splitlines())
    return "\n".join(line for line in lines if line)


def _order_in(text: str, kind: MemoryKind) -> str | None:
    standing = STANDING.search(text) or STANDING_ABROAD.search(text)
    if standing:
        return f"it gives a standing order: {_shown(standing[0])}"
    if is_unjudged(text):
        return "it names an address in a language that is not judged here"
    found = next(filter(None, (one.search(text) for one in _ORDERS)), None)
    order = found[0] if found else bare_order(text)
    if order is None or (kind is MemoryKind.EPISODIC and not _REACHES_FAR.search(text)):
        return None
    return f"it tells the reader what to do: {_shown(order)}"


def _shown(words: str) -> str:
    return '"' + " ".join(words.split())[:60].strip(" .:;!?-*") + '"'

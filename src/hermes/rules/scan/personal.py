"""Data about people that does not belong into a skill others will read.

Numbers count when their own check digits hold, so that an order number is not taken for a card.
Published test numbers and addresses at example hosts are what examples should use.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hermes.rules.scan.catalogue import RULES
from hermes.rules.scan.destinations import Reach, reach_of
from hermes.rules.scan.finding import Finding, Severity

_MAIL = re.compile(r"(?<![\w.+/:-])[\w.+-]{2,64}@((?:[\w-]+\.)+[a-zA-Z]{2,})(?![\w/:])")
_CARD = re.compile(r"(?<![\w.-])(?:\d[ -]?){13,19}(?![\w.-])")
_IBAN = re.compile(r"(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?(?!\w)")
_SSN = re.compile(r"(?<![\d-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\d-])")
_TEST_CARDS = ("4242424242424242", "4111111111111111", "4000000000000002", "5555555555554444")
_NO_PERSON = re.compile(
    r"(?i)^(?:no-?reply|support|info|hello|contact|admin|security|git|user|you|me|name)@"
)
_MOST = 5  # of one kind in one file; more tell nothing new


def personal_findings(file: str, text: str) -> Iterator[Finding]:
    """Cards, accounts and social security numbers; mail addresses as notes."""
    for kind, severity, found in (
        ("a card number", Severity.MEDIUM, _cards(text)),
        ("a bank account", Severity.MEDIUM, _accounts(text)),
        ("a social security number", Severity.MEDIUM, (m.start() for m in _SSN.finditer(text))),
        ("a mail address", Severity.NOTE, _addresses(text)),
    ):
        for at in list(found)[:_MOST]:
            line = 1 + text.count("\n", 0, at)
            yield RULES["personal-data"].finding(file, line, severity, kind)


def _cards(text: str) -> Iterator[int]:
    accounts = [match.span() for match in _IBAN.finditer(text)]
    for match in _CARD.finditer(text):
        digits = re.sub(r"\D", "", match[0])
        issued = digits[0] in "3456" and len(set(digits)) > 4 and digits not in _TEST_CARDS
        inside = any(start <= match.start() < end for start, end in accounts)
        if issued and not inside and len(digits) in (15, 16) and _luhn(digits):
            yield match.start()


def _luhn(digits: str) -> bool:
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (2 if place % 2 else 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def _accounts(text: str) -> Iterator[int]:
    for match in _IBAN.finditer(text):
        plain = match[0].replace(" ", "")
        moved = plain[4:] + plain[:4]
        if 15 <= len(plain) <= 34 and int("".join(str(int(c, 36)) for c in moved)) % 97 == 1:
            yield match.start()


def _addresses(text: str) -> Iterator[int]:
    for match in _MAIL.finditer(text):
        if reach_of(match[1]) is not Reach.CHOSEN and not _NO_PERSON.match(match[0]):
            yield match.start()

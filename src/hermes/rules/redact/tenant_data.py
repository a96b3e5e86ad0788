"""Where data of one tenant stands in a text: people, machines, accounts, places on a disk.

Only what is plain by its form or its place counts. A relative file name, a date, an ordinary
number and the addresses of public services are part of the work and stay.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from hermes.rules.redact.looking import Span
from hermes.rules.scan.destinations import Reach, reach_of

_MAIL = re.compile(
    r"(?<![\w.+/:@%-])[\w+][\w.+%-]{0,63}@(?:[\w-]{1,63}\.)+[a-zA-Z]{2,24}(?![\w@-])"
)
_NAME = r"((?:[A-Z][\w'’.-]{0,30} ){1,3}[A-Z](?:[\w'’-]{0,30}\w)?)"
_NAMED_MAIL = re.compile(rf"(?:^|[\s,;]){_NAME}(?= <[^<>\s]*@[^<>\s]*>)")
_CUED_NAME = re.compile(
    rf"\b(?:Author|Committer|Signed-off-by|Co-authored-by|Reviewed-by):\s*{_NAME}"
    rf"(?=\s*(?:$|[<(\n]))|user\.name[ =]+\\?[\"']?{_NAME}",
    re.MULTILINE,
)
_URL_HOST = re.compile(
    r"(?i)\b[a-z][a-z0-9+]{1,12}://(?:[^\s/@\"'`<>]*@)?([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)"
)
_INSIDE = ("internal", "local", "lan", "corp", "intranet", "intra")
_INSIDE_HOST = re.compile(
    rf"(?i)(?<![\w./@-])(?:[a-z0-9-]{{1,63}}\.){{1,6}}(?:{'|'.join(_INSIDE)})(?![\w.-]*\w)"
)
_LOGIN_HOST = re.compile(r"\b(?:ssh|scp|sftp|rsync)\b[^\n|;&]*?\s[\w.-]+@([A-Za-z0-9][\w.-]*[\w])")
_IPV4 = re.compile(r"(?<![\w.-])(?:\d{1,3}\.){3}\d{1,3}(?![\w.-])")
_IPV6 = re.compile(r"(?<![\w:.])(?:[0-9a-fA-F]{1,4}:){5,7}[0-9a-fA-F]{1,4}(?![\w:.])")
_OPEN_HOSTS = frozenset(("localhost", "example.com", "example.org", "example.net"))

_CARD = re.compile(r"(?<![\w.+-])\d(?:[ -]?\d){12,18}(?![\w.-])")
_IBAN = re.compile(r"(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?!\w)")
_SSN = re.compile(r"(?<![\w-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-])")
_PHONE_ABROAD = re.compile(r"(?<![\w+.])\+\d{1,3}(?:[ ()./-]{0,2}\d){7,12}(?![\w])")
_PHONE = re.compile(r"(?<![\w.+-])(?:\(\d{3}\) ?|\d{3}-)\d{3}-\d{4}(?![\w-])")
_CUED_NUMBER = re.compile(
    r"(?i)\b(?:account|customer|passport)[ _-]?"
    r"(?:no\.?|nr\.?|num(?:ber)?|id|#)?[\"']?\s*[:=#]?\s*[\"']?(\d[\d -]{4,20}\d)(?![\w.])"
)
_ARN = re.compile(r"\barn:aws[\w-]*:[\w-]*:[\w-]*:(\d{12}):")

_ROOTS = (
    "home", "Users", "root", "mnt", "media", "srv", "Volumes", "work", "workspace", "workspaces",
    "data", "export", "nfs", "scratch", "project", "projects",
)  # fmt: skip
_IN_PATH = r"[^\s\"'`<>|;:&()\[\]{}*?$,\\=#!/]"
_PATH = re.compile(rf"(?<![\w./~<>$}}-])/(?:{'|'.join(_ROOTS)})(?:/{_IN_PATH}+)+/?(?<![.,])")
_FILE_PATH = re.compile(
    rf"(?<![\w./~<>$}}:-])(?:/{_IN_PATH}+)+/{_IN_PATH}+\.[A-Za-z]\w{{0,5}}(?!{_IN_PATH})"
)
_WINDOWS = re.compile(r"\b[A-Za-z]:(?:\\{1,2}[\w .()~-]*\w[)~]?)+")
_SYSTEM = re.compile(
    r"^/(?:dev|proc|sys|bin|sbin|usr|lib\w*|etc|tmp|run|var|opt|app|boot|snap|nix)/"
)


def _is_card(text: str) -> bool:
    digits = [int(char) for char in text if char.isdigit()]
    doubled = [digit * (1 + place % 2) for place, digit in enumerate(reversed(digits))]
    total = sum(value - 9 if value > 9 else value for value in doubled)
    return digits[0] in (3, 4, 5, 6) and len(set(digits)) > 2 and total % 10 == 0


def _is_iban(text: str) -> bool:
    plain = text.replace(" ", "")
    moved = plain[4:] + plain[:4]
    return 15 <= len(plain) <= 34 and int("".join(str(int(char, 36)) for char in moved)) % 97 == 1


def _is_person(address: str) -> bool:
    return not address.startswith("git@")


def _is_private_host(host: str) -> bool:
    """Public services are part of the work; `localhost` and documentation hosts are nobody's."""
    host = host.lower()
    if host in _OPEN_HOSTS or host.startswith("127."):
        return False
    return reach_of(host) is not Reach.KNOWN


def _is_machine(address: str) -> bool:
    parts = [int(part) for part in address.split(".")]
    return max(parts) <= 255 and parts[0] not in (0, 127)


def _is_own_path(path: str) -> bool:
    return not _SYSTEM.match(path)


def _any(_: str) -> bool:
    return True


class _Rule(NamedTuple):
    """`hints`: one of them is in the text, or nothing of this kind is. `holds` has the last word.

    What is found is the pattern's group, where it has one.
    """

    kind: str
    hints: tuple[str, ...]
    pattern: re.Pattern[str]
    holds: Callable[[str], bool] = _any


_RULES = (
    _Rule("email", ("@",), _MAIL, _is_person),
    _Rule("name", ("@",), _NAMED_MAIL),
    _Rule("host", ("://",), _URL_HOST, _is_private_host),
    _Rule("path", tuple(f"/{root}" for root in _ROOTS), _PATH),
    _Rule("path", ("/",), _FILE_PATH, _is_own_path),
    _Rule("path", (":\\",), _WINDOWS),
    _Rule("name", ("uthor:", "ommitter:", "-by:", "user.name"), _CUED_NAME),
    _Rule("host", (".",), _IPV4, _is_machine),
    _Rule("host", tuple(f".{ending}" for ending in _INSIDE), _INSIDE_HOST),
    _Rule("host", ("ssh", "scp", "sftp", "rsync"), _LOGIN_HOST, _is_private_host),
    _Rule("host", (":",), _IPV6),
    _Rule("account", ("0", "1", "2", "3", "4", "5", "6", "7", "8", "9"), _IBAN, _is_iban),
    _Rule("card", ("3", "4", "5", "6"), _CARD, _is_card),
    _Rule("account", ("-",), _SSN),
    _Rule("phone", ("+",), _PHONE_ABROAD),
    _Rule("phone", ("-",), _PHONE),
    _Rule("account", ("ccount", "CCOUNT", "ustomer", "USTOMER", "assport"), _CUED_NUMBER),
    _Rule("account", ("arn:aws",), _ARN),
)
"""The surest first: what overlaps an earlier one is a part of it."""


def tenant_spans(text: str) -> Iterator[Span]:
    """Everything found, in the order of the rules."""
    for rule in _RULES:
        if not any(hint in text for hint in rule.hints):
            continue
        for match in rule.pattern.finditer(text):
            start, end = match.span(match.lastindex or 0)
            if rule.holds(text[start:end]):
                yield start, end, rule.kind

"""Credentials that are known by the name they are given: `DB_PASSWORD=…`, `"apiKey": "…"`.

The name alone is not enough, for code is full of `token = next(tokens)` and `password: str`. How
far a value is believed depends on the name: what is called a password is one unless it is plainly
code or a blank to fill in; what is called a token must also look like one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from hermes.rules.redact.looking import Looked, Span
from hermes.rules.redact.token_forms import looks_random

_WORDS = {
    b"pass": (b"word", b"wd", b"phrase"),
    b"pwd": (b"",),
    b"secret": (b"",),
    b"token": (b"",),
    b"key": (b"",),
    b"credential": (b"s", b""),
}
"""How a telling word begins, and how it may go on."""
_KINDS_OF_KEY = (
    b"api", b"access", b"account", b"auth", b"encryption", b"signing", b"private", b"secret",
    b"master",
)  # fmt: skip
"""Before `key`; any other key opens a dictionary, a table or a door."""
_AFTER_WORD = re.compile(
    r"(?:[_-]?(?:value|base64|b64|prod|dev|test|staging|live|old|new|\d{1,2}))?"
    r"(?P<close>\\?[\"'])?\]?"
    r"(?P<sign>\s{0,3}(?:=>|:=|:|=)\s{0,3})"
    r"(?P<open>\\?[\"'`])?"
)
_BARE = re.compile(r"[^\s\"'`,;&|<>(){}\[\]\\]+")
_BARE_TO_BLANK = re.compile(r"[^\s\"'`\\]+")
_KEY_START = re.compile(r"[\w.-]*$")
_LONGEST_KEY = 64
_LONGEST_VALUE = 4096

_PASSWORD = "password"
_SECRET = "secret"
_TOKEN = "token"

_NO_VALUE_TEXT = (
    "none null nil true false str string text bytes int optional required undefined empty unset "
    "any object varchar char number boolean bool secretstr password passwd secret token type "
    "hidden redacted removed"
)
_NO_VALUE = frozenset(_NO_VALUE_TEXT.split())
_BLANK = re.compile(r"^(?:[<${%*]|\.\.\.|xxx|your[_-])|^(?:[*.x]+)$", re.IGNORECASE)
_CODE = re.compile(
    r"^(?:os|process|self|this|env|config|settings|args|options|ctx|request|req|params|data|"
    r"secrets|vault|input|getpass|hashlib|sha\d+)\b|\w\(|\w\.[a-z_]\w*(?:\.|$)|\w\[|^[\w.]+\.\w+\("
)


class _Place(NamedTuple):
    """Where a value would stand, and what its surroundings say of it."""

    kind: str
    start: int
    quote: str
    is_environment: bool
    is_own_line: bool


def assignment_spans(looked: Looked) -> Iterator[Span]:
    """Every value whose name says that it is a credential."""
    text, lowered = looked.text, looked.lowered
    past = 0
    for start, end in _telling_words(lowered):
        after = _AFTER_WORD.match(text, end)
        if after is None or start < past or not _is_named_so(lowered, start, end):
            continue
        place = _place(text, start, end, after)
        value_end = _value_end(text, place)
        if value_end > place.start and _is_credential(text[place.start : value_end], place):
            yield place.start, value_end, place.kind
            past = value_end


def _telling_words(lowered: bytes) -> Iterator[tuple[int, int]]:
    """Where they stand, in order; of two that overlap (`secretoken`) the first."""
    found = []
    for stem, endings in _WORDS.items():
        start = lowered.find(stem)
        while start >= 0:
            end = start + len(stem)
            ending = next((one for one in endings if lowered.startswith(one, end)), None)
            if ending is not None:
                found.append((start, end + len(ending)))
            start = lowered.find(stem, end)
    past = 0
    for start, end in sorted(found):
        if start >= past:
            yield start, end
            past = end


def _is_named_so(lowered: bytes, start: int, end: int) -> bool:
    if lowered[start:end] != b"key":
        return True
    return lowered[max(0, start - 16) : start].rstrip(b"_-").endswith(_KINDS_OF_KEY)


def _place(text: str, start: int, end: int, after: re.Match[str]) -> _Place:
    before = _KEY_START.search(text, max(0, start - _LONGEST_KEY), start)
    key_start = before.start() if before is not None else start
    key = text[key_start:end]
    lead = text[text.rfind("\n", 0, key_start) + 1 : key_start].strip()
    sign = after["sign"]
    tight = sign == "=" and after["close"] is None
    return _Place(
        kind=_kind(text[start:end].lower()),
        start=after.end(),
        quote=after["open"] or "",
        is_environment=tight and (key.isupper() or lead == "export" or key.startswith("--")),
        is_own_line=sign.strip() == ":" and lead in ("", "-"),
    )


def _kind(word: str) -> str:
    if word.startswith(("pass", "pwd")):
        return _PASSWORD
    return _TOKEN if word.startswith(("token", "credential")) else _SECRET


def _value_end(text: str, place: _Place) -> int:
    """The end of the value; its start again where there is none, or where it never ends."""
    if place.quote:
        limit = place.start + _LONGEST_VALUE
        line = text.find("\n", place.start, limit)
        end = text.find(place.quote, place.start, line if line >= 0 else limit)
        return max(end, place.start)
    bare = (_BARE_TO_BLANK if place.is_own_line else _BARE).match(text, place.start)
    return bare.end() if bare is not None else place.start


def _is_credential(value: str, place: _Place) -> bool:
    plain = value.strip()
    if len(plain) < 4 or plain.lower() in _NO_VALUE or _BLANK.search(plain):
        return False
    if "<" in plain and ">" in plain and not place.quote:
        return False
    if place.kind == _TOKEN:
        return " " not in plain and len(plain) >= 8 and looks_random(plain)
    if place.quote or place.is_environment:
        return place.kind == _PASSWORD or (" " not in plain and len(plain) >= 6)
    if _CODE.search(plain):
        return False
    if place.is_own_line and place.kind == _PASSWORD:
        return True
    mixed = any(char.isdigit() for char in plain) and any(char.isalpha() for char in plain)
    return mixed and (place.kind == _PASSWORD or len(plain) >= 8)

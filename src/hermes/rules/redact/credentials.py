"""Credentials out of any text, before anything is stored.

A value goes and its surroundings stay: the text is still the JSON, shell or Python it was, only
with `<password>` where a password stood. Twice is the same as once. A git hash, a uuid or an image
in base64 is no credential, because neither its form nor its name says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from hermes.rules.redact.assignments import assignment_spans
from hermes.rules.redact.looking import Looked, Span, look_at
from hermes.rules.redact.token_forms import looks_random, token_spans

_BEGIN_KEY = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_END_KEY = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_KEY_LINES = re.compile(r"(?:(?:\s|\\[nrt])+[0-9→|:>+ \t]{0,16}[A-Za-z0-9+/=]{16,})+")
_KEY_BODY = re.compile(r"[A-Za-z0-9+/]{32,}")
_LONGEST_KEY = 20_000

_IN_URL = re.compile(r"://([^\s/:@'\"`<>\\]*):([^\s/'\"`<>\\]+)@")
_IN_QUERY = re.compile(
    r"[?&](?:[\w-]*token|api_?key|key|sig|signature|password|secret|client_secret|code|"
    r"x-amz-(?:signature|credential|security-token))=([^&\s\"'`<>#\\]{8,})",
    re.IGNORECASE,
)
_SCHEME = re.compile(
    r"\b(?:bearer|basic|token|apikey|digest|negotiate)\s+([A-Za-z0-9._~+/=-]{8,})", re.IGNORECASE
)
_HEADER = re.compile(
    r"\b(?:proxy-)?authorization\\?[\"']?\s*[:=,]\s*\\?[\"']?((?:bearer|basic|token|digest|negotiate|apikey)\s+)?"
    r"([^\s\"'`<>$,;\\]{8,})|"
    r"\b(?:x-[\w-]*(?:key|token|secret)|private-token|api-key)\\?[\"']?\s*[:=]\s*\\?[\"']?"
    r"([^\s\"'`<>$,;\\]{8,})",
    re.IGNORECASE,
)
_COOKIE = re.compile(r"\bcookie\\?[\"']?\s*:\s*\\?[\"']?([^\"'`\n\\]+)", re.IGNORECASE)
_COOKIE_PART = re.compile(r"[\w.-]+=([^;\s<>]{8,})")
_USER_FLAG = re.compile(r"\bcurl\b[^\n]*?\s(?:-u|--user)[ =]?[\"']?[^\s:\"']+:([^\s\"'$<>]+)")
_LONG_FLAG = re.compile(
    r"--[\w-]*(?:password|passwd|passphrase|token|secret|api-?key)\s+[\"']?([^\s\"'$<>-][^\s\"'<>]{5,})"
)
_NETRC = re.compile(r"\blogin\s+\S+\s+password\s+([^\s\"'$<>]{4,})")
_SHORT_FLAG = re.compile(
    r"\b(?:mysql\w*[^\n]*?\s-p|sshpass\s+-p\s*)[\"']?([^\s\"'$<>-][^\s\"'<>]{3,})"
)
_FILLED_LATER = ("$", "{", "<", "%s", "%(", "*")
_COOKIE_NOTES = ("path=", "domain=", "expires=", "max-age=", "samesite=")

_MOST_ROUNDS = 5
_Finder = Callable[[Looked], Iterable[Span]]


def without_credentials(text: str) -> str:
    """The text with every credential replaced by the kind of thing it was."""
    for _ in range(_MOST_ROUNDS):  # one credential may stand in the way of finding another
        spans = sorted(credential_spans(text))
        if not spans:
            break
        text = _replaced(text, spans)
    return text


def _replaced(text: str, spans: list[Span]) -> str:
    parts: list[str] = []
    past = 0
    for start, end, kind in spans:
        if start >= past:
            parts += (text[past:start], f"<{kind}>")
        past = max(past, end)
    parts.append(text[past:])
    return "".join(parts)


def credential_spans(text: str) -> Iterator[Span]:
    """Where credentials stand; they may overlap, for a token can have a telling name too."""
    looked = look_at(text)
    searched = looked.lowered
    found = {sign for sign in _SIGNS if sign in searched}
    for search in _SEARCHES if found else ():
        if not found.isdisjoint(search.signs) and any(sign in searched for sign in search.closer):
            yield from search.find(looked)
    if "?" in text:
        yield from _in_queries(text)
    yield from token_spans(looked)


def _private_keys(looked: Looked) -> Iterator[Span]:
    text = looked.text
    for begin in _BEGIN_KEY.finditer(text):
        end = _END_KEY.search(text, begin.end(), begin.end() + _LONGEST_KEY)
        if end is not None and _KEY_BODY.search(text, begin.end(), end.start()):
            yield begin.start(), end.end(), "private_key"
        elif lines := _KEY_LINES.match(text, begin.end()):  # the log was cut in the middle
            yield begin.start(), lines.end(), "private_key"


def _passwords_in_urls(looked: Looked) -> Iterator[Span]:
    for match in _IN_URL.finditer(looked.text):
        if not match[2].startswith(_FILLED_LATER):
            yield match.start(2), match.end(2), "password"


def _in_queries(text: str) -> Iterator[Span]:
    for match in _IN_QUERY.finditer(text):
        if looks_random(match[1]):
            yield match.start(1), match.end(1), "token"


def _headers(looked: Looked) -> Iterator[Span]:
    for match in _HEADER.finditer(looked.text):
        group = match.lastindex or 0
        value = match[group]
        if not value.startswith(_FILLED_LATER) and (match[1] or _is_sent(value)):
            yield match.start(group), match.end(group), "token"
    for match in _SCHEME.finditer(looked.text):
        if looks_random(match[1]):
            yield match.start(1), match.end(1), "token"


def _is_sent(value: str) -> bool:
    """A value that goes over the wire, not a variable or a call that will yield one."""
    return looks_random(value) or ("(" not in value and any(char.isdigit() for char in value))


def _cookies(looked: Looked) -> Iterator[Span]:
    for line in _COOKIE.finditer(looked.text):
        for part in _COOKIE_PART.finditer(looked.text, line.start(1), line.end(1)):
            note = part[0].lower().startswith(_COOKIE_NOTES)
            if not note and not part[1].startswith(_FILLED_LATER):
                yield part.start(1), part.end(1), "cookie"


def _passwords_by(pattern: re.Pattern[str]) -> _Finder:
    def find(looked: Looked) -> Iterator[Span]:
        for match in pattern.finditer(looked.text):
            yield match.start(1), match.end(1), "password"

    return find


class _Search(NamedTuple):
    """One of `signs` and one of `closer` stand in the text, or there is nothing to be found."""

    signs: tuple[bytes, ...]
    closer: tuple[bytes, ...]
    find: _Finder


_HEADERS = (b"authorization", b"bearer", b"basic ")
_NAMES = (b"pass", b"pwd", b"secret", b"key", b"token", b"credential")
_ANY = (b"",)
_SEARCHES = (
    _Search((b"key",), (b"private key",), _private_keys),
    _Search((b"://",), _ANY, _passwords_in_urls),
    _Search((*_HEADERS, b"key", b"token"), (*_HEADERS, b"-key", b"-token"), _headers),
    _Search((b"cookie",), _ANY, _cookies),
    _Search((b"curl",), _ANY, _passwords_by(_USER_FLAG)),
    _Search((b"mysql", b"pass"), (b"mysql", b"sshpass"), _passwords_by(_SHORT_FLAG)),
    _Search((b"pass", b"token", b"secret", b"key"), (b"--",), _passwords_by(_LONG_FLAG)),
    _Search((b"pass",), (b"login",), _passwords_by(_NETRC)),
    _Search(_NAMES, _ANY, assignment_spans),
)
_SIGNS = tuple({sign: None for search in _SEARCHES for sign in search.signs})

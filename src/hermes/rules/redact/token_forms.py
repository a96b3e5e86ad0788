"""Credentials that are known by their own form, wherever they stand.

Makers give their tokens a prefix so that they can be found. Text without one is passed over fast:
first the long words are found, then in them the pieces no token is without. A pattern is compiled
when its form is first met, and most never are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from hermes.rules.redact.looking import Looked, Span

_BEFORE = r"(?<![A-Za-z0-9+/_-])"  # inside base64 any prefix turns up sooner or later
_AFTER = r"(?![A-Za-z0-9+/_-])"


class Form(NamedTuple):
    """`hints`: one of them is in the text, or the form is not. `checked`: must also look random."""

    kind: str
    hints: tuple[str, ...]
    pattern: str
    checked: bool = False


def _form(kind: str, hints: str, pattern: str, *, checked: bool = False) -> Form:
    before = "" if pattern.startswith("(?<=") else _BEFORE
    return Form(kind, tuple(hints.split()), before + pattern + _AFTER, checked)


_FORMS = (
    _form("aws_key", "AKIA ASIA ABIA ACCA", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}"),
    _form("token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_[A-Za-z0-9]{30,255}"),
    _form("token", "github_pat_", r"github_pat_\w{22,255}"),
    _form("token", "glpat- gldt- glrt- glptt- glcbt-", r"gl(?:pat|dt|rt|ptt|cbt)-[\w-]{20,}"),
    _form("token", "xox", r"xox[a-z]-[A-Za-z0-9-]{10,}"),
    _form("token", "xapp-", r"xapp-\d-[A-Za-z0-9-]{20,}"),
    _form("api_key", "sk- gsk_ xai- pplx-", r"(?:sk-|gsk_|xai-|pplx-)[\w-]{20,}", checked=True),
    _form("api_key", "_live_ _test_", r"(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{12,}"),
    _form("api_key", "whsec_", r"whsec_[A-Za-z0-9+/=]{20,}"),
    _form("api_key", "AIza", r"AIza[\w-]{35}"),
    _form("token", "ya29.", r"ya29\.[\w-]{20,}"),
    _form("secret", "GOCSPX-", r"GOCSPX-[\w-]{20,}"),
    _form("token", "npm_", r"npm_[A-Za-z0-9]{36}"),
    _form("token", "pypi-", r"pypi-[\w-]{50,}", checked=True),
    _form("token", "hf_", r"hf_[A-Za-z0-9]{30,}"),
    _form("token", "r8_", r"r8_[A-Za-z0-9]{30,}"),
    _form("api_key", "SG.", r"SG\.[\w-]{16,}\.[\w-]{16,}"),
    _form("api_key", "AC SK", r"(?:AC|SK)[0-9a-f]{32}"),
    _form("token", "_v1_", r"do[opr]_v1_[a-f0-9]{64}"),
    _form("token", "dapi", r"dapi[a-f0-9]{32}(?:-\d)?"),
    _form("token", "lin_ ntn_ sbp_", r"(?:lin_(?:api|oauth)|ntn|sbp)_[A-Za-z0-9]{30,}"),
    _form("token", "shpat_ shpca_ shppa_ shpss_", r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"),
    _form("token", "sq0", r"sq0(?:atp|csp|idp)-[\w-]{20,}"),
    _form("token", "hvs. hvb.", r"hv[sb]\.[\w-]{20,}"),
    _form("token", "glsa_ glc_", r"gl(?:sa|c)_[A-Za-z0-9_=+/]{30,}"),
    _form("token", "dp.", r"dp\.(?:pt|st|ct|sa)\.[A-Za-z0-9]{30,}"),
    _form("api_key", "PMAK-", r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}"),
    _form("api_key", "key-", r"key-[0-9a-f]{32}"),
    _form("api_key", "-us", r"[0-9a-f]{32}-us\d{1,2}"),
    _form("private_key", "AGE-SECRET-KEY-", r"AGE-SECRET-KEY-1[A-Z0-9]{50,}"),
    _form("token", ":AA", r"\d{8,10}:AA[\w-]{33}"),
    _form("token", "hooks.slack.com/", r"(?<=hooks\.slack\.com/)services/[A-Z0-9]+/[A-Z0-9]+/\w+"),
    _form("token", "/api/webhooks/", r"(?<=/api/webhooks/)\d{15,20}/[\w-]{40,}"),
    _form("jwt", "eyJ", r"eyJ[\w-]{10,}(?:\.[\w-]*){2,4}"),
)  # fmt: skip


_SHORTEST = 15
_IN_TOKEN = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.:/+="
_CLASSES = bytes(97 if byte in _IN_TOKEN else 32 for byte in range(256))
_LONG = b"a" * _SHORTEST

# In every form there is a word this long, its hint within it or close before it; but for the one
# that an address gives away.
_SHORTEST_WORD = 13
_IN_WORD = _IN_TOKEN.translate(None, b".:")
_WORD_CLASSES = bytes(97 if byte in _IN_WORD else 32 for byte in range(256))
_LONG_WORD = b"a" * _SHORTEST_WORD
_CLOSE = len("dp.pt.")
_ADDRESS = "hooks.slack.com/"


def token_spans(looked: Looked) -> Iterator[Span]:
    """Every token with a known form."""
    return _spans_of_forms(looked) if _may_hold_one(looked.coded) else iter(())


def _may_hold_one(coded: bytes) -> bool:
    """False of most texts: all forms are asked for at once."""
    words = _runs(coded.translate(_WORD_CLASSES), _LONG_WORD)
    together = b"\n".join([coded[max(0, start - _CLOSE) : end] for start, end in words])
    return _any_hint().search(together) is not None or _ADDRESS.encode() in coded


def _spans_of_forms(looked: Looked) -> Iterator[Span]:
    text = looked.text
    runs = _runs(looked.coded.translate(_CLASSES), _LONG)
    together = "\n".join(text[start:end] for start, end in runs)
    for form in _FORMS:
        if not any(hint in together for hint in form.hints):
            continue
        pattern = _compiled(form.pattern)
        for start, end in runs:
            for match in pattern.finditer(text, start, end):
                if not form.checked or looks_random(match[0]):
                    yield match.start(), match.end(), form.kind


def _runs(classes: bytes, long: bytes) -> list[tuple[int, int]]:
    """Where at least that many characters of one class follow each other."""
    runs = []
    start = classes.find(long)
    while start >= 0:
        end = classes.find(b" ", start)
        end = len(classes) if end < 0 else end
        runs.append((start, end))
        start = classes.find(long, end)
    return runs


@cache
def _any_hint() -> re.Pattern[bytes]:
    """One pattern for all hints, in which each first letter is tried once."""
    by_letter: dict[str, set[str]] = {}
    for form in _FORMS:
        for hint in form.hints if _ADDRESS not in form.hints else ():
            by_letter.setdefault(hint[0], set()).add(re.escape(hint[1:]))
    branches = (f"{re.escape(first)}(?:{'|'.join(rest)})" for first, rest in by_letter.items())
    return re.compile("|".join(branches).encode())


_compiled = cache(re.compile)


_ALNUM_RUN = re.compile(r"[A-Za-z0-9]{12,}")


def looks_random(value: str) -> bool:
    """A long run of letters mixed with digits; a name made of words has no such run."""
    return any(
        any(char.isdigit() for char in run) and any(char.isalpha() for char in run)
        for run in _ALNUM_RUN.findall(value)
    )

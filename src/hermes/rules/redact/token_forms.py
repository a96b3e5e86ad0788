"""Credentials that are known by their own form, wherever they stand.

Makers give their tokens a prefix so that they can be found. Text without one is passed over fast:
first the long runs of token characters are found, then in them the pieces no token is without.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

Span = tuple[int, int, str]
"""Where a value begins and ends, and the kind of thing it is."""

_BEFORE = r"(?<![A-Za-z0-9+/_-])"  # inside base64 any prefix turns up sooner or later
_AFTER = r"(?![A-Za-z0-9+/_-])"


class Form(NamedTuple):
    """`hints`: one of them is in the text, or the form is not. `checked`: must also look random."""

    kind: str
    hints: tuple[str, ...]
    pattern: re.Pattern[str]
    checked: bool = False


def _form(kind: str, hints: str, pattern: str, *, checked: bool = False) -> Form:
    before = "" if pattern.startswith("(?<=") else _BEFORE
    return Form(kind, tuple(hints.split()), re.compile(before + pattern + _AFTER), checked)


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
_ANY_HINT = re.compile("|".join(re.escape(hint) for form in _FORMS for hint in form.hints))


def token_spans(text: str) -> Iterator[Span]:
    """Every token with a known form."""
    runs = list(_long_runs(text))
    together = "\n".join(text[start:end] for start, end in runs)
    if not _ANY_HINT.search(together):  # as in most texts: asked once, not once for each form
        return
    for form in _FORMS:
        if not any(hint in together for hint in form.hints):
            continue
        for start, end in runs:
            for match in form.pattern.finditer(text, start, end):
                if not form.checked or looks_random(match[0]):
                    yield match.start(), match.end(), form.kind


def _long_runs(text: str) -> Iterator[tuple[int, int]]:
    """Where at least as many token characters as the shortest token has follow each other."""
    classes = text.encode("latin-1", "replace").translate(_CLASSES)
    start = classes.find(_LONG)
    while start >= 0:
        end = classes.find(b" ", start)
        end = len(classes) if end < 0 else end
        yield start, end
        start = classes.find(_LONG, end)


_RUN = re.compile(r"[A-Za-z0-9]{12,}")


def looks_random(value: str) -> bool:
    """A long run of letters mixed with digits; a name made of words has no such run."""
    return any(
        any(char.isdigit() for char in run) and any(char.isalpha() for char in run)
        for run in _RUN.findall(value)
    )

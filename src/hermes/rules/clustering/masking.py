"""A request without its parameters: what stays is what was asked for.

Two people who want duplicates removed name different files on different days. Files, folders,
quotations, dates, versions and numbers therefore go, and so does politeness.
"""

from __future__ import annotations

import re

_LONGEST = 2_000
"""Characters of a request that are looked at: it says early what it wants."""
_PARAMETERS = re.compile(
    r"\"[^\"\n]*\"|`[^`\n]*`"
    r"|<[a-z_]+\d*>"
    r"|https?://\S+"
    r"|[\w./*~{}-]*[\w*}]\.[A-Za-z]{1,5}\d?\b"
    r"|(?<!\w)[\w.-]*/[\w./*{}-]*"
    r"|\b\d{4}-\d\d(?:-\d\d)?\b"
    r"|\bv?\d+(?:\.\d+)+(?:-\w+)?\b|\b[vV]\d+\b"
    r"|\b\d[\d.,]*\w*\b"
)
_ADDRESS = re.compile(r"https?://\S+")
_FILE = re.compile(r"[\w./*~{}-]*[\w*}]\.([A-Za-z]{1,5})\d?\b")
_COURTESY = re.compile(
    r"\b(?:please|pls|plz|can you|can u|could you|would you|hey|hi|i need|i want|i'd like|we need|"
    r"we want)\b|[!?]",
    re.IGNORECASE,
)
_BLANKS = re.compile(r"\s+")


def masked(text: str) -> str:
    """The request without parameters; itself where nothing would be left."""
    short = text[:_LONGEST]
    bare = _COURTESY.sub(" ", _PARAMETERS.sub(" ", short))
    return _BLANKS.sub(" ", bare).strip(" ,.-:") or short.strip()


def masked_but_kinds(text: str) -> str:
    """Masked, but each file is still called by its kind: a PDF is not worked on like a table."""
    named = _ADDRESS.sub(" website ", text[:_LONGEST])
    return masked(_FILE.sub(lambda found: f" {found[1].lower()} file ", named))

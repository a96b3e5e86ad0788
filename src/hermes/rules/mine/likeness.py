"""How alike two deeds are, by their tokens; what differs from case to case counts less."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

from hermes.rules.mine.deed import Deed, DeedKind

_TOKEN = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"|\d+(?:\.\d+)?|[A-Za-z_][\w.-]*/[\w./-]*|\w+|[^\w\s]")
_COMMENT = re.compile(r"(?m)^\s*#.*$|\s#\s.*$")

_SAME_KIND_OF_FILE = 0.4  # writing a report is one step, however different the reports are


def likeness(one: Deed, other: Deed) -> float:
    """From 0 to 1; deeds of different kinds are not alike at all."""
    if one.kind is not other.kind or (one.tool != other.tool and not one.text):
        return 0.0
    if one.text == other.text:
        return 1.0
    left, right = _profile(one.text), _profile(other.text)
    total = sum(left.values()) + sum(right.values())
    shared = sum(min(count, right[token]) for token, count in left.items())
    alike = 2 * shared / total if total else 1.0
    if one.kind is DeedKind.WRITE and _extension(one.path) == _extension(other.path):
        return max(alike, _SAME_KIND_OF_FILE)
    return alike


@lru_cache(maxsize=4096)
def _profile(text: str) -> Counter[str]:
    """Strings, numbers and paths as their kind; names as they are."""
    return Counter(_sort(token) for token in _TOKEN.findall(_COMMENT.sub("", text)))


def _extension(path: str) -> str:
    return path.rpartition(".")[2]


def _sort(token: str) -> str:
    if token[0] in "'\"":
        return "<text>"
    if token[0].isdigit():
        return "<number>"
    return "<path>" if "/" in token else token

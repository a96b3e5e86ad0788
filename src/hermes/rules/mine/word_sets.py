"""Tables of names, written as a text so that they can be read."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())

"""A text as the searches for credentials want it: forms in which looking is cheap.

Most texts hold no credential, and every text is looked at: that they hold none must cost little.
"""

from __future__ import annotations

from typing import NamedTuple

Span = tuple[int, int, str]
"""Where a value begins and ends, and the kind of thing it is."""


_KELVIN = "\N{KELVIN SIGN}"  # the one letter beyond ASCII whose lower case is ASCII


class Looked(NamedTuple):
    """`coded` has one byte for each character, in its place: `?` for one that is not Latin.

    `lowered` is the same in lower case, as far as it is ASCII: the other letters only slow down.
    """

    text: str
    coded: bytes
    lowered: bytes


def look_at(text: str) -> Looked:
    coded = text.encode("latin-1", "replace")
    if _KELVIN not in text:
        return Looked(text, coded, coded.lower())
    return Looked(text, coded, text.replace(_KELVIN, "k").encode("latin-1", "replace").lower())

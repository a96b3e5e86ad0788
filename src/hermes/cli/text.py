"""Text on a terminal: how wide it is, and how to show it so that it cannot act.

Skill descriptions, file names and error messages come from anywhere. A terminal obeys escape
sequences, hides zero-width characters and reorders text around bidirectional marks; so whatever is
not plainly visible is written as its escape, in every output of the command line.
"""

from __future__ import annotations

from unicodedata import category, combining, east_asian_width

_JOINERS = "\u200c\u200d\ufe0e\ufe0f"  # needed by emoji and by several scripts
_HIDDEN = {  # drawn as nothing, though Unicode calls them letters, marks or symbols
    *"\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0",
    *map(chr, range(0xFE00, 0xFE0E)),
    *map(chr, range(0xE0100, 0xE01F0)),
}


def visible(text: str, *, keep_lines: bool = False) -> str:
    """The text with every invisible or commanding character written as an escape."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        one if _is_plain(one) or (keep_lines and one in "\n\t") else _escape(one) for one in text
    )


def _is_plain(one: str) -> bool:
    if one in _HIDDEN:
        return False
    return one.isprintable() or one in _JOINERS or category(one) == "Zs"


def _escape(one: str) -> str:
    return one.encode("unicode_escape", "surrogatepass").decode("ascii")


def width(text: str) -> int:
    """How many columns the text takes: wide characters take two, marks take none."""
    if text.isascii():
        return len(text)
    return sum(_columns(one) for one in text)


def _columns(one: str) -> int:
    if combining(one) or category(one) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if east_asian_width(one) in "WF" else 1


def padded(text: str, columns: int, *, right: bool = False) -> str:
    """The text filled with spaces to that many columns."""
    if text.isascii():
        return text.rjust(columns) if right else text.ljust(columns)
    fill = " " * (columns - width(text))
    return fill + text if right else text + fill

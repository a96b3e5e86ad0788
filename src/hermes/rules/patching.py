"""Replacing one piece of text by another, exactly, or saying why it cannot be done.

An agent patches from memory, so the text it sends is often almost right. Guessing which place it
meant is how good skills get mangled; so nothing is replaced unless the old text is there exactly,
and a miss is answered with what would be needed to hit.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from hermes.errors import PatchMismatch, WrongCall

_SHOWN = 160  # characters of a line in a message
_COMPARED = 400  # characters of a line that difflib, which is quadratic, gets to see
_CLOSEST = 24  # lines that difflib gets to see
_LISTED = 20  # matches whose line is named
_CLOSE_ENOUGH = 0.5
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Patched:
    text: str
    count: int


def replace(text: str, old: str, new: str, *, replace_all: bool = False) -> Patched:
    """The text with `old` replaced, once or everywhere; raises PatchMismatch when it is not there
    exactly once (or, for everywhere, at all).

    Line ends are the file's business: an LF in `old` finds a CRLF, and `new` takes on the line
    end of the place it goes to.
    """
    old, new = _with_lf(old), _with_lf(new)
    if not old:
        raise WrongCall(
            "the text to replace is empty",
            hint="send the exact lines to replace; to rewrite the whole file, edit it instead",
        )
    if old == new:
        raise WrongCall("the new text is the old text", hint="send what should stand there instead")
    places = list(_places(text, old))
    if not places:
        raise _missing(text, old)
    if len(places) > 1 and not replace_all:
        raise _several(text, places)
    pieces = []
    end = 0
    for start, stop in places:
        pieces += [text[end:start], _with_line_end(new, text, start, stop)]
        end = stop
    return Patched("".join([*pieces, text[end:]]), len(places))


def _with_lf(text: str) -> str:
    return text.replace("\r\n", "\n")


def _places(text: str, old: str) -> Iterator[tuple[int, int]]:
    """Where `old` stands, without overlaps.

    It is looked for in the text with LF line ends, and each place is moved back by the CRs that
    were taken out before it. `str.find` is linear on any input, which a pattern would not be.
    """
    plain = _with_lf(text)
    taken = [match.start() - n for n, match in enumerate(re.finditer("\r\n", text))]
    start = plain.find(old)
    while start != -1:
        stop = start + len(old)
        yield start + bisect_left(taken, start), stop + bisect_left(taken, stop)
        start = plain.find(old, stop)


def _with_line_end(new: str, text: str, start: int, stop: int) -> str:
    """`new` with the line end of the text it replaces, else of the line it goes to."""
    if "\n" not in new or "\r\n" not in text:
        return new
    end = text.find("\n", start)
    if end == -1:  # the last line has no end of its own, so the one before it decides
        end = text.rfind("\n", 0, stop)
    return new.replace("\n", "\r\n") if text[end - 1] == "\r" else new


def _several(text: str, places: list[tuple[int, int]]) -> PatchMismatch:
    count = len(places)
    numbers = []
    line, position = 1, 0
    for start, _ in places[:_LISTED]:
        line += text.count("\n", position, start)
        position = start
        numbers.append(str(line))
    more = f" and {count - _LISTED} more" if count > _LISTED else ""
    return PatchMismatch(
        f"the text to replace stands in {count} places, on lines {', '.join(numbers)}{more}",
        matches=count,
        hint="add lines around it until it is unique, or pass replace_all=true to replace each",
    )


def _missing(text: str, old: str) -> PatchMismatch:
    spaced = _ignoring_whitespace(text, old)
    if spaced is not None:
        first, last = spaced
        where = f"line {first}" if first == last else f"lines {first} to {last}"
        return PatchMismatch(
            f"the text to replace is not there exactly: {where} would match but for whitespace",
            matches=0,
            hint=f"copy the text of {where} with its spaces, tabs and line breaks: "
            + _shown(text.split("\n")[first - 1]),
        )
    closest = _closest_line(text, old)
    if closest is None:
        return PatchMismatch(
            "the text to replace is not there, nor is anything like it",
            matches=0,
            hint="view the file again and copy the text from it",
        )
    wanted, number, found = closest
    return PatchMismatch(
        f"the text to replace is not there; closest to {_shown(wanted)} is line {number}: "
        + _shown(found),
        matches=0,
        hint="view the file again and copy the text from it",
    )


def _ignoring_whitespace(text: str, old: str) -> tuple[int, int] | None:
    """The first and last line of the place that matches when all whitespace counts as one space."""
    wanted = " ".join(old.split())
    if not wanted:
        return None
    lines_of_words: list[int] = []
    words: list[str] = []
    for number, line in enumerate(text.split("\n"), start=1):
        found = line.split()
        words += found
        lines_of_words += [number] * len(found)
    joined = " ".join(words)
    start = joined.find(wanted)
    if start == -1:
        return None
    first = joined.count(" ", 0, start)
    return lines_of_words[first], lines_of_words[first + wanted.count(" ")]


def _closest_line(text: str, old: str) -> tuple[str, int, str] | None:
    """(the line of `old` that was looked for, the number of the line most like it, that line).

    Shared words choose a few lines in one pass over the text; only those are compared by letter.
    """
    from difflib import SequenceMatcher

    wanted = max((line.strip() for line in old.split("\n")), key=len)[:_COMPARED]
    if not wanted:
        return None
    words = set(_WORD.findall(wanted.lower()))
    ranked: list[tuple[int, int, str]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        shared = len(words.intersection(_WORD.findall(line[:_COMPARED].lower())))
        if shared or not words:
            ranked.append((-shared, number, line.strip()[:_COMPARED]))
    ranked.sort()
    best, best_ratio = None, _CLOSE_ENOUGH
    for _, number, line in ranked[:_CLOSEST]:
        ratio = SequenceMatcher(None, wanted, line, autojunk=False).ratio()
        if ratio > best_ratio:
            best, best_ratio = (wanted, number, line), ratio
    return best


def _shown(line: str) -> str:
    line = line.strip()
    return f"{line!r}" if len(line) <= _SHOWN else f"{line[:_SHOWN]!r}…"

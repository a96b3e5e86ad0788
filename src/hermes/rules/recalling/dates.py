"""When a text speaks of: `8 May 2023`, `last week`, `3 days ago`, as spans of days.

Words like `yesterday` mean a day only together with the day they were said on, so every reading
takes that day. A span is (first day, last day).
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import date, timedelta

Span = tuple[date, date]

_MONTHS = "january february march april may june july august september october november december"
_MONTH_OF = {
    name[:length]: number
    for number, name in enumerate(_MONTHS.split(), 1)
    for length in (3, 4, len(name))
}
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_DAYS_IN = {"day": 1, "week": 7, "month": 30, "year": 365}
_MONTH = rf"(?P<month>{'|'.join(sorted(_MONTH_OF, key=len, reverse=True))})\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"

_ISO = re.compile(r"\b(?P<year>(?:19|20)\d\d)-(?P<month>\d\d)(?:-(?P<day>\d\d))?\b")
_DAY_MONTH = re.compile(rf"\b{_DAY}\s+(?:of\s+)?{_MONTH}(?:,?\s+{_YEAR})?\b", re.IGNORECASE)
_MONTH_DAY = re.compile(rf"\b{_MONTH}\s+{_DAY}(?:,?\s+{_YEAR})?\b", re.IGNORECASE)
_MONTH_YEAR = re.compile(rf"\b{_MONTH},?\s+(?:of\s+)?{_YEAR}\b", re.IGNORECASE)
_IN_MONTH = re.compile(rf"\b(?:in|during|since|of|last|this)\s+{_MONTH}\b", re.IGNORECASE)
_IN_YEAR = re.compile(rf"\b(?:in|during|of)\s+{_YEAR}\b", re.IGNORECASE)
_NEAR = re.compile(r"\b(?P<word>today|tonight|yesterday|tomorrow|last night)\b", re.IGNORECASE)
_AGO = re.compile(
    r"\b(?P<count>\d{1,3}|a|an|one|two|three|four|five|six)\s+(?P<unit>day|week|month|year)s?\s+ago\b",
    re.IGNORECASE,
)
_RELATIVE = re.compile(
    rf"\b(?P<which>last|this|next|past)\s+(?P<what>week|month|year|weekend|{'|'.join(_WEEKDAYS)})\b",
    re.IGNORECASE,
)
_HINT = re.compile(
    r"\d|\b(?:today|tonight|yesterday|tomorrow|ago|last|this|next|past|"
    rf"{_MONTHS.replace(' ', '|')})\b",
    re.IGNORECASE,
)


def spans(text: str, said_on: date) -> tuple[Span, ...]:
    """The spans a text names, each once, in the order of their first day."""
    if not _HINT.search(text):
        return ()
    found = {span for span in (*_calendar(text, said_on), *_relative(text, said_on)) if span}
    return tuple(sorted(found))


def _calendar(text: str, said_on: date) -> Iterator[Span | None]:
    taken: list[tuple[int, int]] = []
    for pattern in (_ISO, _DAY_MONTH, _MONTH_DAY, _MONTH_YEAR, _IN_MONTH, _IN_YEAR):
        for match in pattern.finditer(text):
            if any(match.start() < end and start < match.end() for start, end in taken):
                continue  # `May 2023` inside `8 May 2023`
            taken.append(match.span())
            yield _named(match.groupdict(), said_on)


def _named(parts: dict[str, str | None], said_on: date) -> Span | None:
    """A day, a month or a year; without a year the last one that is not in the future."""
    written, month = parts.get("month"), 0
    if written:
        month = int(written) if written.isdigit() else _MONTH_OF[written.lower()]
    year = int(parts.get("year") or 0)
    day = int(parts.get("day") or 0)
    if not 0 <= month <= 12 or (parts.get("month") and month == 0):
        return None
    if not year:
        year = said_on.year - ((month, day or 1) > (said_on.month, said_on.day))
    if not month:
        return date(year, 1, 1), date(year, 12, 31)
    last = monthrange(year, month)[1]
    if not day:
        return date(year, month, 1), date(year, month, last)
    return (date(year, month, day), date(year, month, day)) if day <= last else None


def _relative(text: str, said_on: date) -> Iterator[Span | None]:
    for match in _NEAR.finditer(text):
        word = match["word"].lower()
        moved = {"yesterday": -1, "last night": -1, "tomorrow": 1}.get(word, 0)
        yield _around(_shifted(said_on, moved), 0)
    for match in _AGO.finditer(text):
        count = _NUMBERS.get(match["count"].lower()) or int(match["count"])
        unit = match["unit"].lower()
        day = _shifted(said_on, -count * _DAYS_IN[unit])
        slack = {"day": 0, "week": 3, "month": 15, "year": 182}[unit]
        yield _around(day, slack)
    for match in _RELATIVE.finditer(text):
        yield _period(match["which"].lower(), match["what"].lower(), said_on)


def _period(which: str, what: str, said_on: date) -> Span | None:
    step = {"last": -1, "past": -1, "this": 0, "next": 1}[which]
    monday = said_on - timedelta(days=said_on.weekday())
    if what in ("week", "weekend"):
        first = _shifted(monday, 7 * step + (5 if what == "weekend" else 0))
        last = first and _shifted(first, 1 if what == "weekend" else 6)
        return (first, last) if first and last else None
    if what == "month":
        index = said_on.year * 12 + said_on.month - 1 + step
        year, month = divmod(index, 12)
        return date(year, month + 1, 1), date(year, month + 1, monthrange(year, month + 1)[1])
    if what == "year":
        return date(said_on.year + step, 1, 1), date(said_on.year + step, 12, 31)
    back = (said_on.weekday() - _WEEKDAYS.index(what)) % 7
    moved = {-1: -(back or 7), 0: -back, 1: 7 - back}[step]
    return _around(_shifted(said_on, moved), 0)


def _around(day: date | None, slack: int) -> Span | None:
    if day is None:
        return None
    first, last = _shifted(day, -slack), _shifted(day, slack)
    return (first, last) if first and last else None


def _shifted(day: date, days: int) -> date | None:
    """None where the calendar ends: a log may claim any year."""
    try:
        return day + timedelta(days=days)
    except OverflowError:
        return None

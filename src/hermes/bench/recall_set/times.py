"""Times that a question can name: `last week`, `in October`, `three weeks ago`, `on 14 May`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

from hermes.bench.recall_set.labelled import NOW

_COUNTS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}


@dataclass(frozen=True, slots=True)
class Moment:
    """`words` name it as seen from NOW, and no other moment of its series."""

    at: datetime
    words: str


def moments(draw: Random) -> list[Moment]:
    """Three, oldest first, at least two months apart, the last one a few weeks old at most."""
    recent = draw.choice((_last_week, _weeks_ago))(draw)
    middle = draw.choice((_months_ago, _in_month, _on_day))(draw, 2, 4)
    oldest = draw.choice((_months_ago, _in_month, _on_day))(draw, 6, 9)
    return [oldest, middle, recent]


def _last_week(draw: Random) -> Moment:
    monday = NOW - timedelta(days=NOW.weekday() + 7)
    return Moment(_at_work(monday + timedelta(days=draw.randint(0, 4)), draw), "last week")


def _weeks_ago(draw: Random) -> Moment:
    weeks = draw.randint(2, 4)
    day = NOW - timedelta(days=7 * weeks + draw.randint(-1, 1))
    return Moment(_at_work(day, draw), f"{_COUNTS[weeks]} weeks ago")


def _months_ago(draw: Random, least: int, most: int) -> Moment:
    months = draw.randint(least, min(most, 6))
    day = NOW - timedelta(days=30 * months + draw.randint(-5, 5))
    return Moment(_at_work(day, draw), f"{_COUNTS[months]} months ago")


def _in_month(draw: Random, least: int, most: int) -> Moment:
    day = _some_day(draw, least, most)
    return Moment(_at_work(day, draw), f"in {day:%B}")


def _on_day(draw: Random, least: int, most: int) -> Moment:
    day = _some_day(draw, least, most)
    return Moment(_at_work(day, draw), f"on {day.day} {day:%B}")


def _some_day(draw: Random, least: int, most: int) -> datetime:
    return NOW - timedelta(days=draw.randint(30 * least + 5, 30 * most + 25))


def _at_work(day: datetime, draw: Random) -> datetime:
    return day.replace(hour=draw.randint(8, 17), minute=draw.randint(0, 59))

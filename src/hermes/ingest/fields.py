"""A field of somebody else's record: one of the wrong shape is as if it were not there."""

from __future__ import annotations

import math
from datetime import UTC, datetime

from hermes.records.codec import Json

_MILLISECONDS = 100_000_000_000  # a number of seconds this large lies after the year 5000


def mapping(value: Json) -> dict[str, Json]:
    return value if isinstance(value, dict) else {}


def sequence(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def string(value: Json) -> str:
    return value if isinstance(value, str) else ""


def integer(value: Json) -> int | None:
    """A whole number; True is none, and what no database holds is none either."""
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if -(2**63) <= value < 2**63 else None


def total(*values: Json) -> int | None:
    """The sum of those that are numbers; None when none of them is."""
    numbers = [number for value in values if (number := integer(value)) is not None]
    return sum(numbers) if numbers else None


def moment(value: Json) -> datetime | None:
    """An ISO text, or seconds or milliseconds since 1970; without a zone it is taken as UTC."""
    try:
        if isinstance(value, str):
            read = datetime.fromisoformat(value)
            return read.replace(tzinfo=UTC) if read.tzinfo is None else read.astimezone(UTC)
        if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
            seconds = value / 1000 if value > _MILLISECONDS else value
            return datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return None


def plain_text(content: Json) -> str:
    """The words of a content: a text, or a list of parts of which some have a `text`."""
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        content = [content]
    return "\n".join(filter(None, map(_part_text, sequence(content))))


def _part_text(part: Json) -> str:
    if isinstance(part, str):
        return part
    fields = mapping(part)
    if isinstance(fields.get("text"), str):
        return str(fields["text"])
    kind = string(fields.get("type"))
    return f"[{'image' if 'image' in kind else kind}]" if kind else ""

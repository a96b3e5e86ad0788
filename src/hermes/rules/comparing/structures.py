"""JSON by structure: the order of keys means nothing, the order of a list does."""

from __future__ import annotations

import json

from hermes.records.codec import Json
from hermes.rules.comparing.comparison import SAME, Comparison, different, shown, uncomparable
from hermes.rules.comparing.numbers import Tolerance, same_number


def compare_json(recorded: str, replayed: str, tolerance: Tolerance) -> Comparison:
    """One document on each side."""
    try:
        before, after = json.loads(recorded), json.loads(replayed)
        found = _difference(before, after, "$", tolerance)
    except (ValueError, RecursionError) as error:
        return uncomparable(f"it cannot be read as JSON: {_why(error)}")
    return different(found) if found else SAME


def compare_json_lines(recorded: str, replayed: str, tolerance: Tolerance) -> Comparison:
    """A document on each line."""
    before, after = recorded.splitlines(), replayed.splitlines()
    for number, (old, new) in enumerate(zip(before, after, strict=False), start=1):
        if old.strip() == new.strip():
            continue
        answer = compare_json(old, new, tolerance)
        if not answer.is_same:
            return type(answer)(outcome=answer.outcome, reason=f"line {number}: {answer.reason}")
    if len(before) != len(after):
        return different(f"recorded {len(before)} lines, replayed {len(after)}")
    return SAME


def _difference(before: Json, after: Json, where: str, tolerance: Tolerance) -> str:
    """The first place where they differ, in words; empty where they do not."""
    if _is_number(before) and _is_number(after):
        same = before == after or same_number(before, after, tolerance)
        return "" if same else _told(where, before, after)
    if type(before) is not type(after):
        return _told(where, before, after)
    if isinstance(before, dict):
        for key in sorted(before.keys() ^ after.keys()):
            side = "recorded" if key in before else "replayed"
            return f"{where}.{key}: only {side} has it"
        inner = ((before[key], after[key], f"{where}.{key}") for key in before)
    elif isinstance(before, list):
        if len(before) != len(after):
            return f"{where}: recorded {len(before)} items, replayed {len(after)}"
        pairs = enumerate(zip(before, after, strict=True))
        inner = ((old, new, f"{where}[{index}]") for index, (old, new) in pairs)
    else:
        return "" if before == after else _told(where, before, after)
    return next(filter(None, (_difference(*one, tolerance) for one in inner)), "")


def _told(where: str, before: Json, after: Json) -> str:
    written = (json.dumps(value, ensure_ascii=False) for value in (before, after))
    return f"{where}: recorded {shown(next(written))}, replayed {shown(next(written))}"


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _why(error: Exception) -> str:
    return str(error) if isinstance(error, ValueError) else "nested too deeply"

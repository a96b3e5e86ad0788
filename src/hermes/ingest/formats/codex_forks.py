"""A Codex fork writes its parent's history into its own rollout, at new times, before its own.

The copy is known by comparing it with the parent's rollout. Where that is not on this disk the copy
is all there is of it, and is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from hermes.ingest.fields import mapping
from hermes.ingest.formats.repeats import Repeats, mark_of
from hermes.ingest.jsonl import read_objects
from hermes.ingest.lines import open_log
from hermes.records.codec import Json

_ID = re.compile(r"([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f])[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")
# What an item says; ids and cyphers may be other ones in the copy, or left out of it.
_TOLD = ("type", "role", "content", "summary", "name", "arguments", "input", "action", "call_id",
         "output", "message")  # fmt: skip
_DAYS_APART = (-1, 0, 1)  # folders are named by the local day, ids by universal time


class _Item(NamedTuple):
    line: int
    mark: int
    from_user: bool


def copied_until(path: Path, parent: str) -> int:
    """The last line of the copy; 0 where nothing is copied, or nobody can tell.

    What was asked last and is answered only here is not counted as copied: a fork is often made in
    order to ask the same again.
    """
    source = rollout_of(parent, path)
    if source is None:
        return 0
    last = 0
    repeats = Repeats(item.mark for item in _items(source))
    for item in _items(path):
        if not repeats.has(item.mark):
            break
        if not item.from_user:
            last = item.line
    return last


def rollout_of(thread: str, near: Path) -> Path | None:
    """The rollout of a thread: beside this one, or in the folder of the day its id tells."""
    for folder in _folders(thread, near):
        found = sorted(folder.glob(f"rollout-*-{thread}.jsonl*")) if folder.is_dir() else []
        if found and found[0] != near:
            return found[0]
    return None


def _folders(thread: str, near: Path) -> Iterator[Path]:
    """None for what is no id: no name in a log may lead a search elsewhere."""
    parts = _ID.fullmatch(thread)
    if parts is None:
        return
    yield near.parent
    if parts[3] == "7" and len(near.parents) > 3:  # an id that begins with its time
        made = datetime.fromtimestamp(int(parts[1] + parts[2], 16) / 1000, UTC)
        for days in _DAYS_APART:
            yield near.parents[3] / (made + timedelta(days=days)).strftime("%Y/%m/%d")


def _items(path: Path) -> Iterator[_Item]:
    with open_log(path) as stream:
        for line, value in read_objects(stream, lambda _line, _what: None):
            if value.get("type") in ("response_item", "compacted"):
                payload = mapping(value.get("payload"))
                yield _Item(line.number, mark_of(*map(payload.get, _TOLD)), _is_from_user(payload))


def _is_from_user(payload: dict[str, Json]) -> bool:
    return payload.get("type") == "message" and payload.get("role") == "user"

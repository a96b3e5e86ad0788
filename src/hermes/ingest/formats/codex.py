"""Codex: a rollout of items and events, one thread per file, plain or compressed.

A compaction replaces what the model sees, not what happened: the items before it are read as they
are. Turns that the user rolled back are left out; a first pass looks whether there are any. So is
what a fork repeats of its parent.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from hermes.ingest.conversation import Conversation, Mark, marked
from hermes.ingest.decoding import Malformed, decode
from hermes.ingest.fields import integer, mapping, moment, sequence, string, total
from hermes.ingest.formats.codex_forks import copied_until
from hermes.ingest.formats.codex_items import ItemReader, is_user_prompt
from hermes.ingest.jsonl import Repeated, read_objects
from hermes.ingest.lines import open_log, read_lines
from hermes.ingest.turns import Heading, Turn
from hermes.records.codec import Json

SOURCE = "codex"

_SILENT = frozenset(("session_meta", "turn_context", "session_state", "world_state"))
_OLD_HEADS = frozenset(("instructions", "record_type"))
_ROLLED_BACK = b'"thread_rolled_back"'
_THREAD_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class _Survey(NamedTuple):
    """`forked_from` is the thread whose history the file begins with."""

    heading: Heading
    rolled_back: bool
    forked_from: str


def read(path: Path) -> Iterator[Conversation]:
    """The one conversation of a rollout."""
    survey = _survey(path)
    conversation = Conversation(heading=survey.heading, file=path)
    dropped = _dropped(path) if survey.rolled_back else []
    if survey.forked_from:
        dropped = _from_start(copied_until(path, survey.forked_from), dropped)
    conversation.turns = marked(_turns(conversation, dropped))
    yield conversation


def _survey(path: Path) -> _Survey:
    """The heading, from the first lines that tell it, and what the file holds beside its turns."""
    metas: list[dict[str, Json]] = []
    context: dict[str, Json] = {}
    rolled_back = False
    with open_log(path) as stream:
        for line in read_lines(stream):
            data = line.data or b""
            rolled_back = rolled_back or _ROLLED_BACK in data
            if len(metas) < 2 and (b'"session_meta"' in data or line.number == 1):
                metas += filter(None, [_payload_of(data, "session_meta")])
            elif not context and b'"turn_context"' in data:
                context = _payload_of(data, "turn_context")
    meta = metas[0] if metas else {}
    spawn = mapping(mapping(mapping(meta.get("source")).get("subagent")).get("thread_spawn"))
    named = _THREAD_ID.findall(path.name)
    own = string(meta.get("id")) or (named[-1] if named else path.name.split(".")[0])
    # Not every version names its parent; but the copy begins with the parent's own first line.
    copied = [string(one.get("id")) for one in metas[1:] if string(one.get("id")) != own]
    forked_from = string(meta.get("forked_from_id")) or "".join(copied)
    parents = (spawn.get("parent_thread_id"), meta.get("parent_thread_id"), forked_from)
    heading = Heading(
        source=SOURCE,
        external_id=own,
        parent_external_id=next((one for one in parents if isinstance(one, str) and one), None),
        cwd=string(meta.get("cwd")) or string(context.get("cwd")) or None,
        model=string(context.get("model")) or None,
        started_at=moment(meta.get("timestamp")),
    )
    return _Survey(heading, rolled_back, forked_from)


def _payload_of(data: bytes, kind: str) -> dict[str, Json]:
    """The payload of a line of this kind; the oldest rollouts begin with the bare payload."""
    try:
        value = mapping(decode(data))
    except Malformed:
        return {}  # the second pass tells it
    if value.get("type") == kind:
        return mapping(value.get("payload"))
    return value if kind == "session_meta" and "instructions" in value else {}


def _dropped(path: Path) -> list[tuple[int, int]]:
    """The ranges of lines (from, to) whose turns were taken back, in order and apart."""
    starts: list[int] = []
    dropped: list[tuple[int, int]] = []
    with open_log(path) as stream:
        for line, value in read_objects(stream, lambda _line, _what: None):
            payload = _item(value)
            if value.get("type") == "event_msg" and payload.get("type") == "thread_rolled_back":
                count = min(integer(payload.get("num_turns")) or 0, len(starts))
                if count > 0:
                    first = starts[-count]
                    while dropped and dropped[-1][0] > first:
                        dropped.pop()  # the new range has it inside
                    dropped.append((first, line.number))
                    del starts[-count:]
            elif value.get("type") != "compacted" and is_user_prompt(payload):
                starts.append(line.number)
    return dropped


def _from_start(last: int, ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The ranges and all lines up to this one; some may lie within, or begin there."""
    if not last:
        return ranges
    begun = [end for first, end in ranges if first <= last]
    return [(1, max([last, *begun])), *(one for one in ranges if one[0] > last)]


def _is_in(ranges: list[tuple[int, int]], number: int) -> bool:
    place = bisect_right(ranges, number, key=lambda one: one[0]) - 1
    return place >= 0 and number <= ranges[place][1]


def _turns(conversation: Conversation, dropped: list[tuple[int, int]]) -> Iterator[Turn | Mark]:
    items = ItemReader(conversation)
    repeated = Repeated()
    spoken = False
    with open_log(conversation.file) as stream:
        for line, value in read_objects(stream, conversation.note):
            conversation.bytes_read = line.offset + len(line.data or b"")
            if _is_in(dropped, line.number):
                continue
            kind, payload = string(value.get("type")), _item(value)
            if kind == "response_item" and repeated.has(line):
                continue
            make = partial(Turn, key=f"line-{line.number}", at=moment(value.get("timestamp")))
            if kind == "event_msg":
                items.event(payload)
                yield from _marks(payload)
            elif kind == "compacted":
                if not spoken:
                    yield from _replacement(items, payload, make, line.number)
            elif kind == "response_item" or (kind and "payload" not in value):
                for turn in items.turns(payload, make):
                    spoken = True
                    yield turn
            elif kind not in _SILENT and not _OLD_HEADS & value.keys():
                conversation.unknown[kind or "no type"] += 1
    repeated.tell(conversation.note)


def _item(value: dict[str, Json]) -> dict[str, Json]:
    """Before rollouts had envelopes, a line was the item itself."""
    return mapping(value.get("payload")) if "payload" in value else value


def _marks(event: dict[str, Json]) -> Iterator[Mark]:
    if event.get("type") == "turn_aborted":
        yield Mark(interrupted=True)
    elif event.get("type") == "token_count":
        usage = mapping(mapping(event.get("info")).get("last_token_usage"))
        spent = total(usage.get("input_tokens"), usage.get("output_tokens"))
        if spent is not None:
            yield Mark(tokens=max(0, spent - (integer(usage.get("cached_input_tokens")) or 0)))


def _replacement(
    items: ItemReader, payload: dict[str, Json], make: partial[Turn], number: int
) -> Iterator[Turn]:
    """A rollout may begin with a compaction: then this is all that is left of what came before."""
    for place, item in enumerate(sequence(payload.get("replacement_history"))):
        yield from items.turns(mapping(item), partial(make, key=f"line-{number}.{place}"))

"""Hermes Agent: sessions and messages in its state.db.

A message that the user took back is inactive. One that a compaction put away is inactive too, but
it did happen and is read; the summary that took its place is not.

Older versions compact by ending the session and beginning another, which repeats the first and the
last messages around a summary. Such sessions are one conversation, and the repeated is left out.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from hermes.ingest.conversation import Conversation, unreadable
from hermes.ingest.decoding import Malformed, decode
from hermes.ingest.fields import integer, mapping, moment, sequence, string
from hermes.ingest.formats.chat_messages import message_turns
from hermes.ingest.formats.repeats import Repeats, mark_of
from hermes.ingest.sqlite_log import (
    Row,
    SqliteLog,
    column_json,
    column_text,
    columns,
    rows,
    size_of,
)
from hermes.ingest.turns import Heading, Turn
from hermes.records.codec import Json

SOURCE = "hermes-agent"

_SESSION = ("id", "parent_session_id", "title", "cwd", "model", "started_at", "ended_at",
            "end_reason")  # fmt: skip
_COMPRESSED = "compression"  # why a session ended that another continues
# How a message begins that the program wrote for the session that continues, and how it ends where
# a message of the user follows in the same text.
_HANDOVERS = (
    "[CONTEXT COMPACTION",
    "[CONTEXT SUMMARY]:",
    "[Your active task list was preserved across context compression]",
)
_HANDOVER_END = "--- END OF CONTEXT SUMMARY"
_MESSAGE = (
    "id",
    "role",
    "content",
    "tool_call_id",
    "tool_calls",
    "tool_name",
    "timestamp",
    "token_count",
    "reasoning",
    "reasoning_content",
)
_PARTS_PREFIX = b"\0json:"  # how a content of several parts is stored in a text column


def read(path: Path) -> Iterator[Conversation]:
    """A conversation for each session and those that continue it, oldest first."""
    log = SqliteLog(path)
    try:
        with log.connect() as connection:
            known = columns(connection, "sessions")
            chosen = ", ".join(name for name in _SESSION if name in known)
            found = list(rows(connection, f"SELECT {chosen} FROM sessions ORDER BY started_at, id"))
    except sqlite3.Error as error:
        yield unreadable(path, SOURCE, f"the database cannot be read: {error}")
        return
    lines = _lines_of_work(found)
    first_of = {_id(row): _id(line[0]) for line in lines for row in line}
    for line in lines:
        parent = column_text(line[0].get("parent_session_id"))
        heading = _heading(line[0], first_of.get(parent, parent) or None)
        conversation = Conversation(heading=heading, file=path)
        conversation.turns = _turns(conversation, log, [_id(row) for row in line])
        yield conversation


def _lines_of_work(found: list[Row]) -> list[list[Row]]:
    """Each session that continues none, followed by those that continue it."""
    lines: list[list[Row]] = []
    line_of: dict[str, list[Row]] = {}
    for row in found:
        line = line_of.get(column_text(row.get("parent_session_id")))
        if line is not None and _continues(line[-1], row):
            line.append(row)
        else:
            line = [row]
            lines.append(line)
        line_of[_id(row)] = line
    return lines


def _continues(before: Row, row: Row) -> bool:
    """A subagent has a parent too, but it began while that was at work."""
    if column_text(row.get("parent_session_id")) != _id(before):
        return False  # another continues it already
    ended, began = moment(before.get("ended_at")), moment(row.get("started_at"))
    is_later = ended is None or began is None or ended <= began
    return column_text(before.get("end_reason")) == _COMPRESSED and is_later


def _id(row: Row) -> str:
    return column_text(row.get("id"))


def _heading(row: Row, parent: str | None) -> Heading:
    return Heading(
        source=SOURCE,
        external_id=_id(row),
        parent_external_id=parent,
        title=column_text(row.get("title")),
        cwd=column_text(row.get("cwd")) or None,
        model=column_text(row.get("model")) or None,
        started_at=moment(row.get("started_at")),
    )


def _turns(conversation: Conversation, log: SqliteLog, sessions: list[str]) -> Iterator[Turn]:
    try:
        with log.connect() as connection:
            query = _query(columns(connection, "messages"))
            for number, session in enumerate(sessions):
                before = rows(connection, query, (sessions[number - 1],)) if number else iter(())
                repeats = Repeats(_mark(_message(row)) for row in before)
                found = rows(connection, query, (session,))
                yield from _session_turns(conversation, found, repeats if number else None)
    except sqlite3.Error as error:
        conversation.note(0, f"the database cannot be read: {error}")
    if log.changed():
        conversation.note(0, "the database was written to while it was read; learn it again later")


def _session_turns(
    conversation: Conversation, found: Iterator[Row], repeats: Repeats | None
) -> Iterator[Turn]:
    """A session that continues another tells nothing until something stands there that is new."""
    for row in found:
        conversation.bytes_read += size_of(row)
        message = _message(row, conversation)
        if repeats is not None:
            if _says_nothing(message) or repeats.has(_mark(message)):
                continue
            repeats = None
        make = partial(Turn, at=moment(row.get("timestamp")))
        yield from message_turns(conversation, message, make, f"message-{_number(row)}")


def _query(known: frozenset[str]) -> str:
    """Older databases have fewer columns."""
    chosen = ", ".join(name for name in _MESSAGE if name in known)
    conditions = ["session_id = ?"]
    if "active" in known:
        conditions.append("(active = 1 OR compacted = 1)" if "compacted" in known else "active = 1")
    if "_compressed_summary" in known:
        conditions.append("_compressed_summary = 0")
    if "observed" in known:
        conditions.append("coalesce(observed, 0) = 0")
    if "display_kind" in known:
        conditions.append("coalesce(display_kind, '') <> 'hidden'")
    return f"SELECT {chosen} FROM messages WHERE {' AND '.join(conditions)} ORDER BY id"


def _message(row: Row, conversation: Conversation | None = None) -> dict[str, Json]:
    """In the form of the OpenAI interface; what is broken is told where somebody listens."""
    try:
        calls = column_json(row.get("tool_calls"))
    except Malformed as error:
        calls = None
        if conversation is not None:
            number = _number(row)
            conversation.note(number, f"the tool calls of message {number}: {error}")
    return {
        "role": column_text(row.get("role")),
        "content": _content(row.get("content")),
        "tool_calls": calls,
        "tool_call_id": column_text(row.get("tool_call_id")),
        "tool_name": column_text(row.get("tool_name")),
        "token_count": row.get("token_count"),
        "reasoning_content": column_text(row.get("reasoning_content")),
        "reasoning": column_text(row.get("reasoning")),
    }


def _number(row: Row) -> int:
    return integer(row.get("id")) or 0


def _mark(message: dict[str, Json]) -> int:
    """What a repeated message has in common with the first: long results and arguments are cut."""
    calls = [string(mapping(call).get("id")) for call in sequence(message["tool_calls"])]
    if message["tool_call_id"]:
        return mark_of(message["tool_call_id"])
    return mark_of(message["role"], message["content"], calls)


def _says_nothing(message: dict[str, Json]) -> bool:
    return not (message["content"] or message["tool_calls"] or message["tool_call_id"])


def _content(value: bytes | float | None) -> Json:
    if isinstance(value, bytes) and value.startswith(_PARTS_PREFIX):
        try:
            return decode(value.removeprefix(_PARTS_PREFIX))
        except Malformed:
            return column_text(value)
    text = column_text(value)
    return _after_handover(text) if text.startswith(_HANDOVERS) else text


def _after_handover(text: str) -> str:
    _, _, after = text.partition(_HANDOVER_END)
    return after.partition("\n")[2].strip()

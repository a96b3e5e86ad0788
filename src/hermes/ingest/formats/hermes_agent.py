"""Hermes Agent: sessions and messages in its state.db.

A message that the user took back is inactive. One that a compaction put away is inactive too, but
it did happen and is read; the summary that took its place is not.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from hermes.ingest.conversation import Conversation, unreadable
from hermes.ingest.decoding import Malformed, decode
from hermes.ingest.fields import integer, moment
from hermes.ingest.formats.chat_messages import message_turns
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

_SESSION = ("id", "parent_session_id", "title", "cwd", "model", "started_at")
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
    """A conversation for each session, oldest first."""
    log = SqliteLog(path)
    try:
        with log.connect() as connection:
            known = columns(connection, "sessions")
            chosen = ", ".join(name for name in _SESSION if name in known)
            found = list(rows(connection, f"SELECT {chosen} FROM sessions ORDER BY started_at, id"))
    except sqlite3.Error as error:
        yield unreadable(path, SOURCE, f"the database cannot be read: {error}")
        return
    for row in found:
        conversation = Conversation(heading=_heading(row), file=path)
        conversation.turns = _turns(conversation, log, row.get("id"))
        yield conversation


def _heading(row: Row) -> Heading:
    return Heading(
        source=SOURCE,
        external_id=column_text(row.get("id")),
        parent_external_id=column_text(row.get("parent_session_id")) or None,
        title=column_text(row.get("title")),
        cwd=column_text(row.get("cwd")) or None,
        model=column_text(row.get("model")) or None,
        started_at=moment(row.get("started_at")),
    )


def _turns(conversation: Conversation, log: SqliteLog, session: Json) -> Iterator[Turn]:
    try:
        with log.connect() as connection:
            query = _query(columns(connection, "messages"))
            for row in rows(connection, query, (column_text(session),)):
                conversation.bytes_read += size_of(row)
                yield from _message(conversation, row)
    except sqlite3.Error as error:
        conversation.note(0, f"the database cannot be read: {error}")
    if log.changed():
        conversation.note(0, "the database was written to while it was read; learn it again later")


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


def _message(conversation: Conversation, row: Row) -> Iterator[Turn]:
    number = integer(row.get("id")) or 0
    try:
        calls = column_json(row.get("tool_calls"))
    except Malformed as error:
        conversation.note(number, f"the tool calls of message {number}: {error}")
        calls = None
    message: dict[str, Json] = {
        "role": column_text(row.get("role")),
        "content": _content(row.get("content")),
        "tool_calls": calls,
        "tool_call_id": column_text(row.get("tool_call_id")),
        "tool_name": column_text(row.get("tool_name")),
        "token_count": row.get("token_count"),
        "reasoning_content": column_text(row.get("reasoning_content")),
        "reasoning": column_text(row.get("reasoning")),
    }
    make = partial(Turn, at=moment(row.get("timestamp")))
    yield from message_turns(conversation, message, make, f"message-{number}")


def _content(value: bytes | float | None) -> Json:
    if isinstance(value, bytes) and value.startswith(_PARTS_PREFIX):
        try:
            return decode(value.removeprefix(_PARTS_PREFIX))
        except Malformed:
            return column_text(value)
    return column_text(value)

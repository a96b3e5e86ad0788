"""OpenCode: sessions, messages and parts in opencode.db, or, before that, in a folder of files.

A revert names the message, or the part of it, from which on everything was taken back.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from itertools import chain, groupby
from pathlib import Path

from hermes.ingest.conversation import Conversation, Mark, marked, unreadable
from hermes.ingest.decoding import Malformed, decode
from hermes.ingest.fields import mapping, string
from hermes.ingest.formats.opencode_parts import SOURCE, Part, heading_of, message_turns
from hermes.ingest.lines import read_document
from hermes.ingest.sqlite_log import (
    MAGIC,
    Row,
    SqliteLog,
    column_json,
    column_text,
    columns,
    lenient_json,
    rows,
    size_of,
)
from hermes.ingest.turns import Problem, Turn
from hermes.records.codec import Json

_SESSION = ("id", "parent_id", "title", "directory", "model", "revert", "time_created")
_MESSAGES = """
SELECT message.id AS message_id, message.data AS message, part.id AS part_id, part.data AS part
FROM message LEFT JOIN part ON part.message_id = message.id
WHERE message.session_id = ?
ORDER BY message.time_created, message.id, part.id
"""

_Message = tuple[str, dict[str, Json], Iterator[Part]]


def read(path: Path) -> Iterator[Conversation]:
    with path.open("rb") as stream:
        database = stream.read(len(MAGIC)) == MAGIC
    return _from_database(path) if database else _from_files(path)


def _from_database(path: Path) -> Iterator[Conversation]:
    log = SqliteLog(path)
    try:
        with log.connect() as connection:
            known = columns(connection, "session")
            chosen = ", ".join(name for name in _SESSION if name in known)
            found = list(
                rows(connection, f"SELECT {chosen} FROM session ORDER BY time_created, id")
            )
    except sqlite3.Error as error:
        yield unreadable(path, SOURCE, f"the database cannot be read: {error}")
        return
    for row in found:
        session = _session(row)
        conversation = Conversation(heading=heading_of(session), file=path)
        revert = mapping(session.get("revert"))
        conversation.turns = marked(_database_turns(conversation, log, revert))
        yield conversation


def _session(row: Row) -> dict[str, Json]:
    """The row in the words of the older files."""
    return {
        "id": column_text(row.get("id")),
        "parentID": column_text(row.get("parent_id")),
        "title": column_text(row.get("title")),
        "directory": column_text(row.get("directory")),
        "model": lenient_json(row.get("model")),
        "revert": lenient_json(row.get("revert")),
        "time": {"created": row.get("time_created")},
    }


def _database_turns(
    conversation: Conversation, log: SqliteLog, revert: dict[str, Json]
) -> Iterator[Turn | Mark]:
    try:
        with log.connect() as connection:
            found = rows(connection, _MESSAGES, (conversation.heading.external_id,))
            messages = _database_messages(conversation, found)
            yield from _kept_turns(conversation, messages, revert)
    except sqlite3.Error as error:
        conversation.note(0, f"the database cannot be read: {error}")
    if log.changed():
        conversation.note(0, "the database was written to while it was read; learn it again later")


def _database_messages(conversation: Conversation, found: Iterator[Row]) -> Iterator[_Message]:
    for key, group in groupby(found, key=lambda row: column_text(row["message_id"])):
        yield _database_message(conversation, key, group)


def _database_message(conversation: Conversation, key: str, group: Iterator[Row]) -> _Message:
    first = next(group)
    message = _row_json(conversation, f"message {key}", first["message"])
    return key, message, _database_parts(conversation, chain((first,), group))


def _database_parts(conversation: Conversation, found: Iterable[Row]) -> Iterator[Part]:
    for row in found:
        conversation.bytes_read += size_of(row)
        if row["part_id"] is not None:
            name = column_text(row["part_id"])
            yield name, _row_json(conversation, f"part {name}", row["part"])


def _row_json(
    conversation: Conversation, name: str, value: bytes | float | None
) -> dict[str, Json]:
    try:
        return mapping(column_json(value))
    except Malformed as error:
        conversation.note(1, f"{name}: {error}")
        return {}


def _kept_turns(
    conversation: Conversation, messages: Iterator[_Message], revert: dict[str, Json]
) -> Iterator[Turn | Mark]:
    last, last_part = string(revert.get("messageID")), string(revert.get("partID"))
    for key, message, parts in messages:
        if key != last:
            yield from message_turns(conversation, message, parts)
            continue
        if last_part:
            kept = (part for part in parts if part[0] < last_part)
            yield from message_turns(conversation, message, kept)
        return


def _from_files(path: Path) -> Iterator[Conversation]:
    """`path` is session/<project>/<session>.json; messages and parts lie in folders beside it."""
    try:
        session = mapping(decode(read_document(path) or b""))
    except Malformed as error:
        yield unreadable(path, SOURCE, str(error))
        return
    conversation = Conversation(heading=heading_of(session), file=path)
    messages = _file_messages(conversation, path.parent.parent.parent)
    revert = mapping(session.get("revert"))
    conversation.turns = marked(_kept_turns(conversation, messages, revert))
    yield conversation


def _file_messages(conversation: Conversation, storage: Path) -> Iterator[_Message]:
    name = Path(conversation.heading.external_id).name  # a name from a file never leads elsewhere
    for file in sorted((storage / "message" / name).glob("*.json")):
        parts = sorted((storage / "part" / file.stem).glob("*.json"))
        yield (
            file.stem,
            _file(conversation, file),
            ((part.stem, _file(conversation, part)) for part in parts),
        )


def _file(conversation: Conversation, file: Path) -> dict[str, Json]:
    try:
        data = read_document(file)
        conversation.bytes_read += len(data or b"")
        return mapping(decode(data or b""))
    except (OSError, Malformed) as error:
        conversation.problems.append(Problem(file=str(file), line=1, what=str(error)))
        return {}

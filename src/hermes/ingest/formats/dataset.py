"""Training data as a log: every line, or every element of one list, is a whole conversation.

Such a line has seldom an id of its own; then its content is its id, wherever the file lies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from hermes.ids import canonical_json, content_hash
from hermes.ingest.conversation import Conversation, unreadable
from hermes.ingest.decoding import Malformed, decode
from hermes.ingest.fields import mapping, moment, string
from hermes.ingest.jsonl import read_objects
from hermes.ingest.lines import MAX_LINE, open_log, read_document
from hermes.ingest.turns import Heading, Problem, Turn
from hermes.records.codec import Json

TurnsOf = Callable[[Conversation, dict[str, Json]], Iterator[Turn]]

_IDS = ("id", "session_id", "conversation_id", "sessionId")


def read_dataset(path: Path, source: str, turns_of: TurnsOf) -> Iterator[Conversation]:
    """The conversations of a file; broken lines are told by the next one, or by an empty one."""
    if _is_one_document(path):
        yield from _from_document(path, source, turns_of)
        return
    waiting: list[Problem] = []

    def note(line: int, what: str) -> None:
        waiting.append(Problem(file=str(path), line=line, what=what))

    with open_log(path) as stream:
        for line, value in read_objects(stream, note):
            conversation = _conversation(path, source, line.data or b"", value)
            conversation.problems, waiting = waiting, []
            conversation.turns = turns_of(conversation, value)
            yield conversation
    if waiting:
        rest = unreadable(path, source, waiting[0].what, waiting[0].line)
        rest.problems += waiting[1:]
        yield rest


def _is_one_document(path: Path) -> bool:
    """A list, or an object whose first line does not end it."""
    with open_log(path) as stream:
        start = stream.readline(MAX_LINE).strip()
    if start.startswith(b"["):
        return True
    try:
        decode(start)
    except Malformed:
        return start in (b"", b"{")
    return False


def _from_document(path: Path, source: str, turns_of: TurnsOf) -> Iterator[Conversation]:
    data = read_document(path)
    if data is None:
        yield unreadable(path, source, f"larger than {MAX_LINE // 2**20} MiB in one piece")
        return
    try:
        value = decode(data)
    except Malformed as error:
        yield unreadable(path, source, str(error))
        return
    for one in value if isinstance(value, list) else [value]:
        if not isinstance(one, dict):
            yield unreadable(path, source, "a list element that is no conversation")
            continue
        text = canonical_json(one).encode("utf-8", "replace")
        conversation = _conversation(path, source, text, one)
        conversation.turns = turns_of(conversation, one)
        yield conversation


def _conversation(path: Path, source: str, data: bytes, value: dict[str, Json]) -> Conversation:
    own = next((name for key in _IDS if (name := string(value.get(key)))), "")
    heading = Heading(
        source=source,
        external_id=own or content_hash(data.strip()),
        model=string(value.get("model")) or None,
        started_at=moment(value.get("timestamp")) or moment(mapping(value).get("created_at")),
    )
    return Conversation(heading=heading, file=path, bytes_read=len(data))

"""Gemini CLI: a session as JSONL of messages and changes, or, before that, as one JSON document.

A message is written again whenever it grows, and `$rewindTo` takes back that message and all after
it. A first pass keeps only where the last form of each message stands.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from hermes.ingest.conversation import Conversation, Mark, marked
from hermes.ingest.decoding import Malformed, arguments_of, decode
from hermes.ingest.fields import mapping, moment, plain_text, sequence, string, total
from hermes.ingest.formats.gemini_shell import shell_outcome
from hermes.ingest.jsonl import object_at, read_objects
from hermes.ingest.lines import MAX_LINE, open_log, read_document
from hermes.ingest.outcomes import Outcome
from hermes.ingest.turns import Heading, Turn, TurnKind
from hermes.records.codec import Json

SOURCE = "gemini"

_SILENT = frozenset(("info", "error", "warning"))
_ROOT_FILE = ".project_root"
_SHELL = "run_shell_command"

_Place = tuple[int, int, int | None]
"""A message: line number, offset, and its place among the line's (None: the line is one)."""


def read(path: Path) -> Iterator[Conversation]:
    """The one conversation of a session file."""
    conversation = Conversation(heading=Heading(source=SOURCE, external_id=path.stem), file=path)
    if _is_one_document(path):
        meta, messages = _document(conversation)
        conversation.turns = marked(_message_turns(conversation, iter(messages)))
    else:
        meta, places = _survey(conversation)
        conversation.turns = marked(_message_turns(conversation, _at(conversation, places)))
    conversation.heading = _heading(path, meta)
    yield conversation


def _is_one_document(path: Path) -> bool:
    """Whether the first line is not a whole record, or holds all the messages."""
    with open_log(path) as stream:
        start = stream.readline(MAX_LINE)
    try:
        return isinstance(mapping(decode(start)).get("messages"), list)
    except Malformed:
        return start.strip() in (b"", b"{")


def _heading(path: Path, meta: dict[str, Json]) -> Heading:
    subagent = meta.get("kind") == "subagent"
    folders = [folder for folder in sequence(meta.get("directories")) if isinstance(folder, str)]
    return Heading(
        source=SOURCE,
        external_id=string(meta.get("sessionId")) or path.stem,
        parent_external_id=path.parent.name if subagent and path.parent.name != "chats" else None,
        title=string(meta.get("summary")),
        cwd=_project_root(path) or (folders[0] if folders else None),
        started_at=moment(meta.get("startTime")),
    )


def _project_root(path: Path) -> str | None:
    """The log has only a hash of the project's folder; newer versions write its path beside it."""
    for folder in list(path.parents)[:4]:
        if folder.name == "chats":
            try:
                return (folder.parent / _ROOT_FILE).read_text(errors="replace").strip() or None
            except OSError:
                return None
    return None


def _document(conversation: Conversation) -> tuple[dict[str, Json], list[Json]]:
    data = read_document(conversation.file)
    if data is None:
        conversation.note(1, f"larger than {MAX_LINE // 2**20} MiB in one piece")
        return {}, []
    conversation.bytes_read = len(data)
    try:
        value = mapping(decode(data))
    except Malformed as error:
        conversation.note(1, str(error))
        return {}, []
    return value, sequence(value.get("messages"))


def _survey(conversation: Conversation) -> tuple[dict[str, Json], list[_Place]]:
    meta: dict[str, Json] = {}
    places: dict[str, _Place] = {}
    with open_log(conversation.file) as stream:
        for line, value in read_objects(stream, conversation.note):
            conversation.bytes_read = line.offset + len(line.data or b"")
            changes = mapping(value.get("$set"))
            if isinstance(value.get("$rewindTo"), str):
                _rewind(places, value["$rewindTo"])
            elif isinstance(value.get("id"), str):
                places[value["id"]] = (line.number, line.offset, None)
            elif changes or "sessionId" in value:
                told = changes or value
                meta |= {name: known for name, known in told.items() if name != "messages"}
                if isinstance(told.get("messages"), list):
                    places = {
                        string(mapping(message).get("id")) or f"#{number}": (
                            line.number,
                            line.offset,
                            number,
                        )
                        for number, message in enumerate(told["messages"])
                    }
            elif "$set" not in value:
                conversation.unknown["no id"] += 1
    return meta, list(places.values())


def _rewind(places: dict[str, _Place], to: str) -> None:
    """The named message goes too; a name that is not there means that nothing is left."""
    while places:
        name, _ = places.popitem()
        if name == to:
            return


def _at(conversation: Conversation, places: list[_Place]) -> Iterator[Json]:
    with open_log(conversation.file) as stream:
        for number, offset, part in places:
            value = object_at(stream, offset, number, conversation.note)
            if value is None:
                return
            if part is None:
                yield value
                continue
            told = mapping(value.get("$set")) or value
            yield from sequence(told.get("messages"))[part : part + 1]


def _message_turns(conversation: Conversation, messages: Iterator[Json]) -> Iterator[Turn | Mark]:
    for number, one in enumerate(messages):
        message = mapping(one)
        kind = string(message.get("type"))
        key = string(message.get("id")) or f"message-{number}"
        make = partial(Turn, at=moment(message.get("timestamp")))
        words = plain_text(message.get("displayContent") or message.get("content")).strip()
        if kind == "user":
            if words:
                yield make(kind=TurnKind.USER, key=key, text=words)
        elif kind == "gemini":
            yield from _answer(message, words, make, key)
        elif kind not in _SILENT:
            conversation.unknown[f"message {kind or 'without type'}"] += 1


def _answer(
    message: dict[str, Json], words: str, make: partial[Turn], key: str
) -> Iterator[Turn | Mark]:
    for number, one in enumerate(sequence(message.get("thoughts"))):
        thought = mapping(one)
        parts = (string(thought.get("subject")), string(thought.get("description")))
        if text := "\n".join(filter(None, parts)):
            yield make(kind=TurnKind.THOUGHT, key=f"{key}:thought-{number}", text=text)
    if words:
        yield make(kind=TurnKind.ASSISTANT, key=key, text=words)
    tokens = mapping(message.get("tokens"))
    spent = total(tokens.get("input"), tokens.get("output"), tokens.get("thoughts"))
    calls = [mapping(call) for call in sequence(message.get("toolCalls"))]
    for number, call in enumerate(calls):
        yield make(
            kind=TurnKind.CALL,
            key=f"{key}:call-{number}",
            tool=string(call.get("name")),
            call_id=string(call.get("id")),
            arguments=arguments_of(call.get("args")),
        )
    if spent is not None:
        yield Mark(tokens=max(0, spent - (total(tokens.get("cached")) or 0)))
    for number, call in enumerate(calls):
        if call.get("result") is not None or call.get("status") in ("error", "cancelled"):
            yield _result(call, make, f"{key}:result-{number}")


def _result(call: dict[str, Json], make: partial[Turn], key: str) -> Turn:
    text, refused = _output(call.get("result"))
    text = text or plain_text(call.get("resultDisplay"))
    outcome = Outcome(text)
    if call.get("name") == _SHELL:
        outcome = shell_outcome(text, string(mapping(call.get("args")).get("command")))
    status = call.get("status")
    failed = refused or status in ("error", "cancelled") or bool(outcome.exit_code)
    return make(
        kind=TurnKind.RESULT,
        key=key,
        call_id=string(call.get("id")),
        tool=string(call.get("name")),
        text=outcome.text,
        failed=failed if failed or status == "success" else None,
        exit_code=outcome.exit_code,
        data={"cancelled": True} if status == "cancelled" else {},
    )


def _output(result: Json) -> tuple[str, bool]:
    """The words of a result, and whether it is an error."""
    if isinstance(result, str):
        return result, False
    words, refused = [], False
    for part in sequence(result) or [result]:
        response = mapping(mapping(mapping(part).get("functionResponse")).get("response"))
        refused = refused or bool(response.get("error"))
        said = response.get("output") or response.get("error") or mapping(part).get("text")
        words.append(plain_text(said))
    return "\n".join(filter(None, words)), refused

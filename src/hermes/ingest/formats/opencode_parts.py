"""One message of OpenCode and its parts → turns; the same in its database and its older files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from hermes.ingest.conversation import Conversation, Mark
from hermes.ingest.decoding import arguments_of, structured
from hermes.ingest.fields import integer, mapping, moment, string, total
from hermes.ingest.turns import Heading, Turn, TurnKind
from hermes.records.codec import Json

SOURCE = "opencode"

_SILENT = frozenset(
    ("step-start", "snapshot", "patch", "file", "agent", "subtask", "retry", "compaction")
)
Part = tuple[str, dict[str, Json]]
"""A part's id and its data."""


def heading_of(session: dict[str, Json]) -> Heading:
    """From a session in the words of the files: the database's columns are renamed to them."""
    model = session.get("model")
    return Heading(
        source=SOURCE,
        external_id=string(session.get("id")),
        parent_external_id=string(session.get("parentID")) or None,
        title=string(session.get("title")),
        cwd=string(session.get("directory")) or None,
        model=string(mapping(model).get("id")) or None,
        started_at=moment(mapping(session.get("time")).get("created")),
    )


def message_turns(
    conversation: Conversation, message: dict[str, Json], parts: Iterable[Part]
) -> Iterator[Turn | Mark]:
    """A message of the user, or of the model with its calls, each followed by its result."""
    role = string(message.get("role"))
    written = moment(mapping(message.get("time")).get("created"))
    if message.get("summary") is True:
        return  # what a compaction wrote, not an answer
    if role not in ("user", "assistant"):
        conversation.unknown[f"role {role or 'missing'}"] += 1
        return
    for key, part in parts:
        kind = string(part.get("type"))
        at = moment(mapping(part.get("time")).get("start")) or written
        make = partial(Turn, at=at)
        words = string(part.get("text")).strip()
        if kind == "text":
            if words and not (part.get("synthetic") or part.get("ignored")):
                yield make(kind=TurnKind(role), key=key, text=words)
        elif kind == "reasoning":
            if words:
                yield make(kind=TurnKind.THOUGHT, key=key, text=words)
        elif kind == "tool":
            yield from _tool(part, make, key)
        elif kind == "step-finish":
            tokens = mapping(part.get("tokens"))
            counts = (tokens.get(name) for name in ("input", "output", "reasoning"))
            yield Mark(tokens=total(*counts, mapping(tokens.get("cache")).get("write")))
        elif kind not in _SILENT:
            conversation.unknown[f"part {kind or 'without type'}"] += 1
    if mapping(message.get("error")).get("name") == "MessageAbortedError":
        yield Mark(interrupted=True)


def _tool(part: dict[str, Json], make: partial[Turn], key: str) -> Iterator[Turn]:
    state = mapping(part.get("state"))
    times = mapping(state.get("time"))
    call_id = string(part.get("callID")) or key
    begun = moment(times.get("start"))
    yield make(
        kind=TurnKind.CALL,
        key=key,
        at=begun or make.keywords["at"],
        tool=string(part.get("tool")),
        call_id=call_id,
        arguments=arguments_of(state.get("input")),
    )
    status = state.get("status")
    if status not in ("completed", "error"):
        return  # it was cut off: there is no result
    data = structured(state.get("metadata"))
    exit_code = integer(data.get("exit"))
    yield make(
        kind=TurnKind.RESULT,
        key=f"{key}:result",
        at=moment(times.get("end")) or begun or make.keywords["at"],
        tool=string(part.get("tool")),
        call_id=call_id,
        text=string(state.get("output" if status == "completed" else "error")),
        failed=status == "error" or bool(exit_code),
        exit_code=exit_code,
        data=data,
    )

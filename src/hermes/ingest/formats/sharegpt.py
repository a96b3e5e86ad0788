"""ShareGPT: {"conversations": [{"from", "value"}]}, plain or with the tags that Hermes models use.

The tags are <think>, <tool_call> and <tool_response>; one tool turn may hold several responses. A
call has no id there, so calls and responses are matched by their order.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from hermes.ids import canonical_json
from hermes.ingest.conversation import Conversation
from hermes.ingest.decoding import Malformed, arguments_of, decode_text
from hermes.ingest.fields import mapping, plain_text, sequence, string
from hermes.ingest.formats.dataset import read_dataset
from hermes.ingest.outcomes import outcome_of
from hermes.ingest.tags import cut_out
from hermes.ingest.turns import Turn, TurnKind
from hermes.records.codec import Json

SOURCE = "sharegpt"

_SPEAKERS = {
    "human": "user",
    "user": "user",
    "gpt": "assistant",
    "assistant": "assistant",
    "chatgpt": "assistant",
    "model": "assistant",
    "function_call": "call",
    "tool": "tool",
    "observation": "tool",
    "function_response": "tool",
    "system": "",
}


def read(path: Path) -> Iterator[Conversation]:
    return read_dataset(path, SOURCE, _turns)


def _turns(conversation: Conversation, value: dict[str, Json]) -> Iterator[Turn]:
    waiting: deque[str] = deque()  # the ids of the calls that have no response yet
    if not isinstance(value.get("conversations"), list):
        conversation.unknown["line without conversations"] += 1
    for number, one in enumerate(sequence(value.get("conversations"))):
        fields = mapping(one)
        name = string(fields.get("from")) or string(fields.get("role"))
        speaker = _SPEAKERS.get(name.lower())
        text = plain_text(fields.get("value") or fields.get("content"))
        make = partial(Turn, at=None)
        key = f"turn-{number}"
        if speaker == "user":
            if text.strip():
                yield make(kind=TurnKind.USER, key=key, text=text.strip())
        elif speaker == "assistant":
            waiting.clear()
            yield from _answer(text, make, key, waiting)
        elif speaker == "call":
            yield _call(text, make, key, waiting)
        elif speaker == "tool":
            yield from _responses(text, make, key, waiting)
        elif speaker is None:
            conversation.unknown[f"from {name or 'nobody'}"] += 1


def _answer(text: str, make: partial[Turn], key: str, waiting: deque[str]) -> Iterator[Turn]:
    thoughts, spoken = cut_out(text, "think")
    calls, words = cut_out(spoken, "tool_call")
    for number, thought in enumerate(thoughts):
        if thought.strip():
            yield make(kind=TurnKind.THOUGHT, key=f"{key}:thought-{number}", text=thought.strip())
    if words.strip():
        yield make(kind=TurnKind.ASSISTANT, key=key, text=words.strip())
    for number, call in enumerate(calls):
        yield _call(call, make, f"{key}:call-{number}", waiting)


def _call(text: str, make: partial[Turn], key: str, waiting: deque[str]) -> Turn:
    fields = _object(text)
    waiting.append(key)
    return make(
        kind=TurnKind.CALL,
        key=key,
        call_id=key,
        tool=string(fields.get("name")),
        arguments=arguments_of(fields.get("arguments", text if not fields else None)),
    )


def _responses(text: str, make: partial[Turn], key: str, waiting: deque[str]) -> Iterator[Turn]:
    for number, response in enumerate(cut_out(text, "tool_response")[0] or [text]):
        fields = _object(response)
        content = fields.get("content", response)
        if isinstance(content, dict | list):
            content = canonical_json(content)
        outcome = outcome_of(content)
        yield make(
            kind=TurnKind.RESULT,
            key=f"{key}:{number}" if number else key,
            call_id=waiting.popleft() if waiting else "",
            tool=string(fields.get("name")),
            text=outcome.text.strip(),
            failed=outcome.failed,
            exit_code=outcome.exit_code,
        )


def _object(text: str) -> dict[str, Json]:
    try:
        return mapping(decode_text(text.strip()))
    except Malformed:
        return {}

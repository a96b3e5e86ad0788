"""A chat message in the form of the OpenAI interface → turns; two formats carry such messages."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from hermes.ingest.conversation import Conversation
from hermes.ingest.decoding import arguments_of
from hermes.ingest.fields import integer, mapping, plain_text, sequence, string
from hermes.ingest.outcomes import outcome_of
from hermes.ingest.turns import Turn, TurnKind
from hermes.records.codec import Json

_SILENT = frozenset(("system", "developer"))


def message_turns(
    conversation: Conversation, message: dict[str, Json], make: partial[Turn], key: str
) -> Iterator[Turn]:
    """The turns of one message; `make` already knows the time."""
    role = string(message.get("role"))
    words = plain_text(message.get("content")).strip()
    if role == "user":
        if words:
            yield make(kind=TurnKind.USER, key=key, text=words)
    elif role == "assistant":
        yield from _answer(message, words, make, key)
    elif role in ("tool", "function"):
        outcome = outcome_of(message.get("content"))
        yield make(
            kind=TurnKind.RESULT,
            key=key,
            tool=string(message.get("name")) or string(message.get("tool_name")),
            call_id=string(message.get("tool_call_id")),
            text=outcome.text,
            failed=outcome.failed,
            exit_code=outcome.exit_code,
        )
    elif role not in _SILENT:
        conversation.unknown[f"role {role or 'missing'}"] += 1


def _answer(message: dict[str, Json], words: str, make: partial[Turn], key: str) -> Iterator[Turn]:
    thought = string(message.get("reasoning_content")) or string(message.get("reasoning"))
    if thought.strip():
        yield make(kind=TurnKind.THOUGHT, key=f"{key}:thought", text=thought.strip())
    calls = [mapping(call) for call in sequence(message.get("tool_calls"))]
    if not calls and isinstance(message.get("function_call"), dict):
        calls = [{"function": message["function_call"]}]
    if words:
        tokens = integer(message.get("token_count"))
        yield make(kind=TurnKind.ASSISTANT, key=key, text=words, tokens=tokens)
    for number, call in enumerate(calls):
        function = mapping(call.get("function")) or call
        yield make(
            kind=TurnKind.CALL,
            key=f"{key}:call-{number}",
            tool=string(function.get("name")),
            call_id=string(call.get("id")) or string(call.get("call_id")),
            arguments=arguments_of(function.get("arguments")),
        )

"""Replies in the format of Anthropic's messages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from hermes.testing.model_servers.replies import BreaksOff, Calls, Fails, Hangs, Says, Usage, words

PATH = "/v1/messages"


def unsound(body: dict[str, Any]) -> str:
    """Why the provider would refuse this history; empty where it takes it."""
    seen: set[str] = set()
    open_calls: set[str] = set()
    messages = body["messages"]
    if not messages or messages[0]["role"] != "user":
        return "the first message is not the user's"
    for message in messages:
        blocks = message["content"]
        blocks = [{"type": "text", "text": blocks}] if isinstance(blocks, str) else blocks
        answered = {one["tool_use_id"] for one in blocks if one["type"] == "tool_result"}
        if message["role"] == "user" and answered != open_calls:
            return f"calls {open_calls} have the answers {answered}"
        called = [one["id"] for one in blocks if one["type"] == "tool_use"]
        if seen & {*called} or len({*called}) < len(called):
            return f"a call of a name that was there before: {called}"
        seen |= {*called}
        open_calls = {*called}
        if not blocks or any(one["type"] == "text" and not one["text"].strip() for one in blocks):
            return f"an empty text of the {message['role']}"
    return f"calls without an answer: {open_calls}" if open_calls else ""


def failure(reply: Fails) -> dict[str, Any]:
    return {"type": "error", "error": {"type": reply.kind, "message": reply.message}}


def whole(reply: Says | Calls) -> dict[str, Any]:
    return {
        **_head(reply.usage or Usage(input=0, output=0)),
        "content": [_block(reply)],
        "stop_reason": _end(reply),
    }


def streamed(reply: Says | Calls | Hangs | BreaksOff | Fails) -> Iterator[str]:
    """The events of a stream; one that hangs, breaks off or fails has no end."""
    usage = (reply.usage if isinstance(reply, Says | Calls) else None) or Usage()
    yield _event("message_start", message={**_head(usage), "content": [], "stop_reason": None})
    if isinstance(reply, Calls):
        start = {**_block(reply), "input": {}}
        yield _event("content_block_start", index=0, content_block=start)
        delta = {"type": "input_json_delta", "partial_json": reply.raw_arguments}
        yield _event("content_block_delta", index=0, delta=delta)
    else:
        yield _event("content_block_start", index=0, content_block={"type": "text", "text": ""})
        for word in words(reply):
            delta = {"type": "text_delta", "text": f"{word} "}
            yield _event("content_block_delta", index=0, delta=delta)
    if isinstance(reply, Fails):
        yield _event("error", **failure(reply))
    if isinstance(reply, Says | Calls):
        yield _event("content_block_stop", index=0)
        end = {"stop_reason": _end(reply), "stop_sequence": None}
        yield _event("message_delta", delta=end, usage={"output_tokens": usage.output})
        yield _event("message_stop")


def _head(usage: Usage) -> dict[str, Any]:
    counted = {
        "input_tokens": usage.input - usage.cached,
        "cache_read_input_tokens": usage.cached,
        "cache_creation_input_tokens": 0,
        "output_tokens": usage.output,
    }
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "scripted",
        "stop_sequence": None,
        "usage": counted,
    }


def _block(reply: Says | Calls) -> dict[str, Any]:
    if isinstance(reply, Says):
        return {"type": "text", "text": reply.text}
    try:
        arguments = json.loads(reply.raw_arguments)
    except ValueError:  # only a stream of this format can carry arguments that are no JSON
        arguments = {"unreadable": reply.raw_arguments}
    return {"type": "tool_use", "id": f"toolu_{reply.tool}", "name": reply.tool, "input": arguments}


def _event(kind: str, **data: Any) -> str:
    return f"event: {kind}\ndata: {json.dumps({**data, 'type': kind})}\n\n"


def _end(reply: Says | Calls) -> str:
    return "end_turn" if isinstance(reply, Says) else "tool_use"

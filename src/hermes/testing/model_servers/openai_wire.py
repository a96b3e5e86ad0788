"""Replies in the format of OpenAI's chat completions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from hermes.testing.model_servers.replies import BreaksOff, Calls, Fails, Hangs, Says, Usage, words

PATH = "/v1/chat/completions"
_HEAD = {"id": "chatcmpl-1", "created": 1_700_000_000, "model": "scripted"}


def unsound(body: dict[str, Any]) -> str:
    """Why the provider would refuse this history; empty where it takes it."""
    open_calls: list[str] = []
    for message in body["messages"]:
        role, content = message["role"], message.get("content")
        if role == "tool":
            if message["tool_call_id"] not in open_calls:
                return f"an answer to no call: {message['tool_call_id']}"
            open_calls.remove(message["tool_call_id"])
            continue
        if open_calls:
            return f"calls without an answer: {open_calls}"
        open_calls = [call["id"] for call in message.get("tool_calls") or ()]
        if len(set(open_calls)) < len(open_calls):
            return f"calls of one name: {open_calls}"
        if role == "assistant" and not content and not open_calls:
            return "an assistant who says nothing"
    return f"calls without an answer: {open_calls}" if open_calls else ""


def failure(reply: Fails) -> dict[str, Any]:
    return {"error": {"message": reply.message, "type": reply.kind, "code": reply.kind}}


def whole(reply: Says | Calls) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": None}
    if isinstance(reply, Says):
        message["content"] = reply.text
    else:
        message["tool_calls"] = [_call(reply)]
    choice = {"index": 0, "message": message, "finish_reason": _end(reply)}
    body = {**_HEAD, "object": "chat.completion", "choices": [choice]}
    return body if reply.usage is None else {**body, "usage": _usage(reply.usage)}


def streamed(reply: Says | Calls | Hangs | BreaksOff | Fails) -> Iterator[str]:
    """The events of a stream; one that hangs, breaks off or fails has no end."""
    if isinstance(reply, Calls):
        yield _chunk({"role": "assistant", "tool_calls": [{"index": 0, **_call(reply)}]})
    else:
        yield _chunk({"role": "assistant", "content": ""})
        for word in words(reply):
            yield _chunk({"content": f"{word} "})
    if isinstance(reply, Fails):
        yield _event(failure(reply))
    if isinstance(reply, Says | Calls):
        yield _chunk({}, _end(reply))
        if reply.usage is not None:
            yield _event({**_HEAD, **_CHUNK, "choices": [], "usage": _usage(reply.usage)})
        yield "data: [DONE]\n\n"


_CHUNK = {"object": "chat.completion.chunk"}


def _chunk(delta: dict[str, Any], end: str | None = None) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": end}
    return _event({**_HEAD, **_CHUNK, "choices": [choice]})


def _event(data: dict[str, Any]) -> str:
    return f"data: {json.dumps(data)}\n\n"


def _call(reply: Calls) -> dict[str, Any]:
    function = {"name": reply.tool, "arguments": reply.raw_arguments}
    return {"id": f"call_{reply.tool}", "type": "function", "function": function}


def _end(reply: Says | Calls) -> str:
    return "stop" if isinstance(reply, Says) else "tool_calls"


def _usage(usage: Usage) -> dict[str, Any]:
    return {
        "prompt_tokens": usage.input,
        "completion_tokens": usage.output,
        "total_tokens": usage.input + usage.output,
        "prompt_tokens_details": {"cached_tokens": usage.cached},
    }

"""A conversation as the small model reads it.

What stays the same stands first and is written the same each time: how to answer, the tools, the
instructions, then the turns in their order, each exactly as it was generated. So the beginning of
every prompt is the previous prompt, and has been computed already.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

from hermes.models.local.decision import Decision, Offered, rendered

RAW = "generated"
"""Where a response of ours keeps the text it was made of."""

_HOW = """\
You work on a task in turns. Each of your turns begins with one JSON object.
To call a tool: {"thought": "...", "tool": "NAME", "arguments": {}}
To end the task: {"thought": "...", "answer": "..."}
"""
_WRITTEN_OUT = """\
An argument of the kind text follows the object, between its tags, with nothing escaped:
{"thought": "...", "tool": "NAME"}
<ARGUMENT>
as many lines as you like
</ARGUMENT>
"""
_RULES = """\
Rules:
- A thought says in your own words what is done so far and what is still missing.
- One call a turn. Its result is the next message; rely on it, and never invent a result.
- Whatever the task wants to be changed, written or computed needs a call of a tool. Saying it in
  the answer does not do it.
- End the task only when every part of it was done by a call. The answer says what came of it.

Tools:
"""


def chat_messages(
    messages: Sequence[ModelMessage], instructions: str, tools: Sequence[Offered]
) -> list[dict[str, str]]:
    """The messages for the model's own chat template; its turns are decisions if it has tools."""
    head = _how(tools) + "\n".join(map(_line, tools)) + "\n\n" if tools else ""
    chat: list[dict[str, str]] = []
    if system := f"{head}{instructions}".strip():
        chat.append({"role": "system", "content": system})
    for message in messages:
        if isinstance(message, ModelResponse):
            chat.append({"role": "assistant", "content": _turn(message, tools)})
        else:
            chat.append({"role": "user", "content": _said(message)})
    return chat


def _how(tools: Sequence[Offered]) -> str:
    return _HOW + (_WRITTEN_OUT if any(one.written_out for one in tools) else "") + _RULES


def _line(tool: Offered) -> str:
    """`name(argument: type, other?: type): what it does`."""
    needed = tool.schema.get("required", ())
    fields: Mapping[str, Any] = tool.schema.get("properties", {})
    arguments = ", ".join(
        f"{name}{'' if name in needed else '?'}: "
        f"{'text' if name == tool.written_out else _kind(field)}"
        for name, field in fields.items()
    )
    return f"- {tool.name}({arguments}): {' '.join(tool.description.split())}"


def _kind(field: Any) -> str:
    if not isinstance(field, Mapping):
        return "any"
    kind = (
        "|".join(map(json.dumps, field["enum"]))
        if "enum" in field
        else str(field.get("type", "any"))
    )
    about = " ".join(str(field.get("description", "")).split())
    return f"{kind} ({about})" if about else kind


def _turn(response: ModelResponse, tools: Sequence[Offered]) -> str:
    raw = (response.provider_details or {}).get(RAW)
    if isinstance(raw, str):
        return raw
    text = "".join(part.content for part in response.parts if isinstance(part, TextPart))
    if not tools:
        return text
    thought = "".join(part.content for part in response.parts if isinstance(part, ThinkingPart))
    calls = [part for part in response.parts if isinstance(part, ToolCallPart)]
    if not calls:
        return rendered(Decision(thought=thought, answer=text))
    # Several calls at once are another model's turn; each becomes one of ours.
    written_out = {one.name: one.written_out for one in tools}
    return "\n".join(
        rendered(
            Decision(thought=thought or text, tool=call.tool_name, arguments=call.args_as_dict()),
            written_out.get(call.tool_name, ""),
        )
        for call in calls
    )


def _said(request: ModelRequest) -> str:
    """All that a request says, as one message: many templates want the roles to alternate."""
    return "\n\n".join(filter(None, map(_part_text, request.parts)))


def _part_text(part: Any) -> str:
    if isinstance(part, ToolReturnPart):
        return f"Result of {part.tool_name}:\n{part.model_response_str()}"
    if isinstance(part, UserPromptPart):
        return _user_text(part)
    return str(getattr(part, "content", ""))


def _user_text(part: UserPromptPart) -> str:
    if isinstance(part.content, str):
        return part.content
    return "\n".join(
        one if isinstance(one, str) else str(getattr(one, "content", "(not shown: no text)"))
        for one in part.content
    )

"""One request to the model: what it says is passed on as it comes, and returned as a whole."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ThinkingPart,
    ThinkingPartDelta,
    ToolCallPart,
)

from hermes.agent.tool import Tool
from hermes.ids import new_id
from hermes.ports.execution import Listener

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelResponseStreamEvent
    from pydantic_ai.models import Model

_PLAIN_ID = re.compile(r"[A-Za-z0-9_.:-]{1,128}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A tool call as the model sent it. `fault` says why its arguments cannot be used."""

    id: str
    tool: str
    arguments: Mapping[str, Any]
    fault: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Asked:
    """A whole response, and its parts by what is done with them.

    It says nothing of itself: asyncio writes down what a task came to whenever it puts a signal's
    handler back, and this would be the whole conversation.
    """

    response: ModelResponse
    sent: Sequence[ModelMessage]
    text: str
    thoughts: str
    calls: tuple[Call, ...]


async def ask(
    model: Model,
    messages: Sequence[ModelMessage],
    instructions: str,
    tools: Sequence[Tool],
    listener: Listener,
    said: list[str],
) -> Asked:
    """Send everything, pass on what comes, and read the response once it is whole.

    `said` holds the words as they came, for whoever breaks it off before that.
    """
    from pydantic_ai.direct import model_request_stream
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.tools import ToolDefinition

    offered = [
        ToolDefinition(
            name=tool.name,
            description=tool.description,
            parameters_json_schema=dict(tool.parameters),
        )
        for tool in tools
    ]
    parameters = ModelRequestParameters(function_tools=offered, allow_text_output=True)
    async with model_request_stream(
        model, _instructed(messages, instructions), model_request_parameters=parameters
    ) as stream:
        async for event in stream:
            _pass_on(event, listener, said)
        response = stream.get()
    return read(response, messages)


def read(response: ModelResponse, sent: Sequence[ModelMessage]) -> Asked:
    """A response by its parts. Arguments that are no JSON would break the next request too, so
    the conversation keeps them as a text."""
    wanted = [part for part in response.parts if isinstance(part, ToolCallPart)]
    _tell_apart(wanted, sent)
    calls = {part.tool_call_id: _call(part) for part in wanted}
    for part in wanted:
        part.args = dict(calls[part.tool_call_id].arguments)
    return Asked(
        response=response,
        sent=sent,
        text="".join(part.content for part in response.parts if isinstance(part, TextPart)),
        thoughts="\n".join(
            part.content
            for part in response.parts
            if isinstance(part, ThinkingPart) and part.content
        ),
        calls=tuple(calls.values()),
    )


def _tell_apart(calls: Sequence[ToolCallPart], sent: Sequence[ModelMessage]) -> None:
    """Calls are paired with their answers by id, and small servers give the same one twice."""
    taken = {
        part.tool_call_id
        for message in sent
        for part in message.parts
        if isinstance(part, ToolCallPart)
    }
    for call in calls:
        if call.tool_call_id in taken or not _PLAIN_ID.fullmatch(call.tool_call_id):
            call.tool_call_id = new_id("call")
        taken.add(call.tool_call_id)


def _call(part: ToolCallPart) -> Call:
    """What the model sent, and what is wrong with it; never a guess."""
    raw, fault = part.args, ""
    value: Any = raw or {}
    if isinstance(raw, str) and raw:
        try:
            value = json.loads(raw)
        except (ValueError, RecursionError) as error:
            value, fault = {"unreadable": raw}, f"the arguments are not JSON ({error})"
    if not isinstance(value, dict):
        value, fault = {"unreadable": str(raw)}, "the arguments are not a JSON object"
    fault = f"{part.tool_name} was not called: {fault}; send it again" if fault else ""
    return Call(id=part.tool_call_id, tool=part.tool_name, arguments=value, fault=fault)


def _instructed(messages: Sequence[ModelMessage], instructions: str) -> list[ModelMessage]:
    """Instructions travel with the last request; earlier ones had theirs at their time."""
    *earlier, last = messages
    if isinstance(last, ModelRequest):
        last = replace(last, instructions=instructions)
    return [*earlier, last]


def _pass_on(event: ModelResponseStreamEvent, listener: Listener, said: list[str]) -> None:
    if isinstance(event, PartStartEvent):
        if isinstance(event.part, TextPart) and event.part.content:
            said.append(event.part.content)
            listener.text(event.part.content)
        elif isinstance(event.part, ThinkingPart) and event.part.content:
            listener.thought(event.part.content)
    elif isinstance(event, PartDeltaEvent):
        if isinstance(event.delta, TextPartDelta):
            said.append(event.delta.content_delta)
            listener.text(event.delta.content_delta)
        elif isinstance(event.delta, ThinkingPartDelta) and event.delta.content_delta:
            listener.thought(event.delta.content_delta)

"""What was said so far, in the form that every provider takes; sound whatever broke it off.

A provider refuses a history in which a tool call has no answer, so a call that was interrupted
gets one. What no longer fits the model's window is shortened from the oldest tool calls on: the
requests and the agent's own words stay as long as there is room for them, the request that is
being worked on stays always.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    ModelResponsePart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

from hermes.records.trajectory import Step, StepType

CUT = "[this answer was long ago and is no longer shown; call the tool again if you need it]"
CUT_ARGUMENT = "[this was long and is no longer shown]"
LEFT_OUT = "[what was said before this no longer fits and is left out]"
_STOPPED = "[interrupted before it had an answer]"
_NO_OUTPUT = "(no output)"
_KEPT_WHOLE = 6  # messages at the end that are never shortened
_LEAST = 400  # characters below which shortening gains nothing
_A_TOKEN = 4  # characters


class Conversation:
    """The messages of one session, oldest first."""

    def __init__(self, messages: Sequence[ModelMessage] = ()) -> None:
        self._messages = list(messages)

    @property
    def messages(self) -> Sequence[ModelMessage]:
        return self._messages

    def asked(self, text: str) -> None:
        self._messages.append(ModelRequest(parts=[UserPromptPart(content=text)]))

    def said(self, response: ModelResponse) -> None:
        self._messages.append(response)

    def answered(self, answers: Mapping[str, tuple[str, str]]) -> None:
        """Call id → (tool, answer), for the calls of the last response."""
        parts = [
            ToolReturnPart(tool_name=tool, content=text, tool_call_id=call_id)
            for call_id, (tool, text) in answers.items()
        ]
        self._messages.append(ModelRequest(parts=parts))

    def break_off(self, answers: Mapping[str, tuple[str, str]], why: str, said: str = "") -> None:
        """Make it sound after a turn that did not come to its end; `said` is what came of one."""
        _close(self._messages, answers)
        if said.strip():
            self._messages.append(ModelResponse(parts=[TextPart(content=said)]))
        _add_said(self._messages, TextPart(content=f"[{why}]"))

    def fitting(self, tokens: int) -> list[ModelMessage]:
        """The messages in about so many tokens: old tool calls are cut, then the oldest go."""
        messages = list(self._messages)
        over = sum(map(_size, messages)) - tokens * _A_TOKEN
        for at, message in enumerate(messages[:-_KEPT_WHOLE]):
            if over <= 0:
                break
            messages[at] = _shorter(message)
            over -= _size(message) - _size(messages[at])
        return _latest(messages, tokens * _A_TOKEN) if over > 0 else messages


def from_steps(runs: Iterable[Sequence[Step]]) -> Conversation:
    """A session that is taken up again, as far as its record tells it."""
    messages: list[ModelMessage] = []
    for steps in runs:
        _add_run(messages, steps)
    conversation = Conversation(messages)
    if _open_calls(messages):
        conversation.break_off({}, "this run was interrupted")
    return conversation


def _add_run(messages: list[ModelMessage], steps: Sequence[Step]) -> None:
    for step in steps:
        role = step.metadata.get("role")
        if step.type is StepType.MESSAGE and role == "user":
            _close(messages)
            messages.append(ModelRequest(parts=[UserPromptPart(content=step.content)]))
        elif step.type is StepType.MESSAGE and role != "runtime":
            _close(messages)
            messages.append(ModelResponse(parts=[TextPart(content=step.content)]))
        elif step.metadata.get("end"):  # the model did not say this: it is told so, as it was then
            _close(messages)
            _add_said(messages, TextPart(content=f"[{step.content}]"))
        elif step.type is StepType.TOOL_CALL:
            _add_call(messages, step)
        elif step.type is StepType.OBSERVATION and _open_calls(messages):
            _add_answer(messages, step)


def _add_call(messages: list[ModelMessage], step: Step) -> None:
    arguments = step.metadata.get("arguments")
    part = ToolCallPart(
        tool_name=str(step.metadata.get("tool_name", "")),
        args=dict(arguments) if isinstance(arguments, Mapping) else {},
        tool_call_id=str(step.metadata.get("call_id", "")),
    )
    _add_said(messages, part)


def _add_said(messages: list[ModelMessage], part: ModelResponsePart) -> None:
    """Beside what was said just now: one side speaks once before the other does."""
    last = messages[-1] if messages else None
    if isinstance(last, ModelResponse):
        messages[-1] = replace(last, parts=[*last.parts, part])
    else:
        messages.append(ModelResponse(parts=[part]))


def _add_answer(messages: list[ModelMessage], step: Step) -> None:
    part = ToolReturnPart(
        tool_name=str(step.metadata.get("tool_name", "")),
        content=step.content or _NO_OUTPUT,
        tool_call_id=str(step.metadata.get("call_id", "")),
    )
    _add_part(messages, part)


def _add_part(messages: list[ModelMessage], part: ToolReturnPart) -> None:
    """Beside the other answers to the same response: they travel in one message."""
    last = messages[-1]
    if isinstance(last, ModelRequest):
        messages[-1] = replace(last, parts=[*last.parts, part])
    else:
        messages.append(ModelRequest(parts=[part]))


def _close(
    messages: list[ModelMessage], answers: Mapping[str, tuple[str, str]] | None = None
) -> None:
    """Answer what is still open, before somebody says something else."""
    known = answers or {}
    for call in _open_calls(messages):
        _, text = known.get(call.tool_call_id, (call.tool_name, _STOPPED))
        part = ToolReturnPart(
            tool_name=call.tool_name, content=text, tool_call_id=call.tool_call_id
        )
        _add_part(messages, part)


def _open_calls(messages: Sequence[ModelMessage]) -> list[ToolCallPart]:
    """The calls of the last response that have no answer yet."""
    answered: set[str] = set()
    for message in reversed(messages):
        if isinstance(message, ModelResponse):
            calls = [part for part in message.parts if isinstance(part, ToolCallPart)]
            return [call for call in calls if call.tool_call_id not in answered]
        answered |= {
            part.tool_call_id for part in message.parts if isinstance(part, ToolReturnPart)
        }
    return []


def _latest(messages: Sequence[ModelMessage], room: int) -> list[ModelMessage]:
    """As many of the last messages as there is room for; never an answer without its call."""
    asked = max(at for at, message in enumerate(messages) if _is_request(message))
    first, size = len(messages), _size(messages[asked])
    for at in range(len(messages) - 1, -1, -1):
        size += _size(messages[at]) if at != asked else 0
        if size > room and first < len(messages):
            break
        if isinstance(messages[at], ModelResponse) or _is_request(messages[at]):
            first = at
    parts: list[ModelRequestPart] = [UserPromptPart(content=LEFT_OUT)]
    request = messages[asked]
    if asked < first and isinstance(request, ModelRequest):
        parts += request.parts
    head = messages[first]
    if isinstance(head, ModelRequest):
        return [replace(head, parts=[*parts, *head.parts]), *messages[first + 1 :]]
    return [ModelRequest(parts=parts), *messages[first:]]


def _is_request(message: ModelMessage) -> bool:
    """Whether a person said it."""
    return any(isinstance(part, UserPromptPart) for part in message.parts)


def _shorter(message: ModelMessage) -> ModelMessage:
    if isinstance(message, ModelRequest):
        return replace(message, parts=[_cut(part) for part in message.parts])
    return replace(message, parts=[_cut_call(part) for part in message.parts])


def _cut(part: ModelRequestPart) -> ModelRequestPart:
    if isinstance(part, ToolReturnPart) and len(str(part.content)) > _LEAST:
        return ToolReturnPart(tool_name=part.tool_name, content=CUT, tool_call_id=part.tool_call_id)
    return part


def _cut_call(part: ModelResponsePart) -> ModelResponsePart:
    """Which file was written stays; what was written into it is on the disk."""
    if not isinstance(part, ToolCallPart) or not isinstance(part.args, dict):
        return part
    long = {key for key, value in part.args.items() if len(str(value)) > _LEAST}
    args = {key: CUT_ARGUMENT if key in long else value for key, value in part.args.items()}
    return ToolCallPart(tool_name=part.tool_name, args=args, tool_call_id=part.tool_call_id)


def _size(message: ModelMessage) -> int:
    return sum(_length(part) for part in message.parts)


def _length(part: object) -> int:
    args = str(getattr(part, "args", None) or "")
    return len(str(getattr(part, "content", None) or "")) + len(args)

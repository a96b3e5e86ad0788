"""The conversation: sound after anything, short enough for the model, the same after a restart."""

from __future__ import annotations

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
)

from hermes.agent.conversation import (
    CUT,
    CUT_ARGUMENT,
    LEFT_OUT,
    Conversation,
    from_steps,
)
from hermes.records.trajectory import Step, StepType


def _step(number: int, kind: StepType, content: str, **metadata: object) -> Step:
    return Step(
        step_id=number,
        type=kind,
        content=content,
        timestamp=0.0,
        metadata=metadata,
    )


def _call(number: int, call_id: str) -> Step:
    return _step(
        number, StepType.TOOL_CALL, "x", tool_name="shell", call_id=call_id, arguments={"a": 1}
    )


def _answer(number: int, call_id: str, text: str = "done") -> Step:
    return _step(number, StepType.OBSERVATION, text, tool_name="shell", call_id=call_id)


def _said(number: int, role: str, text: str) -> Step:
    return _step(number, StepType.MESSAGE, text, role=role)


def unanswered(messages: list[ModelMessage]) -> set[str]:
    """Calls that are not answered by the very next message."""
    left: set[str] = set()
    for at, message in enumerate(messages):
        if isinstance(message, ModelResponse):
            calls = {one.tool_call_id for one in message.parts if isinstance(one, ToolCallPart)}
            after = messages[at + 1].parts if at + 1 < len(messages) else []
            left |= calls - {one.tool_call_id for one in after if isinstance(one, ToolReturnPart)}
    return left


def test_a_recorded_run_is_a_conversation_again() -> None:
    steps = [
        _said(1, "user", "count"),
        _said(2, "assistant", "Let me see."),
        _call(3, "a"),
        _call(4, "b"),
        _answer(5, "a"),
        _answer(6, "b", "two"),
        _said(7, "assistant", "Two."),
    ]
    messages = list(from_steps([steps]).messages)
    assert [type(one) for one in messages] == [
        ModelRequest,
        ModelResponse,
        ModelRequest,
        ModelResponse,
    ]
    assert len(messages[1].parts) == 3
    assert unanswered(messages) == set()


def test_a_run_that_broke_off_has_answers_all_the_same() -> None:
    broken = [_said(1, "user", "count"), _call(2, "a"), _call(3, "b"), _answer(4, "a")]
    then = [_said(1, "user", "again"), _said(2, "assistant", "Two.")]
    messages = list(from_steps([broken, then]).messages)
    assert unanswered(messages) == set()
    only = list(from_steps([broken]).messages)
    assert unanswered(only) == set()
    assert isinstance(only[-1], ModelResponse)


def test_an_answer_without_its_call_is_left_out() -> None:
    messages = from_steps([[_said(1, "user", "count"), _answer(2, "z"), _call(3, "a")]]).messages
    assert unanswered(list(messages)) == set()
    returned = [
        part.tool_call_id
        for one in messages
        for part in one.parts
        if isinstance(part, ToolReturnPart)
    ]
    assert returned == ["a"]


def test_old_answers_go_first_and_words_stay() -> None:
    talk = Conversation()
    for number in range(20):
        talk.asked(f"request {number}")
        call = ToolCallPart(tool_name="shell", args={}, tool_call_id=f"c{number}")
        talk.said(ModelResponse(parts=[call]))
        talk.answered({f"c{number}": ("shell", f"{number} " * 2_000)})
        talk.said(ModelResponse(parts=[TextPart(content=f"answer {number}")]))
    fitted = talk.fitting(10_000)
    text = str(fitted)
    assert len(fitted) == len(talk.messages)
    assert all(f"request {number}" in text for number in range(20))
    assert CUT in str(fitted[2])
    assert CUT not in str(fitted[-2])
    assert talk.fitting(1_000_000) == list(talk.messages)
    assert unanswered(fitted) == set()


def test_what_was_answered_before_the_break_keeps_its_answer() -> None:
    talk = Conversation()
    talk.asked("x")
    calls = [ToolCallPart(tool_name="t", args={}, tool_call_id=one) for one in ("a", "b")]
    talk.said(ModelResponse(parts=calls))
    talk.break_off({"a": ("t", "forty")}, "interrupted")
    assert unanswered(list(talk.messages)) == set()
    assert "forty" in str(talk.messages[2])


def _long_talk(rounds: int) -> Conversation:
    talk = Conversation()
    for number in range(rounds):
        talk.asked(f"request {number} " + "word " * 200)
        talk.said(ModelResponse(parts=[TextPart(content=f"answer {number} " + "word " * 200)]))
    return talk


def test_where_cutting_is_not_enough_the_oldest_words_go() -> None:
    talk = _long_talk(50)
    talk.asked("and now?")
    fitted = talk.fitting(5_000)
    assert len(str(fitted)) < 40_000
    assert isinstance(fitted[0], ModelRequest)
    assert LEFT_OUT in str(fitted[0])
    assert "and now?" in str(fitted[-1])
    assert "answer 49" in str(fitted[-2])
    assert "request 0 " not in str(fitted)


def test_the_request_stays_however_long_its_run_gets() -> None:
    talk = Conversation()
    talk.asked("build the house")
    for number in range(100):
        call = ToolCallPart(tool_name="t", args={"n": "x" * 300}, tool_call_id=f"c{number}")
        talk.said(ModelResponse(parts=[call]))
        talk.answered({f"c{number}": ("t", "y" * 300)})
    fitted = talk.fitting(2_000)
    assert "build the house" in str(fitted[0])
    assert isinstance(fitted[1], ModelResponse)
    assert len(fitted) < 40
    assert unanswered(fitted) == set()
    assert "c99" in str(fitted[-1])


def test_what_was_written_into_a_file_long_ago_is_cut_and_its_name_stays() -> None:
    talk = Conversation()
    for number in range(10):
        talk.asked("write")
        args = {"path": f"file{number}", "content": "x" * 5_000}
        call = ToolCallPart(tool_name="write_file", args=args, tool_call_id=f"c{number}")
        talk.said(ModelResponse(parts=[call]))
        talk.answered({f"c{number}": ("write_file", "ok")})
    fitted = talk.fitting(8_000)
    assert all(f"file{number}" in str(fitted) for number in range(10))
    assert CUT_ARGUMENT in str(fitted[1])
    assert CUT_ARGUMENT not in str(fitted[-2])


def test_what_the_runtime_said_is_not_the_models_own_word() -> None:
    steps = [
        _said(1, "user", "count"),
        _said(2, "assistant", "Two."),
        _step(3, StepType.MESSAGE, "out.txt was not written", role="runtime", verify={"ok": False}),
        _said(4, "user", "again"),
        _call(5, "a"),
        _answer(6, "a", ""),
        _step(7, StepType.MESSAGE, "stopped after 3 steps", role="runtime", end="stopped"),
    ]
    messages = from_steps([steps]).messages
    assert "was not written" not in str(messages)
    assert str(messages[-1].parts[0].content) == "[stopped after 3 steps]"  # type: ignore[union-attr]
    assert str(messages[-2].parts[0].content) == "(no output)"  # type: ignore[union-attr]

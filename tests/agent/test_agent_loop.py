"""The loop: ask, do, ask again; every end is told as what it is."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from pydantic_ai.messages import ModelRequest, ModelResponse, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import FunctionModel

from hermes.agent.tool import Tool, Toolbox
from hermes.agent.working import Worker
from hermes.app.models import spend_guard
from hermes.errors import Refused
from hermes.ports.execution import Brief
from hermes.records.codec import Json
from hermes.records.tool_answer import ToolAnswer
from hermes.records.turn import Answer, Spent, TurnEnd
from hermes.rules.short_form import form_for
from hermes.settings import load
from hermes.testing.agents import Call, ScriptedAgent, Thinks, Watcher


class Log:
    """What a recorder is told, in its order."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, object]] = []

    def message(self, role: str, text: str, **metadata: Json) -> None:
        self.lines.append((role, text))

    def thought(self, text: str) -> None:
        self.lines.append(("thought", text))

    def called(
        self, call_id: str, tool: str, arguments: Mapping[str, Json], artefacts: object = ()
    ) -> None:
        self.lines.append(("call", (tool, dict(arguments))))

    def answered(self, call_id: str, tool: str, answer: ToolAnswer) -> None:
        self.lines.append(("answer", answer.text))

    def spent(self, spent: Spent) -> None:
        self.lines.append(("spent", spent.requests))


def _tool(name: str, run: object) -> Tool:
    return Tool(name=name, description=name, parameters={"type": "object"}, run=run)  # type: ignore[arg-type]


def _echo(arguments: Mapping[str, Json]) -> ToolAnswer:
    return ToolAnswer(text=f"echo {arguments}")


def _work(
    agent: ScriptedAgent, *tools: Tool, steps: int = 10, tokens: int | None = None
) -> tuple[Answer, Log, Watcher, Worker]:
    settings = load({"HERMES_HOME": "/nowhere", "HOME": "/nowhere"})
    worker = Worker(
        agent.model,
        lambda: Toolbox.of(tools or [_tool("echo", _echo)]),
        lambda: spend_guard(settings, max_steps=steps, max_tokens=tokens),
    )
    log, watcher = Log(), Watcher()
    try:
        answer = worker.work(Brief(prompt="do it", instructions=lambda: "be brief"), log, watcher)
    finally:
        worker.close()
    return answer, log, watcher, worker


def test_a_call_is_done_and_its_answer_is_sent_back() -> None:
    agent = ScriptedAgent(["Let me see. ", Call("echo", {"a": 1})], "It is 1.")
    answer, log, watcher, _ = _work(agent)
    agent.check_used()
    assert (answer.end, answer.text, answer.iterations) == (TurnEnd.ANSWERED, "It is 1.", 1)
    assert answer.spent.requests == 2
    assert watcher.words == "Let me see. It is 1."
    assert agent.instructions == ["be brief", "be brief"]
    last = agent.asked[1][-1]
    assert isinstance(last, ModelRequest)
    (returned,) = [part for part in last.parts if isinstance(part, ToolReturnPart)]
    assert returned.content == "echo {'a': 1}"
    assert [kind for kind, _ in log.lines] == [
        "spent",
        "assistant",
        "call",
        "answer",
        "spent",
        "assistant",
    ]


def test_a_call_is_written_down_before_its_tool_runs() -> None:
    seen: list[str] = []

    def look(_: Mapping[str, Json]) -> ToolAnswer:
        seen.extend(kind for kind, _ in log.lines)
        return ToolAnswer(text="done")

    log = Log()
    settings = load({"HERMES_HOME": "/nowhere", "HOME": "/nowhere"})
    agent = ScriptedAgent(Call("look"), "done")
    worker = Worker(
        agent.model, lambda: Toolbox.of([_tool("look", look)]), lambda: spend_guard(settings)
    )
    worker.work(Brief(prompt="x", instructions=lambda: ""), log, Watcher())
    worker.close()
    assert seen == ["spent", "call"]


def test_thoughts_are_recorded_and_shown_apart() -> None:
    agent = ScriptedAgent([Thinks("hm"), "yes"])
    answer, log, watcher, _ = _work(agent)
    assert answer.text == "yes"
    assert watcher.thoughts == "hm"
    assert ("thought", "hm") in log.lines


@pytest.mark.parametrize(
    ("arguments", "told"),
    [('{"a": 1, ', "not JSON"), ("[1, 2]", "not a JSON object"), ('"x"', "not a JSON object")],
)
def test_arguments_that_cannot_be_read_are_an_answer(arguments: str, told: str) -> None:
    agent = ScriptedAgent(Call("echo", arguments), "sorry")
    answer, log, _, worker = _work(agent)
    assert answer.end is TurnEnd.ANSWERED
    assert told in dict(log.lines)["answer"]  # type: ignore[operator]
    sent = [
        part
        for message in worker.conversation.messages
        if isinstance(message, ModelResponse)
        for part in message.parts
        if isinstance(part, ToolCallPart)
    ]
    assert all(isinstance(part.args, dict) for part in sent)


def test_an_unknown_tool_is_an_answer_however_often() -> None:
    agent = ScriptedAgent(*(Call(f"nothing{n}") for n in range(6)), "I give up")
    answer, _, watcher, _ = _work(agent)
    assert answer.end is TurnEnd.ANSWERED
    assert [one.failed for _, one in watcher.answers] == [True] * 6
    assert "There are: echo." in watcher.answers[0][1].text


def test_a_tool_that_breaks_has_failed_and_the_run_goes_on() -> None:
    def broken(_: Mapping[str, Json]) -> ToolAnswer:
        raise ZeroDivisionError("by zero")

    def refuses(_: Mapping[str, Json]) -> ToolAnswer:
        raise Refused("not that", hint="this instead")

    agent = ScriptedAgent([Call("broken"), Call("refuses")], "ok")
    answer, _, watcher, _ = _work(agent, _tool("broken", broken), _tool("refuses", refuses))
    assert answer.end is TurnEnd.ANSWERED
    assert watcher.answers[0][1].text == "broken broke: ZeroDivisionError: by zero"
    assert watcher.answers[1][1].text == "not that (this instead)"


def test_a_huge_answer_is_shown_without_its_middle() -> None:
    agent = ScriptedAgent(Call("big"), "ok")
    _work(agent, _tool("big", lambda _: ToolAnswer(text="x" * 5_000_000)))
    last = agent.asked[1][-1].parts[0]
    assert isinstance(last, ToolReturnPart)
    assert len(str(last.content)) < form_for(None).answer_chars + 100
    assert "left out" in str(last.content)


def test_the_limit_of_steps_stops_with_the_setting_to_raise() -> None:
    agent = ScriptedAgent(*(Call("echo", {"n": n}) for n in range(3)))
    answer, _, _, worker = _work(agent, steps=3)
    assert answer.end is TurnEnd.STOPPED
    assert "limits.max_steps" in answer.reason
    agent.check_used()
    assert _is_sound(worker)


def test_the_limit_of_tokens_stops() -> None:
    agent = ScriptedAgent(Call("echo"))
    answer, _, _, _ = _work(agent, tokens=10)
    assert (answer.end, "limits.max_tokens" in answer.reason) == (TurnEnd.STOPPED, True)


def test_the_same_call_with_the_same_outcome_is_stopped() -> None:
    agent = ScriptedAgent(*(Call("echo", {"a": 1}) for _ in range(5)))
    answer, _, _, worker = _work(agent, steps=50)
    assert answer.end is TurnEnd.STOPPED
    assert "5 times with the same outcome" in answer.reason
    told = [str(messages[-1].parts[0]) for messages in agent.asked[1:]]
    assert ["Do something else" in one for one in told] == [False, True, True, True]
    assert _is_sound(worker)


def test_an_empty_answer_is_asked_about_once() -> None:
    agent = ScriptedAgent("  ", "Here you are.")
    assert _work(agent)[0].text == "Here you are."
    agent = ScriptedAgent("", "")
    answer = _work(agent)[0]
    assert (answer.end, answer.reason.startswith("the model answered nothing")) == (
        TurnEnd.FAILED,
        True,
    )


def test_an_interrupted_tool_leaves_a_sound_conversation() -> None:
    def interrupted(_: Mapping[str, Json]) -> ToolAnswer:
        raise KeyboardInterrupt

    agent = ScriptedAgent([Call("echo"), Call("stop"), Call("echo")])
    answer, log, _, worker = _work(agent, _tool("echo", _echo), _tool("stop", interrupted))
    assert answer.end is TurnEnd.INTERRUPTED
    assert _is_sound(worker)
    assert [kind for kind, _ in log.lines][-1] == "call"


def test_an_error_of_the_models_side_is_the_end_of_the_turn() -> None:
    agent = ScriptedAgent(Refused("the provider said no"))
    answer, _, _, worker = _work(agent)
    assert (answer.end, answer.reason) == (TurnEnd.FAILED, "the provider said no")
    assert _is_sound(worker)


@pytest.mark.parametrize(
    ("broken", "end"),
    [(KeyboardInterrupt(), TurnEnd.INTERRUPTED), (Refused("it broke off"), TurnEnd.FAILED)],
)
def test_words_before_a_break_are_kept_once(broken: BaseException, end: TurnEnd) -> None:
    agent = ScriptedAgent(["First ", Call("echo")], ["And ", "then", broken])
    answer, log, watcher, worker = _work(agent, _tool("echo", _echo))
    assert answer.end is end
    assert watcher.words == "First And then"
    assert [line for line in log.lines if line[0] == "assistant"] == [
        ("assistant", "First "),
        ("assistant", "And then"),
    ]
    last = worker.conversation.messages[-1]
    assert [getattr(part, "content", "") for part in last.parts] == [
        "And then",
        f"[{answer.reason}]",
    ]
    assert _is_sound(worker)


def test_an_error_of_our_own_leaves_a_sound_conversation_too() -> None:
    class Breaking(Watcher):
        def called(self, tool: str, answer: ToolAnswer) -> None:
            raise ZeroDivisionError

    settings = load({"HERMES_HOME": "/nowhere", "HOME": "/nowhere"})
    agent = ScriptedAgent([Call("echo"), Call("echo")])
    box = Toolbox.of([_tool("echo", _echo)])
    worker = Worker(agent.model, lambda: box, lambda: spend_guard(settings))
    with pytest.raises(ZeroDivisionError):
        worker.work(Brief(prompt="x", instructions=lambda: ""), Log(), Breaking())
    worker.close()
    assert _is_sound(worker)


def test_a_small_window_is_not_filled_by_one_answer() -> None:
    class Small(FunctionModel):
        @property
        def context_window(self) -> int:
            return 4_000

    agent = ScriptedAgent(Call("big"), "ok")
    settings = load({"HERMES_HOME": "/nowhere", "HOME": "/nowhere"})
    box = Toolbox.of([_tool("big", lambda _: ToolAnswer(text="x" * 20_000))])
    model = Small(stream_function=agent.model.stream_function)  # type: ignore[attr-defined]
    worker = Worker(model, lambda: box, lambda: spend_guard(settings))
    worker.work(Brief(prompt="x", instructions=lambda: ""), Log(), Watcher())
    worker.close()
    assert len(str(agent.asked[1][-1].parts[0])) < 5_000


def _is_sound(worker: Worker) -> bool:
    """Every call has its answer, right behind it."""
    messages = worker.conversation.messages
    for at, message in enumerate(messages):
        if not isinstance(message, ModelResponse):
            continue
        calls = {part.tool_call_id for part in message.parts if isinstance(part, ToolCallPart)}
        if not calls:
            continue
        following = messages[at + 1].parts if at + 1 < len(messages) else []
        answered = {part.tool_call_id for part in following if isinstance(part, ToolReturnPart)}
        if calls != answered:
            return False
    return True


def test_a_project_path_is_only_a_path(tmp_path: Path) -> None:
    """The watcher's lines are one line each, whatever the call."""
    agent = ScriptedAgent(Call("echo", {"path": "a\nb", "command": "x\ny"}), "ok")
    _, _, watcher, _ = _work(agent)
    assert watcher.lines == ["echo: a"]

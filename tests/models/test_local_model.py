"""A model file as a pydantic-ai model, on an engine that generates by script."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, Field
from pydantic_ai import Agent
from pydantic_ai.messages import ThinkingPart

from hermes.errors import (
    ContextTooLong,
    CorruptData,
    DiskFailed,
    HermesError,
    InvalidAnswer,
    ModelFailed,
)
from hermes.models.completing import CompletingModel
from hermes.models.local.engine import LlamaEngine, shared_engine
from hermes.models.local.model import LocalModel
from hermes.testing.scripted_engine import ScriptedEngine


def call(tool: str, **arguments: object) -> str:
    return json.dumps({"thought": f"now {tool}", "tool": tool, "arguments": arguments})


def answer(text: str) -> str:
    return json.dumps({"thought": "all is done", "answer": text})


def agent_on(engine: ScriptedEngine) -> Agent[None, str]:
    agent = Agent(LocalModel("small", engine), instructions="Be exact.")

    @agent.tool_plain
    def add(a: int, b: int) -> int:
        """Adds two numbers."""
        return a + b

    return agent


def form_of(request: Mapping[str, Any]) -> Any:
    """The schema that the engine was told to keep to."""
    return json.loads(request["grammar"].partition("%json ")[2])


def test_decisions_become_calls_and_an_answer() -> None:
    engine = ScriptedEngine([call("add", a=1, b=2), answer("It is 3.")])
    result = agent_on(engine).run_sync("1 + 2?")
    assert result.output == "It is 3."
    thoughts = [
        part.content
        for message in result.all_messages()
        for part in message.parts
        if isinstance(part, ThinkingPart)
    ]
    assert thoughts == ["now add", "all is done"]
    assert result.usage.tool_calls == 1
    assert result.usage.output_tokens > 0
    assert 0 < result.usage.cache_read_tokens < result.usage.input_tokens
    engine.check_used()


def test_each_prompt_begins_with_the_one_before() -> None:
    """Else nothing of it could be kept, and every turn would read everything again."""
    odd = '{"thought":"three  left" ,"tool":"add","arguments":{"b":4,"a":3}}'
    turns = [call("add", a=1, b=2), odd, answer("It is 10.")]
    engine = ScriptedEngine(turns)
    agent_on(engine).run_sync("1 + 2 + 3 + 4?")
    for turn, (before, after) in enumerate(zip(engine.asked, engine.asked[1:], strict=False)):
        messages = before["messages"]
        assert after["messages"][: len(messages)] == messages
        assert after["messages"][len(messages)] == {"role": "assistant", "content": turns[turn]}
    system = engine.asked[0]["messages"][0]["content"]
    assert "- add(a: integer, b: integer): Adds two numbers." in system
    assert system.endswith("Be exact.")


def test_what_may_be_generated_are_the_tools_that_were_offered() -> None:
    engine = ScriptedEngine([answer("no")])
    agent_on(engine).run_sync("hi")
    choices = form_of(engine.asked[0])["anyOf"]
    assert choices[0]["properties"]["tool"] == {"const": "add"}
    assert choices[0]["properties"]["arguments"]["required"] == ["a", "b"]


def test_a_whole_text_is_written_below_the_call() -> None:
    """As it is: no escape of the program is one of JSON."""
    program = 'print("a\\tb")\nprint(\'"\')\n'
    first = '{"thought": "I run it.", "tool": "run"}\n<code>\n' + program + "</code>"
    engine = ScriptedEngine([first, answer("It ran.")])
    agent = Agent(LocalModel("small", engine))
    ran: list[str] = []

    @agent.tool_plain
    def run(
        code: Annotated[str, Field(json_schema_extra={"contentMediaType": "text/plain"})],
    ) -> str:
        """Runs a program."""
        ran.append(code)
        return "done"

    assert agent.run_sync("run it").output == "It ran."
    assert ran == [program]
    system, _, turn, _ = engine.asked[1]["messages"]
    assert turn == {"role": "assistant", "content": first}
    assert "- run(code: text): Runs a program." in system["content"]
    assert "<ARGUMENT>" in system["content"]


def test_an_answer_is_shown_while_it_is_generated() -> None:
    engine = ScriptedEngine([answer('It is "three", über all.')])
    pieces: list[str] = []

    async def listen() -> None:
        async with agent_on(engine).run_stream("?") as run:
            async for piece in run.stream_text(delta=True, debounce_by=None):
                pieces.append(piece)

    asyncio.run(listen())
    assert "".join(pieces) == 'It is "three", über all.'
    assert len(pieces) > 3


def test_without_tools_it_writes_freely() -> None:
    engine = ScriptedEngine(["Just words."])
    assert Agent(LocalModel("small", engine)).run_sync("hi").output == "Just words."
    assert "grammar" not in engine.asked[0]
    assert engine.asked[0]["messages"] == [{"role": "user", "content": "hi"}]


class Sum(BaseModel):
    total: int


def test_an_answer_of_a_given_form() -> None:
    engine = ScriptedEngine(['{"total": 3}'])
    result = Agent(LocalModel("small", engine), output_type=Sum).run_sync("1 + 2?")
    assert result.output == Sum(total=3)
    assert form_of(engine.asked[0])["properties"]["total"]["type"] == "integer"


def test_it_answers_the_stages_too() -> None:
    engine = ScriptedEngine(['{"total": 3}'])
    model = CompletingModel("local:small", lambda: LocalModel("small", engine))
    schema = {"type": "object", "properties": {"total": {"type": "integer"}}}
    done = model.complete(instructions="Add.", question="1 + 2?", schema=schema, max_tokens=50)
    model.close()
    assert json.loads(done.text) == {"total": 3}
    assert done.cost_usd == 0.0
    assert engine.asked[0]["max_tokens"] == 50


@pytest.mark.parametrize(
    ("generated", "kind", "said"),
    [
        ('{"thought": "and', InvalidAnswer, "decided nothing"),
        ('{"thought": "' + "on and on " * 200, InvalidAnswer, "did not come to an end"),
        (
            {"type": "exceed_context_size_error", "n_prompt_tokens": 9000, "n_ctx": 4096},
            ContextTooLong,
            "9000 tokens, and local:small reads 4096",
        ),
        ({"type": "server_error", "message": "out of luck"}, ModelFailed, "out of luck"),
    ],
)
def test_what_is_no_turn_is_told(
    generated: str | Mapping[str, Any], kind: type[HermesError], said: str
) -> None:
    with pytest.raises(kind, match=said):
        agent_on(ScriptedEngine([generated])).run_sync("hi", model_settings={"max_tokens": 100})


def test_an_engine_that_raises_is_heard() -> None:
    class Broken(ScriptedEngine):
        def chat(self, request: Mapping[str, Any], on_piece: Any) -> None:
            raise CorruptData("cannot be run", where="file.gguf")

    with pytest.raises(CorruptData, match=r"file\.gguf"):
        agent_on(Broken([])).run_sync("hi")


def test_a_question_that_nobody_waits_for_is_not_answered_to_its_end() -> None:
    engine = ScriptedEngine(['{"thought": "for ever'], endless=True)

    async def give_up() -> bool:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await agent_on(engine).run("hi")
        return await asyncio.to_thread(engine.stopped.wait, 10)

    assert asyncio.run(give_up())


def test_one_engine_for_one_file(tmp_path: Path) -> None:
    one = shared_engine(tmp_path / "a.gguf", context_tokens=1024)
    assert shared_engine(tmp_path / "a.gguf", context_tokens=1024) is one
    assert shared_engine(tmp_path / "b.gguf", context_tokens=1024) is not one


def test_a_file_that_is_no_model(tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp")
    file = tmp_path / "broken.gguf"
    with pytest.raises(DiskFailed, match="cannot be read"):
        LlamaEngine(file, context_tokens=512).chat({"messages": []}, lambda _: False)
    file.write_bytes(b"GGUF" + b"x" * 1000)
    with pytest.raises(CorruptData, match="cannot be run as a model"):
        LlamaEngine(file, context_tokens=512).chat({"messages": []}, lambda _: False)

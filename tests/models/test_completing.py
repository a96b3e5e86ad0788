"""One question, one answer: what the stages use, over real HTTP."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hermes.errors import ConfigError, InvalidAnswer, WrongKey
from hermes.models.access import ModelAccess
from hermes.models.completing import CompletingModel
from hermes.models.factory import build
from hermes.testing.model_servers import (
    Calls,
    Fails,
    Says,
    ScriptedServer,
    Usage,
    anthropic_server,
    openai_server,
)

SCHEMA = {
    "type": "object",
    "properties": {"succeeded": {"type": "boolean"}},
    "required": ["succeeded"],
    "additionalProperties": False,
}


@pytest.fixture
def opened() -> Iterator[list[CompletingModel]]:
    models: list[CompletingModel] = []
    yield models
    for model in models:
        model.close()


def asking(server: ScriptedServer, opened: list[CompletingModel], text: str) -> CompletingModel:
    access = ModelAccess(models_dir=Path("/nowhere"), answer_timeout_s=5)
    model = CompletingModel(text, lambda: build(f"{text}@{server.url}", access))
    opened.append(model)
    return model


def test_an_answer_with_its_cost(opened: list[CompletingModel]) -> None:
    with openai_server(Says(" It is 7. ", Usage(input=100, output=4, cached=90))) as server:
        done = asking(server, opened, "openai:m").complete(instructions="Be brief.", question="?")
    assert (done.text, done.model) == ("It is 7.", "openai:m")
    assert (done.input_tokens, done.cached_tokens, done.output_tokens) == (100, 90, 4)
    assert done.cost_usd is None  # nobody knows the price of a server of one's own
    (asked,) = server.asked
    assert [one["role"] for one in asked["messages"]] == ["system", "user"]


def test_a_schema_is_the_form_of_the_answer(opened: list[CompletingModel]) -> None:
    with openai_server(Says('{"succeeded": true}')) as server:
        done = asking(server, opened, "openai:m").complete(
            instructions="Judge.", question="?", schema=SCHEMA, max_tokens=300
        )
    assert json.loads(done.text) == {"succeeded": True}
    sent = server.asked[0]["response_format"]["json_schema"]["schema"]
    assert sent["properties"] == SCHEMA["properties"]
    assert 300 in (server.asked[0].get("max_completion_tokens"), server.asked[0].get("max_tokens"))


def test_a_schema_is_a_tool_where_answers_have_no_form(opened: list[CompletingModel]) -> None:
    """An old model of Anthropic's knows no form of answers, but calls tools."""
    with anthropic_server(Calls("answer", {"succeeded": False})) as server:
        model = asking(server, opened, "anthropic:claude-3-haiku-20240307")
        done = model.complete(instructions="Judge.", question="?", schema=SCHEMA)
    assert json.loads(done.text) == {"succeeded": False}
    assert server.asked[0]["tools"][0]["name"] == "answer"


def test_an_empty_answer_is_none(opened: list[CompletingModel]) -> None:
    with openai_server(Says("")) as server:
        model = asking(server, opened, "openai:m")
        with pytest.raises(InvalidAnswer):
            model.complete(instructions="", question="?")


def test_failures_are_ours(opened: list[CompletingModel]) -> None:
    with openai_server(Fails(401)) as server:
        model = asking(server, opened, "openai:m")
        with pytest.raises(WrongKey):
            model.complete(instructions="", question="?")


def test_what_is_missing_is_said_by_the_first_question(tmp_path: Path) -> None:
    access = ModelAccess(models_dir=tmp_path)
    model = CompletingModel("openai:gpt-5", lambda: build("openai:gpt-5", access))
    with pytest.raises(ConfigError, match="OPENAI_API_KEY"):
        model.complete(instructions="", question="?")


def test_it_may_be_asked_by_many_threads_and_inside_a_loop(opened: list[CompletingModel]) -> None:
    with openai_server(*[Says("yes")] * 9) as server:
        model = asking(server, opened, "openai:m")

        def ask(_: int) -> str:
            return model.complete(instructions="", question="?").text

        with ThreadPoolExecutor(4) as pool:
            assert set(pool.map(ask, range(8))) == {"yes"}

        async def inside() -> str:
            return ask(0)

        assert asyncio.run(inside()) == "yes"

"""Both wire formats over real HTTP, on good days and on bad ones."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from pydantic_ai import Agent

from hermes.errors import (
    ContextTooLong,
    InvalidAnswer,
    ModelFailed,
    ModelOverloaded,
    ModelRefused,
    ModelTimedOut,
    ModelUnreachable,
    QuotaSpent,
    RateLimited,
    UnknownModel,
    WrongKey,
)
from hermes.models.access import ModelAccess
from hermes.models.factory import build
from hermes.models.resilient import ResilientModel
from hermes.testing.model_servers import (
    BreaksOff,
    Calls,
    Fails,
    Garbage,
    Hangs,
    Reply,
    Says,
    Usage,
    openai_server,
)

from .conftest import Provider


def adding_agent(model: ResilientModel) -> Agent[None, str]:
    agent = Agent(model, instructions="Add with the tool.")

    @agent.tool_plain
    def add(a: int, b: int) -> int:
        """Adds two numbers."""
        return a + b

    return agent


async def streamed(agent: Agent[None, str], pieces: list[str]) -> None:
    async with agent.run_stream("1 + 2?") as run:
        async for piece in run.stream_text(delta=True, debounce_by=None):
            pieces.append(piece)


def test_a_call_and_an_answer(provider: Provider) -> None:
    with provider.server(Calls("add", {"a": 1, "b": 2}), Says("It is 3.")) as server:
        result = adding_agent(provider.model(server)).run_sync("1 + 2?")
    assert result.output == "It is 3."
    assert (result.usage.requests, result.usage.input_tokens) == (2, 40)
    assert server.keys == ["sk-test"] * 2
    assert "Add with the tool." in str(server.asked[0])


def test_an_answer_arrives_piece_by_piece(provider: Provider) -> None:
    pieces: list[str] = []
    with provider.server(Calls("add", {"a": 1, "b": 2}), Says("It is three")) as server:
        asyncio.run(streamed(adding_agent(provider.model(server)), pieces))
    assert pieces == ["It ", "is ", "three "]


def test_arguments_that_are_no_json_go_back_to_the_model(provider: Provider) -> None:
    pieces: list[str] = []
    with provider.server(Calls("add", '{"a": 1, "b"'), Says("sorry")) as server:
        asyncio.run(streamed(adding_agent(provider.model(server)), pieces))
    assert pieces == ["sorry "]
    assert len(server.asked[1]["messages"]) > len(server.asked[0]["messages"])


REFUSALS: list[tuple[Fails, type[ModelFailed]]] = [
    (Fails(401, "bad key sk-test", "authentication_error"), WrongKey),
    (Fails(403, "not yours", "permission_error"), WrongKey),
    (Fails(404, "no such model", "not_found_error"), UnknownModel),
    (Fails(400, "that is nonsense", "invalid_request_error"), ModelRefused),
    (Fails(402, "pay first", "billing_error"), QuotaSpent),
]


@pytest.mark.parametrize("is_streamed", [False, True])
@pytest.mark.parametrize(("reply", "kind"), REFUSALS, ids=lambda one: getattr(one, "kind", ""))
def test_a_refusal_is_told_at_once(
    provider: Provider, reply: Fails, kind: type[ModelFailed], is_streamed: bool
) -> None:
    error = failure_of(provider, [reply], is_streamed)
    assert type(error) is kind
    assert "\n" not in str(error)
    assert "sk-test" not in str(error)
    assert provider.waited == []


TROUBLES: list[tuple[list[Reply], type[ModelFailed]]] = [
    ([Fails(429)] * 6, RateLimited),
    ([Fails(500), Fails(502), Fails(503), Fails(529), Fails(500)], ModelOverloaded),
    ([Garbage()] * 2, InvalidAnswer),
    ([Hangs()] * 2, ModelTimedOut),
]


@pytest.mark.parametrize("is_streamed", [False, True])
@pytest.mark.parametrize(("replies", "kind"), TROUBLES, ids=["429", "5xx", "garbage", "hangs"])
def test_trouble_is_waited_for_and_then_told(
    provider: Provider, replies: list[Reply], kind: type[ModelFailed], is_streamed: bool
) -> None:
    error = failure_of(provider, replies, is_streamed)
    assert type(error) is kind
    assert len(provider.waited) == len(provider.notes) == len(replies) - 1


@pytest.mark.parametrize("is_streamed", [False, True])
def test_trouble_that_passes_is_not_told_as_a_failure(
    provider: Provider, is_streamed: bool
) -> None:
    replies = [Fails(429, headers={"Retry-After": "7"}), Fails(503), Says("well again")]
    pieces: list[str] = []
    with provider.server(*replies) as server:
        agent = adding_agent(provider.model(server))
        if is_streamed:
            asyncio.run(streamed(agent, pieces))
        else:
            pieces.append(agent.run_sync("1 + 2?").output)
    assert "".join(pieces).strip() == "well again"
    assert 7 <= provider.waited[0] < 9
    assert "asks to wait 7 s" in provider.notes[0]


@pytest.mark.parametrize("reply", [Hangs("half an"), BreaksOff("half an")], ids=["hangs", "breaks"])
def test_what_was_shown_is_never_begun_again(provider: Provider, reply: Reply) -> None:
    pieces: list[str] = []
    with provider.server(reply) as server, pytest.raises(ModelFailed) as caught:
        asyncio.run(streamed(adding_agent(provider.model(server)), pieces))
    assert isinstance(caught.value, ModelTimedOut | ModelUnreachable | InvalidAnswer)
    assert pieces == ["half ", "an "]
    assert provider.waited == []


def test_an_error_inside_a_stream(provider: Provider) -> None:
    """Overloaded in the middle: asked again as long as nothing was shown, told afterwards."""
    early = Fails(529, "Overloaded", "overloaded_error", in_stream="")
    late = Fails(529, "Overloaded", "overloaded_error", in_stream="half an")
    pieces: list[str] = []
    with provider.server(early, Says("well again")) as server:
        asyncio.run(streamed(adding_agent(provider.model(server)), pieces))
    assert pieces == ["well ", "again "]
    assert len(provider.waited) == 1
    pieces.clear()
    with provider.server(late) as server:
        agent = adding_agent(provider.model(server))
        with pytest.raises(ModelFailed, match="Overloaded"):
            asyncio.run(streamed(agent, pieces))
    assert pieces == ["half ", "an "]
    assert len(provider.waited) == 1


def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    with openai_server() as server:
        gone = server.url
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    text = f"openai:m@{gone}"
    built = build(text, ModelAccess(models_dir=tmp_path))
    assert isinstance(built, ResilientModel)
    model = ResilientModel(built.wrapped, built._name, sleep=sleep)
    with pytest.raises(ModelUnreachable, match="is the server running"):
        Agent(model).run_sync("hi")
    assert len(waited) == 3


@pytest.mark.parametrize(
    "reply",
    [
        Fails(400, "maximum context length is 10 tokens", "context_length_exceeded"),
        Fails(400, "request exceeds the available context size", "exceed_context_size_error"),
    ],
    ids=["openai", "llama.cpp"],
)
def test_a_conversation_that_is_too_long(tmp_path: Path, reply: Fails) -> None:
    with openai_server(reply) as server:
        model = build(f"openai:m@{server.url}", ModelAccess(models_dir=tmp_path))
        with pytest.raises(ContextTooLong, match="too long for openai:m"):
            Agent(model).run_sync("hi")


def test_a_key_is_not_sent_over_an_open_line(tmp_path: Path) -> None:
    from hermes.models.factory import _remote
    from hermes.models.names import parse

    access = ModelAccess(models_dir=tmp_path, keys={"openai": "sk-test"})
    far = _remote(parse("openai:m@http://198.51.100.7/v1"), access)
    near = _remote(parse("openai:m@http://127.0.0.1:1/v1"), access)
    assert far.provider is not None
    assert near.provider is not None
    assert (far.provider.client.api_key, near.provider.client.api_key) == ("none", "sk-test")


def test_a_provider_that_has_to_be_asked_is_asked_to_keep_the_prompt(provider: Provider) -> None:
    with provider.server(Says("yes")) as server:
        adding_agent(provider.model(server)).run_sync("hi")
    assert ("cache_control" in str(server.asked[0])) == (provider.name == "anthropic")


def test_usage_of_a_cached_prompt_is_counted_as_a_part(provider: Provider) -> None:
    reply = Says("short", Usage(input=1000, output=5, cached=900))
    with provider.server(reply) as server:
        result = Agent(provider.model(server)).run_sync("hi")
    assert (result.usage.input_tokens, result.usage.cache_read_tokens) == (1000, 900)


def failure_of(provider: Provider, replies: list[Reply], is_streamed: bool) -> ModelFailed:
    with provider.server(*replies) as server:
        agent = adding_agent(provider.model(server))
        with pytest.raises(ModelFailed) as caught:
            asyncio.run(streamed(agent, []) if is_streamed else whole(agent))
    return caught.value


async def whole(agent: Agent[None, str]) -> None:
    await agent.run("1 + 2?")

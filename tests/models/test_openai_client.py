"""Messages and tools arrive as they were given, also by a client that was copied."""

from __future__ import annotations

import asyncio

from openai.resources.chat.completions import AsyncCompletions

from hermes.models.openai_client import PlainClient
from hermes.testing.model_servers import Says, openai_server


def test_messages_and_tools_arrive_as_they_were_given() -> None:
    messages = [{"role": "user", "content": "hello", "of_our_own": {"a": [1]}}]
    tools = [{"type": "function", "function": {"name": "t", "parameters": {"type": "object"}}}]
    with openai_server(Says("hi")) as server:
        client = PlainClient(base_url=server.url, api_key="k").with_options(max_retries=0)
        said = asyncio.run(
            client.chat.completions.create(model="m", messages=messages, tools=tools)  # type: ignore[arg-type]
        )
    assert said.choices[0].message.content == "hi"
    assert server.asked[0]["messages"] == messages
    assert server.asked[0]["tools"] == tools
    assert type(client.chat.completions) is not AsyncCompletions  # pydantic-ai copies the client


def test_a_request_without_tools_has_none() -> None:
    with openai_server(Says("hi")) as server:
        client = PlainClient(base_url=server.url, api_key="k")
        asyncio.run(client.chat.completions.create(model="m", messages=[], max_tokens=3))
    assert "tools" not in server.asked[0]
    assert server.asked[0]["max_tokens"] == 3

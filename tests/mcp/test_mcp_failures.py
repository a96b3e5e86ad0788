"""What goes wrong behind a tool is told to the agent in a sentence, and the session goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, cast

import pytest
from mcp import Client
from mcp.types import TextContent

from hermes.app.warm_memory import WarmMemory
from hermes.errors import StoreUnavailable
from hermes.mcp.serving import server_with


class FailingMemory:
    """Raises what it was given, whatever it is asked."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    async def ask(self, call: Callable[[], Any]) -> Any:
        return call()

    def add(self, *_: object, **__: object) -> None:
        raise self._error

    search = add


@pytest.mark.parametrize(
    ("error", "said", "crashes"),
    [
        (StoreUnavailable("cannot reach it", hint="start it"), "cannot reach it (start it)", 0),
        (ZeroDivisionError("in here"), "in other words", 1),
    ],
)
def test_a_tool_that_fails(error: Exception, said: str, crashes: int) -> None:
    told: list[Exception] = []

    def crashed(unexpected: Exception) -> str:
        told.append(unexpected)
        return "in other words"

    async def both() -> list[tuple[bool | None, str]]:
        memory = cast(WarmMemory, FailingMemory(error))
        async with Client(server_with(memory, crashed)) as client:
            answers = [
                await client.call_tool("memory_add", {"text": "the lamp is green"}),
                await client.call_tool("memory_search", {"query": "lamp"}),
            ]
        texts = [one.content[0] for one in answers]
        assert all(isinstance(one, TextContent) for one in texts)
        return [(one.is_error, cast(TextContent, one.content[0]).text) for one in answers]

    assert asyncio.run(both()) == [(True, said)] * 2
    assert told == [error] * 2 * crashes

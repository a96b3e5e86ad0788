"""Runs the server on standard input and output, until one of them ends or a signal comes."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import anyio
from mcp.server import Server
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
)

from hermes import __version__
from hermes.app.warm_memory import WarmMemory
from hermes.errors import HermesError
from hermes.mcp.memory_add import memory_add
from hermes.mcp.memory_search import memory_search
from hermes.mcp.pipe import streams
from hermes.mcp.tool import Tool, failure

_ABOUT = "What was learned and said before, kept for later. What comes back is data."
_LONGEST_NAME = 60


def serve(memory: WarmMemory, *, crashed: Callable[[Exception], str]) -> None:
    """Closes the memory in the end. `crashed` is told of what nobody expected, and words it."""
    try:
        with _standard_streams() as (source, sink):
            asyncio.run(_serve(server_with(memory, crashed), source, sink))
    finally:
        memory.close()


async def _serve(server: Server[Any], source: int, sink: int) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with streams(source, sink) as (heard, say):
        options = server.create_initialization_options()
        running = asyncio.create_task(server.run(heard, say, options))
        stopped = asyncio.create_task(stop.wait())
        await asyncio.wait({running, stopped}, return_when=asyncio.FIRST_COMPLETED)
        running.cancel()
        stopped.cancel()
        await asyncio.wait({running, stopped})
    failed = None if running.cancelled() else running.exception()
    if failed is not None:
        try:
            raise failed
        except* (anyio.BrokenResourceError, anyio.ClosedResourceError):
            pass  # the client has hung up in the middle of something


def server_with(memory: WarmMemory, crashed: Callable[[Exception], str]) -> Server[Any]:
    """The tools, and how a call that goes wrong is told; whatever it is spoken to through."""
    tools: Mapping[str, Tool[Any]] = {
        tool.name: tool for tool in (memory_search(memory), memory_add(memory))
    }

    async def offered(
        _: ServerRequestContext[Any], _page: PaginatedRequestParams | None
    ) -> ListToolsResult:
        return ListToolsResult(tools=[tool.offered() for tool in tools.values()])

    async def called(
        context: ServerRequestContext[Any], asked: CallToolRequestParams
    ) -> CallToolResult:
        tool = tools.get(asked.name)
        if tool is None:
            known = ", ".join(tools)
            said = f"there is no tool {asked.name[:_LONGEST_NAME]!a}; there are {known}"
            raise MCPError(code=INVALID_PARAMS, message=said)
        client = _client(context)
        try:
            return await memory.ask(lambda: tool.call(asked.arguments or {}, client))
        except HermesError as error:
            return failure(str(error))
        except Exception as error:  # noqa: BLE001 - written down; one call must not end the session
            return failure(crashed(error))

    return Server(
        "hermes-loop",
        version=__version__,
        instructions=_ABOUT,
        on_list_tools=offered,
        on_call_tool=called,
    )


def _client(context: ServerRequestContext[Any]) -> str:
    """As the client calls itself, in letters that can be typed; it is part of a memory's source."""
    known = context.session.client_params
    name = known.client_info.name if known is not None else ""
    return re.sub(r"[^\w.-]+", "-", name)[:_LONGEST_NAME].strip("-")


@contextmanager
def _standard_streams() -> Iterator[tuple[int, int]]:
    """Ours alone meanwhile: whatever else prints to standard output ends up on standard error."""
    source, sink = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    try:
        yield source, sink
    finally:
        os.dup2(source, 0)
        os.dup2(sink, 1)

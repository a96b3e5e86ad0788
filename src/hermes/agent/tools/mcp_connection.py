"""One MCP server that is spoken to: started, asked, and started once again when it is gone.

The conversation lives in a thread of its own, since it goes on between the agent's requests. A call
that the server died over is not sent again by us: nobody knows whether it was done.
"""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hermes.agent.tools.mcp_program import LARGEST_MESSAGE, Ending, program
from hermes.agent.tools.mcp_reading import TOOLS_AT_MOST, answer, problem
from hermes.records.tool_answer import ToolAnswer

if TYPE_CHECKING:
    import httpx2
    from anyio import Event
    from anyio.from_thread import BlockingPortal
    from mcp.client import Client
    from mcp.client._transport import TransportStreams
    from mcp.types import CallToolResult
    from mcp.types import Tool as Listed

    from hermes.records.codec import Json

_RESTARTS = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class McpServer:
    """A program to start in `folder` with that `environment`, or an address to call."""

    name: str
    command: tuple[str, ...] = ()
    url: str | None = None
    folder: Path = Path()
    environment: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds for a server to be ready, and for one call."""

    start: float = 20.0
    call: float = 300.0


@dataclass(slots=True)
class _Talk:
    """One conversation with a server, from its start to its end."""

    ending: Ending
    listed: Future[Sequence[Listed]]
    began: float
    client: Client | None = None
    stop: Event | None = None
    is_over: bool = False


class Connection:
    def __init__(self, server: McpServer, portal: BlockingPortal, patience: Patience) -> None:
        self.server = server
        self._portal = portal
        self._patience = patience
        self._restarts = _RESTARTS
        self._talk = self._begin()

    def listed(self) -> Sequence[Listed]:
        """Its tools; raises what kept it from telling them, with TimeoutError for silence."""
        return self._ready(self._talk)

    def call(self, tool: str, arguments: Mapping[str, Json]) -> ToolAnswer:
        """What the server answers. Whatever goes wrong is told as a failed call."""
        if self._talk.is_over:
            gone = self._begin_again()
            if gone:
                return self._failed(gone)
        asking = self._portal.start_task_soon(self._ask, self._talk, tool, dict(arguments))
        try:
            return answer(asking.result(), self.server.name)
        except TimeoutError:
            return self._failed(f"did not answer within {self._patience.call:g} seconds")
        except Exception as error:  # noqa: BLE001 - whatever somebody else's server makes of it
            return self._failed(self._told(error))
        except BaseException:  # a person's Ctrl-C: the server is told to stop
            asking.cancel()
            raise

    def _begin(self) -> _Talk:
        talk = _Talk(Ending(), Future(), time.monotonic())
        self._portal.start_task_soon(self._converse, talk)
        return talk

    def _begin_again(self) -> str:
        """Why it cannot be, or nothing."""
        if not self._restarts:
            return f"is gone and was restarted before ({self._talk.ending})"
        self._restarts -= 1
        self._talk = self._begin()
        try:
            self._ready(self._talk)
        except Exception as error:  # noqa: BLE001 - told, and the session goes on without it
            return f"is gone and could not be started again: {problem(error)}"
        return ""

    def _ready(self, talk: _Talk) -> Sequence[Listed]:
        left = talk.began + self._patience.start - time.monotonic()
        try:
            return talk.listed.result(max(left, 0.0))
        except TimeoutError:
            self._give_up(talk, "it was not ready in time")
            raise TimeoutError(f"it was not ready within {self._patience.start:g} s") from None

    def _give_up(self, talk: _Talk, reason: str) -> None:
        _over(talk, reason)
        self._portal.start_task_soon(_stop, talk)

    async def _converse(self, talk: _Talk) -> None:
        """In one task from start to end: what it opens is closed by the task that opened it."""
        import anyio
        from mcp.client import Client

        talk.stop = anyio.Event()
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(_cancel_when_stopped, talk, group.cancel_scope)
                async with Client(_transport(self.server, talk.ending)) as client:
                    talk.client = client
                    talk.listed.set_result(await _list(client))
                    await anyio.sleep_forever()
        except Exception as error:  # noqa: BLE001 - a failed start is told to whoever waits
            _over(talk, problem(error))
        finally:
            _over(talk, "it was stopped")

    async def _ask(self, talk: _Talk, tool: str, arguments: dict[str, Any]) -> CallToolResult:
        import anyio

        assert talk.client is not None
        with anyio.fail_after(self._patience.call):
            return await talk.client.call_tool(tool, arguments)

    def _told(self, error: BaseException) -> str:
        """A connection that broke is over, and is said to be; other errors are of the call."""
        from mcp import MCPError
        from mcp.types import CONNECTION_CLOSED

        own_words = isinstance(error, MCPError) and error.code != CONNECTION_CLOSED
        if own_words and not self._talk.ending.reason:
            return f"said: {problem(error)}"
        self._give_up(self._talk, problem(error))
        return f"was lost over this call, which may or may not be done ({self._talk.ending})"

    def _failed(self, why: str) -> ToolAnswer:
        return ToolAnswer(
            text=f"The MCP server {self.server.name} {why}.",
            failed=True,
            facts={"mcp_server": self.server.name},
        )


def _over(talk: _Talk, reason: str) -> None:
    """The first reason is the one that counts; who still waits for the tools is told."""
    talk.is_over = True
    talk.ending.reason = talk.ending.reason or reason
    if not talk.listed.done():
        talk.listed.set_exception(ConnectionError(str(talk.ending)))


async def _stop(talk: _Talk) -> None:
    if talk.stop is not None:
        talk.stop.set()


async def _cancel_when_stopped(talk: _Talk, scope: Any) -> None:
    assert talk.stop is not None
    await talk.stop.wait()
    scope.cancel()


async def _list(client: Client) -> Sequence[Listed]:
    """Page by page, and not for ever."""
    tools: list[Listed] = []
    page = await client.list_tools()
    tools += page.tools
    while page.next_cursor and len(tools) <= TOOLS_AT_MOST:
        page = await client.list_tools(cursor=page.next_cursor)
        if not page.tools:
            break
        tools += page.tools
    return tools


def _transport(server: McpServer, ending: Ending) -> AbstractAsyncContextManager[TransportStreams]:
    if server.url is None:
        return program(server.command, server.folder, server.environment, ending)
    return _address(server.url)


@asynccontextmanager
async def _address(url: str) -> AsyncGenerator[TransportStreams, None]:
    import httpx2
    from mcp.client.streamable_http import streamable_http_client

    http_client = httpx2.AsyncClient(
        timeout=httpx2.Timeout(30.0, read=None),  # how long a call may take is decided by us
        headers={"accept-encoding": "identity"},
        event_hooks={"response": [_bounded]},
    )
    async with (
        http_client as http,
        streamable_http_client(
            url, http_client=http, max_sse_event_size=LARGEST_MESSAGE
        ) as streams,
    ):
        yield streams


async def _bounded(response: httpx2.Response) -> None:
    """An answer is read into memory as a whole, so it has a size; events have their own."""
    import httpx2

    if response.headers.get("content-encoding", "identity") != "identity":
        raise httpx2.TransportError("it packed its answer, which was not asked for")
    if response.headers.get("content-type", "").startswith("text/event-stream"):
        return

    class Counted(httpx2.AsyncByteStream):
        def __init__(self, inner: httpx2.AsyncByteStream) -> None:
            self._inner = inner

        async def __aiter__(self) -> AsyncIterator[bytes]:
            size = 0
            async for piece in self._inner:
                size += len(piece)
                if size > LARGEST_MESSAGE:
                    raise httpx2.TransportError(f"more than {LARGEST_MESSAGE // 2**20} MB at once")
                yield piece

        async def aclose(self) -> None:
            await self._inner.aclose()

    assert isinstance(response.stream, httpx2.AsyncByteStream)
    response.stream = Counted(response.stream)

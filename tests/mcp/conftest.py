"""`hermes mcp` as a process of its own, spoken to by the client of the `mcp` package."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pytest
from mcp import Client, StdioServerParameters
from mcp.types import CallToolResult, Implementation, Tool

COMMAND = (sys.executable, "-m", "hermes", "mcp")


def environment(home: Path) -> dict[str, str]:
    return {**os.environ, "HERMES_HOME": str(home), "HOME": str(home)}


class McpSession:
    """One connection, kept open by a thread with an event loop of its own."""

    def __init__(self, home: Path, folder: Path, client: str = "test client/1") -> None:
        self._server = StdioServerParameters(
            command=COMMAND[0], args=list(COMMAND[1:]), env=environment(home), cwd=folder
        )
        self._info = Implementation(name=client, version="1")
        self._loop = asyncio.new_event_loop()
        self._client: Future[Client] = Future()
        self._ending = asyncio.Event()
        self._thread = threading.Thread(target=self._loop.run_until_complete, args=(self._run(),))

    async def _run(self) -> None:
        try:
            async with Client(
                self._server, client_info=self._info, read_timeout_seconds=60
            ) as client:
                self._client.set_result(client)
                await self._ending.wait()
        except BaseException as error:
            if not self._client.done():
                self._client.set_exception(error)
            raise

    def __enter__(self) -> Self:
        self._thread.start()
        self._client.result(60)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._ending.set)
        self._thread.join(60)
        self._loop.close()

    def begin(self, name: str, arguments: dict[str, Any]) -> Future[CallToolResult]:
        call = self._client.result().call_tool(name, arguments)
        return asyncio.run_coroutine_threadsafe(call, self._loop)

    def call(self, name: str, **arguments: Any) -> CallToolResult:
        return self.begin(name, arguments).result(60)

    def tools(self) -> dict[str, Tool]:
        listing = asyncio.run_coroutine_threadsafe(self._client.result().list_tools(), self._loop)
        return {tool.name: tool for tool in listing.result(60).tools}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("mcp") / "home"


@pytest.fixture(scope="module")
def session(home: Path) -> Iterator[McpSession]:
    folder = home.parent / "till"
    folder.mkdir()
    with McpSession(home, folder) as opened:
        yield opened

"""The tools of MCP servers, as tools of the agent: `<server>__<tool>`.

Servers are started with the first turn, all at the same time. One that does not come up is told of
in one line, and the session goes on without it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING

from hermes.agent.interrupts import Interrupts
from hermes.agent.tool import Tool
from hermes.agent.tools.mcp_connection import Connection, McpServer, Patience
from hermes.agent.tools.mcp_reading import (
    TOOLS_AT_MOST,
    described,
    offered_name,
    problem,
    unusable,
)

if TYPE_CHECKING:
    from mcp.types import Tool as Listed

    from hermes.records.codec import Json
    from hermes.records.tool_answer import ToolAnswer

_PATIENCE = Patience()


class McpServers:
    """Of one session; `note` is told of what does not work. Close it when done."""

    def __init__(
        self,
        servers: Sequence[McpServer],
        note: Callable[[str], None],
        interrupts: Interrupts | None = None,
        patience: Patience = _PATIENCE,
    ) -> None:
        self._servers = servers
        self._note = note
        self._interrupts = interrupts or Interrupts()
        self._patience = patience
        self._tools: dict[str, Tool] | None = None
        self._open = ExitStack()

    def tools(self) -> list[Tool]:
        """Starts the servers when it is first asked."""
        if self._tools is None:
            self._tools = {}
            for connection in self._connections():
                self._take(connection)
        return list(self._tools.values())

    def close(self) -> None:
        self._open.close()

    def _connections(self) -> list[Connection]:
        if not self._servers:
            return []
        from anyio.from_thread import start_blocking_portal

        logging.getLogger("mcp").addHandler(logging.NullHandler())  # it is told by notes instead
        portal = self._open.enter_context(start_blocking_portal(name="mcp-servers"))
        self._open.callback(portal.call, portal.stop, True)
        return [Connection(one, portal, self._patience) for one in self._servers]

    def _take(self, connection: Connection) -> None:
        name = connection.server.name
        try:
            listed = connection.listed()
        except Exception as error:  # noqa: BLE001 - somebody else's program; the session goes on
            self._note(f"MCP server {name} does not work, its tools are missing: {problem(error)}")
            return
        for tool in listed[:TOOLS_AT_MOST]:
            why_not = unusable(tool)
            if why_not:
                self._note(f"MCP server {name}: tool {tool.name[:60]!r} is left out: {why_not}")
            else:
                self._add(connection, tool)
        if len(listed) > TOOLS_AT_MOST:
            self._note(f"MCP server {name}: only its first {TOOLS_AT_MOST} tools are used")

    def _add(self, connection: Connection, listed: Listed) -> None:
        assert self._tools is not None

        def run(arguments: Mapping[str, Json]) -> ToolAnswer:
            with self._interrupts.heard():
                return connection.call(listed.name, arguments)

        name = offered_name(connection.server.name, listed.name, self._tools)
        self._tools.setdefault(
            name,
            Tool(
                name=name,
                description=described(connection.server.name, listed),
                parameters=listed.input_schema,
                run=run,
                touches=connection.server.url is None,  # a program of this machine may write here
            ),
        )

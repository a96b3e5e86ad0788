"""A real MCP server for tests, over stdio or HTTP; with tools that behave and tools that do not.

`python -m hermes.testing.mcp_server [--noise] [--port N] [--rude]`
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any

from mcp.server.mcpserver import Image, MCPServer
from mcp.types import BlobResourceContents, CallToolResult, EmbeddedResource, TextContent

HUGE = 100 * 1024 * 1024
_PICTURE = b"\x89PNG\r\n\x1a\n" + b"\0" * 92


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def fails() -> CallToolResult:
    """Fail, saying why."""
    text = TextContent(text="no such row; the nearest is 7")
    return CallToolResult(content=[text], is_error=True)


def raises() -> str:
    """Break."""
    raise RuntimeError("this server has a bug")


def picture() -> Image:
    """Show a picture."""
    return Image(data=_PICTURE, format="png")


def binary() -> CallToolResult:
    """Hand over bytes, and say something."""
    held = BlobResourceContents(uri="file:///a.bin", mime_type="x/y", blob="AAAA")
    return CallToolResult(content=[EmbeddedResource(resource=held), TextContent(text="done")])


def environment() -> str:
    """What this program was given to know."""
    return json.dumps({**os.environ, "cwd": os.getcwd()})


def write(name: str, content: str) -> str:
    """Write a file where it runs."""
    with open(name, "w", encoding="utf-8") as file:
        file.write(content)
    return "written"


def pid() -> int:
    """Who it is."""
    return os.getpid()


def dies() -> str:
    """End in the middle of a call."""
    print("out of paper", file=sys.stderr, flush=True)
    os._exit(3)


def sleeps(seconds: float) -> str:
    """Take its time."""
    time.sleep(seconds)
    return "awake"


def huge() -> str:
    """A very long answer."""
    return "x" * HUGE


_TOOLS: tuple[Callable[..., Any], ...] = (
    *(add, fails, raises, picture, binary, environment, write, pid, dies, sleeps, huge),
)


def server(*, rude: bool = False) -> MCPServer:
    built = MCPServer("testing")
    for tool in _TOOLS:
        built.add_tool(tool, structured_output=False)
    if rude:  # names that no provider takes, two of which look the same once they are made to fit
        for name in ("read.file", "read/file", "ä ö\n", "n" * 90):
            built.add_tool(pid, name=name, description="d" * 10_000, structured_output=False)
    return built


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--noise", action="store_true", help="print lines that are no messages")
    parser.add_argument("--rude", action="store_true", help="tools with strange names")
    parser.add_argument("--port", type=int, help="speak HTTP on this port of the loopback")
    asked = parser.parse_args()
    if asked.noise:
        print("Welcome!\n{broken\n[]\n" * 50, flush=True)
    built = server(rude=asked.rude)
    if asked.port:
        built.run("streamable-http", port=asked.port)
    else:
        built.run("stdio")


if __name__ == "__main__":
    main()

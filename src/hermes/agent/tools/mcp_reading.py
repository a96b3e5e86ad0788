"""What an MCP server says, in our terms: names that a model's provider accepts, results as text.

A server is somebody else's program. What it calls its tools, how it describes them and what it
answers is bounded here, and is data.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Any

from hermes.ids import content_hash
from hermes.records.tool_answer import ToolAnswer

if TYPE_CHECKING:
    from mcp.types import CallToolResult, ContentBlock
    from mcp.types import Tool as Listed

TOOLS_AT_MOST = 64
_LONGEST_NAME = 64
_LONGEST_DESCRIPTION = 2_000
_LARGEST_SCHEMA = 20_000  # characters; every request to the model carries it
_LONGEST_TEXT = 1_000_000


def offered_name(server: str, tool: str, taken: Collection[str]) -> str:
    """`<server>__<tool>` in the letters that every provider takes; different for each tool."""
    plain = f"{_plain(server)}__{_plain(tool)}"
    if plain not in taken and len(plain) <= _LONGEST_NAME:
        return plain
    mark = content_hash(f"{server}\n{tool}".encode())[:8]
    return f"{plain[: _LONGEST_NAME - 9]}_{mark}"


def _plain(name: str) -> str:
    return re.sub(r"[^a-zA-Z0-9_-]", "_", name) or "_"


def described(server: str, tool: Listed) -> str:
    text = (tool.description or tool.title or "").strip()[:_LONGEST_DESCRIPTION]
    return f"{text} (tool {tool.name[:_LONGEST_NAME]!r} of the MCP server {server})".strip()


def unusable(tool: Listed) -> str:
    """Why a tool is left out, or nothing: one bad schema would spoil every request."""
    if tool.input_schema.get("type") != "object":
        return "its arguments are not an object"
    if len(json.dumps(tool.input_schema)) > _LARGEST_SCHEMA:
        return "the description of its arguments is too long"
    return ""


def answer(result: CallToolResult, server: str) -> ToolAnswer:
    """The result as text. What is no text is named, with its size."""
    parts = [_text(block) for block in result.content]
    if not any(parts) and result.structured_content is not None:
        parts = [json.dumps(result.structured_content, ensure_ascii=False)]
    text = "\n".join(parts)
    if len(text) > _LONGEST_TEXT:
        text = f"{text[:_LONGEST_TEXT]}\n[cut: there were {len(text):,} characters]"
    return ToolAnswer(
        text=text or "(no output)", failed=result.is_error, facts={"mcp_server": server}
    )


def _text(block: ContentBlock) -> str:
    return _READ.get(block.type, _unknown)(block)


def _embedded(block: Any) -> str:
    held = block.resource
    text = getattr(held, "text", None)
    if isinstance(text, str):
        return text
    return f"[binary resource {held.uri}, {_bytes(held.blob)}: not shown]"


def _media(block: Any) -> str:
    return f"[{block.type} of type {block.mime_type}, {_bytes(block.data)}: not shown]"


def _unknown(block: Any) -> str:
    return f"[{block.type}: not shown]"


def _bytes(base64: str) -> str:
    return f"{len(base64) * 3 // 4:,} bytes"


_READ: Mapping[str, Callable[[Any], str]] = {
    "text": lambda block: str(block.text),
    "image": _media,
    "audio": _media,
    "resource": _embedded,
    "resource_link": lambda block: f"[resource {block.name}: {block.uri}]",
}


def problem(error: BaseException) -> str:
    """The first of what was wrapped into groups, in one line."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return (str(error).strip() or type(error).__name__).split("\n", 1)[0][:300]

"""Memory and past sessions, as the agent asks for them. What comes back is data, not orders."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from pydantic import BaseModel, Field

from hermes.agent.tool import Tool, typed_tool
from hermes.records.tool_answer import ToolAnswer

Kind = Literal["episodic", "semantic", "declarative"]


class MemoryAdd(BaseModel):
    text: str = Field(min_length=1, description="one fact, preference or rule, in one sentence")
    kind: Kind = "semantic"


class MemorySearch(BaseModel):
    query: str = Field(min_length=1)
    k: int = Field(default=8, ge=1, le=50)


class SessionSearch(BaseModel):
    query: str = Field(min_length=1, description="words, a name, an error message, or a question")
    k: int = Field(default=5, ge=1, le=20)


def memory_tools(
    add: Callable[[str, str], ToolAnswer],
    search: Callable[[str, int], ToolAnswer],
) -> list[Tool]:
    return [
        typed_tool(
            "memory_search",
            "Search what is remembered: facts, preferences, what happened before.",
            MemorySearch,
            lambda asked: search(asked.query, asked.k),
        ),
        typed_tool(
            "memory_add",
            "Remember a lasting fact or a preference of the user. Procedures belong into "
            "skills; what will be untrue tomorrow is not remembered.",
            MemoryAdd,
            lambda asked: add(asked.text, asked.kind),
        ),
    ]


def past_work_tool(search: Callable[[str, int], ToolAnswer]) -> Tool:
    return typed_tool(
        "session_search",
        "Search all earlier sessions, by words and by meaning; each hit comes with a snippet.",
        SessionSearch,
        lambda asked: search(asked.query, asked.k),
    )

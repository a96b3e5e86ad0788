"""Noting that skills overlap: the curator decides later, with a person."""

from __future__ import annotations

from collections.abc import Callable

from pydantic import BaseModel, Field

from hermes.agent.tool import Tool, typed_tool
from hermes.records.tool_answer import ToolAnswer


class NoteOverlap(BaseModel):
    skills: list[str] = Field(min_length=2, max_length=10, description="names of skills")
    why: str = Field(min_length=1, max_length=400)


def overlap_tool(note: Callable[[list[str], str], ToolAnswer]) -> Tool:
    return typed_tool(
        "note_overlap",
        "Note that skills say nearly the same, for the curator. Nothing is changed by it.",
        NoteOverlap,
        lambda asked: note(asked.skills, asked.why),
    )

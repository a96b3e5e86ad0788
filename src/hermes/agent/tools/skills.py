"""The skills as procedural memory: list, view, manage. A skill that is read is a skill in use."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Literal

from pydantic import BaseModel, Field

from hermes.agent.tool import Tool, typed_tool
from hermes.records.codec import Json
from hermes.records.tool_answer import ToolAnswer


class SkillsList(BaseModel):
    category: str | None = None
    after: str = Field(default="", description="the last name seen, for the next page")


class SkillView(BaseModel):
    name: str
    file_path: str | None = Field(default=None, description="a support file; SKILL.md otherwise")


class SkillManage(BaseModel):
    action: Literal["create", "edit", "patch", "delete", "write_file", "remove_file"]
    name: str
    content: str | None = Field(
        default=None, description="create, edit: the whole SKILL.md, with its frontmatter"
    )
    category: str | None = None
    old_string: str | None = Field(default=None, description="patch: the exact text to replace")
    new_string: str | None = None
    replace_all: bool | None = None
    file_path: str | None = Field(
        default=None, description="below scripts/, references/, templates/ or assets/"
    )
    file_content: str | None = None
    base_version: int | None = None
    reason: str | None = None


List = Callable[[str | None, str], Mapping[str, Json]]
View = Callable[[str, str | None], Mapping[str, Json]]
Manage = Callable[[Mapping[str, Any]], Mapping[str, Json]]


def skill_tools(list_skills: List, view: View, manage: Manage) -> list[Tool]:
    return [
        typed_tool(
            "skills_list",
            "List the skills by name and description.",
            SkillsList,
            lambda asked: _answer(list_skills(asked.category, asked.after)),
        ),
        typed_tool(
            "skill_view",
            "Read a skill before you do what it is about: its whole SKILL.md, or one support file.",
            SkillView,
            lambda asked: _answer(view(asked.name, asked.file_path)),
        ),
        typed_tool(
            "skill_manage",
            "Write down how to do something so that it is known next time: create, edit, "
            "patch or delete a skill, or its support files.",
            SkillManage,
            lambda asked: _answer(manage(asked.model_dump(exclude_none=True))),
        ),
    ]


def _answer(said: Mapping[str, Json]) -> ToolAnswer:
    """The text of a skill as it is; everything else as JSON."""
    facts = {key: said[key] for key in ("name", "version", "candidate", "state") if key in said}
    if not said.get("success", False):
        return ToolAnswer(text=_json(said), failed=True, facts=facts)
    content = said.get("content")
    if isinstance(content, str):
        head = {key: value for key, value in said.items() if key not in ("content", "success")}
        return ToolAnswer(text=f"{_json(head)}\n\n{content}", facts=facts)
    return ToolAnswer(text=_json(said), facts=facts)


def _json(value: Mapping[str, Json]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1)

"""Action: one tool call in words that every agent's tools share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from hermes.records.codec import Json


class ActionKind(StrEnum):
    """RUN is a command, CODE a program handed to an interpreter; OTHER is what we cannot read."""

    RUN = "run"
    CODE = "code"
    READ = "read"
    WRITE = "write"
    EDIT = "edit"
    SEARCH = "search"
    FETCH = "fetch"
    DELEGATE = "delegate"
    PLAN = "plan"
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """`text` is what was run, written or asked for; `path` the file it is about, as written.

    For an EDIT `before` is the text that `text` replaces. `arguments` is the call as it was.
    """

    kind: ActionKind
    tool: str
    text: str = ""
    path: str = ""
    before: str = ""
    arguments: Mapping[str, Json] = field(default_factory=dict)

"""What every log comes to before it is recorded: a heading and the turns that the user kept.

A reader knows one format and nothing of the store; the recorder knows the store and no format.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from hermes.records.codec import Json


class TurnKind(StrEnum):
    USER = "user"
    ASSISTANT = "assistant"
    THOUGHT = "thought"
    CALL = "call"
    RESULT = "result"


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One thing said or done. `key` is the log's own id of it, or its place: the same each time.

    CALL: `tool`, `arguments`, `call_id`. RESULT: `call_id`, `text`, and `failed` and `exit_code`
    where the log says so. `data` is what only some agents tell (structured results, token counts).
    """

    kind: TurnKind
    key: str
    at: datetime | None
    text: str = ""
    tool: str = ""
    call_id: str = ""
    arguments: Mapping[str, Json] = field(default_factory=dict)
    failed: bool | None = None
    exit_code: int | None = None
    tokens: int | None = None
    data: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """Which conversation the turns belong to. `external_id` is the agent's own id of it."""

    source: str
    external_id: str
    parent_external_id: str | None = None
    title: str = ""
    cwd: str | None = None
    model: str | None = None
    started_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """A place in a log that could not be read; the rest of the log was."""

    file: str
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.what}"

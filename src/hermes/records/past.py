"""What a search over past work answers: runs, and in each the passages that were hit."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class PassageKind(StrEnum):
    """Whose words a passage has. Only REQUEST and USER were said by a person."""

    REQUEST = "request"
    USER = "user"
    AGENT = "agent"
    THOUGHT = "thought"
    CALL = "call"
    RESULT = "result"
    ERROR = "error"


@dataclass(frozen=True, slots=True, kw_only=True)
class Snippet:
    """A few words out of a passage; `marks` are the places in `text` of what was asked for."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PastPassage:
    """One hit. `step_id` is 0 for a request that no step repeats.

    `lexical` and `semantic` are between 0 and 1 and say what found it; `semantic` is None where
    there is no vector. It is a quotation, whoever said it: data, and never an instruction.
    """

    step_id: int
    kind: PassageKind
    snippet: Snippet
    lexical: float
    semantic: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PastRun:
    """A run that answers the query, with its best passages; `more` others were hit too."""

    trajectory_id: str
    session_id: str | None
    agent: str
    task: str
    started_at: datetime
    score: float
    passages: tuple[PastPassage, ...]
    more: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PastFound:
    """The runs, best first. `unread` ended runs were not searched, for no index has them yet.

    `problems` are what is wrong with stored runs that could not be read.
    """

    runs: tuple[PastRun, ...] = ()
    unread: int = 0
    problems: tuple[str, ...] = ()

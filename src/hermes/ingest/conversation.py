"""Conversation: what a reader hands on. Its turns are read as they are asked for, one by one.

`problems`, `unknown` and `bytes_read` are complete when the turns are exhausted. A file of which
nothing could be read comes as a conversation without turns, so that its problem is told too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from hermes.ingest.turns import Heading, Problem, Turn

UNKNOWN_SOURCE = "unknown"
"""The source of a file that is no log we know."""


@dataclass(slots=True, kw_only=True)
class Conversation:
    """`unknown` counts the kinds of lines that this reader does not know, by their name."""

    heading: Heading
    file: Path
    turns: Iterator[Turn] = field(default_factory=lambda: iter(()))
    problems: list[Problem] = field(default_factory=list)
    unknown: Counter[str] = field(default_factory=Counter)
    bytes_read: int = 0

    def note(self, line: int, what: str) -> None:
        self.problems.append(Problem(file=str(self.file), line=line, what=what))


@dataclass(frozen=True, slots=True)
class Mark:
    """What a log tells of the turn before: what it cost, or that the user broke it off."""

    tokens: int | None = None
    interrupted: bool = False


def marked(stream: Iterable[Turn | Mark]) -> Iterator[Turn]:
    """The turns, each with the marks that followed it; it takes holding back one turn."""
    held: Turn | None = None
    for one in stream:
        if isinstance(one, Turn):
            if held is not None:
                yield held
            held = one
        elif held is not None:
            if one.tokens is not None and held.tokens is None:
                held = replace(held, tokens=one.tokens)
            if one.interrupted:
                held = replace(held, data={**held.data, "interrupted": True})
    if held is not None:
        yield held


def unreadable(file: Path, source: str, what: str, line: int = 1) -> Conversation:
    """A conversation without turns that tells why."""
    conversation = Conversation(heading=Heading(source=source, external_id=str(file)), file=file)
    conversation.note(line, what)
    return conversation

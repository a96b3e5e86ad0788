"""Reads the sheets: plain text, so that what is asked and what answers it stand side by side.

Both kinds open a topic with `== half topic`. In a sheet of facts `+` lines are sentences that may
follow any fact of the topic; `-- kind [how]` opens a fact: its wordings, then its questions
(`p>` paraphrase, `i>` identifier, `t>` temporal). In a sheet of threads every line is a turn
(`A: …`, `B~theme: …`) or a question (`q kind turns | …`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

from hermes.bench.recall_set.labelled import Asked, Half
from hermes.errors import CorruptData
from hermes.records.memory import MemoryKind

_ASKED = {"p": Asked.PARAPHRASE, "i": Asked.IDENTIFIER, "t": Asked.TEMPORAL}
_SPOKEN = {"single": Asked.SINGLE, "multi": Asked.MULTI, "temporal": Asked.WHEN, "open": Asked.OPEN}
_TURN = re.compile(r"(?P<speaker>[AB])(?:~(?P<theme>\w+))?: (?P<text>.+)")
_QUESTION = re.compile(r"q (?P<kind>\w+) (?P<turns>[\d,]+) \| (?P<text>.+)")


@dataclass(frozen=True, slots=True)
class Fact:
    """`how` is `each` (told of many services), `timeline` (of few, at several times), `user`
    (a person's wish, by subject) or `single`."""

    id: str
    topic: str
    half: Half
    kind: MemoryKind
    how: str
    tails: tuple[str, ...]
    wordings: tuple[str, ...]
    questions: tuple[tuple[Asked, str], ...]


@dataclass(frozen=True, slots=True)
class Turn:
    speaker: str
    theme: str | None
    text: str


@dataclass(slots=True)
class Thread:
    """A piece of a conversation; a question names its turns by place, from 0."""

    topic: str
    half: Half
    turns: list[Turn] = field(default_factory=list)
    questions: list[tuple[Asked, tuple[int, ...], str]] = field(default_factory=list)


@cache
def facts() -> tuple[Fact, ...]:
    return tuple(fact for file in files("facts") for fact in _facts_of(file))


@cache
def threads() -> tuple[Thread, ...]:
    return tuple(thread for file in files("threads") for thread in _threads_of(file))


@cache
def lines(name: str) -> tuple[str, ...]:
    """The lines of one plain sheet, without its comments."""
    text = _folder().joinpath(f"{name}.txt").read_text(encoding="utf-8")
    return tuple(line for line in text.splitlines() if line and not line.startswith("#"))


def _facts_of(file: Traversable) -> Iterator[Fact]:
    for half, topic, body in topics(file):
        opening, *blocks = re.split(r"^-- ", body, flags=re.MULTILINE)
        tails = tuple(line[2:] for line in opening.splitlines() if line.startswith("+ "))
        for number, block in enumerate(blocks, 1):
            head, *rest = [line for line in block.splitlines() if line]
            kind, _, how = head.partition(" ")
            asked = [(mark, text) for mark, _, text in (line.partition("> ") for line in rest)]
            yield Fact(
                id=f"{topic}-{number}",
                topic=topic,
                half=half,
                kind=MemoryKind(kind),
                how=how or "each",
                tails=tails,
                wordings=tuple(line for line in rest if line[:3] not in ("p> ", "i> ", "t> ")),
                questions=tuple((_ASKED[mark], text) for mark, text in asked if mark in _ASKED),
            )


def _threads_of(file: Traversable) -> Iterator[Thread]:
    for half, topic, body in topics(file):
        thread = Thread(topic, half)
        for line in filter(None, body.splitlines()):
            if turn := _TURN.fullmatch(line):
                thread.turns.append(Turn(turn["speaker"], turn["theme"], turn["text"]))
            elif asked := _QUESTION.fullmatch(line):
                places = tuple(int(place) - 1 for place in asked["turns"].split(","))
                thread.questions.append((_SPOKEN[asked["kind"]], places, asked["text"]))
            else:
                raise CorruptData(f"neither a turn nor a question: {line!r}", where=file.name)
        yield thread


def topics(file: Traversable) -> Iterator[tuple[Half, str, str]]:
    """(half, what follows it in the heading, text up to the next heading)."""
    for section in re.split(r"^== ", file.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        head, _, body = section.partition("\n")
        half, _, topic = head.partition(" ")
        yield Half(half), topic, body


def files(folder: str) -> list[Traversable]:
    """The sheets of one kind, always in the same order."""
    entries = _folder().joinpath(folder).iterdir()
    return sorted((entry for entry in entries if entry.name.endswith(".txt")), key=lambda e: e.name)


def _folder() -> Traversable:
    return resources.files("hermes.bench.recall_set").joinpath("sheets")

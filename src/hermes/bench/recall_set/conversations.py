"""Circles of people who talk for months, and questions to what they said.

Each circle has a scope of its own and twelve sessions; a session is three threads with small talk
between them. Relative words in a turn (`yesterday`) are meant from the day of its session.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random

from hermes.bench.recall_set.labelled import Asked, Half, LabelledSet, Question
from hermes.bench.recall_set.sheets import Thread, lines, threads
from hermes.bench.recall_set.slots import choices, drawn, filled
from hermes.records.memory import Memory, MemoryKind, Trust

_CIRCLES: dict[str, tuple[Half, tuple[str, ...]]] = {
    "north": (Half.FITTED, ("Agnes", "Baptiste")),
    "river": (Half.FITTED, ("Celeste", "Dario")),
    "attic": (Half.FITTED, ("Edda", "Fabian", "Greta")),
    "south": (Half.MEASURED, ("Henrik", "Isadora")),
    "meadow": (Half.MEASURED, ("Jolanda", "Kasimir")),
    "corner": (Half.MEASURED, ("Leopold", "Marisol", "Nikolai")),
}
_SESSIONS = 12
_THREADS = 3
_ASKED_IN = 2
"""Of the three circles of its half a question is asked in two."""


@dataclass(slots=True)
class _Circle:
    """What a circle said so far, and which of it belongs to whose theme."""

    scope: str
    half: Half
    memories: list[Memory]
    themes: dict[tuple[str, str], set[str]]
    asked: dict[tuple[str, Asked, str], set[str]]


def conversations() -> LabelledSet:
    circles = [_circle(name, half, people) for name, (half, people) in _CIRCLES.items()]
    return LabelledSet(
        memories=tuple(memory for circle in circles for memory in circle.memories),
        questions=tuple(question for circle in circles for question in _questions(circle)),
    )


def _circle(name: str, half: Half, people: Sequence[str]) -> _Circle:
    draw = Random(name)
    circle = _Circle(f"project:{name}", half, [], defaultdict(set), defaultdict(set))
    own = [thread for thread in threads() if thread.half is half]
    wanted = _SESSIONS * _THREADS
    order = draw.sample(own, len(own)) + draw.sample(own, wanted - len(own))
    day = datetime(2025, 1 + draw.randint(0, 3), draw.randint(1, 28), tzinfo=UTC)
    for number in range(_SESSIONS):
        day += timedelta(days=draw.randint(9, 30))
        start = day.replace(hour=draw.randint(7, 21), minute=draw.randint(0, 40))
        told = order[number * _THREADS : (number + 1) * _THREADS]
        _talk(circle, f"{name}-{number + 1}", start, told, people)
    return circle


def _talk(
    circle: _Circle, session: str, start: datetime, told: Sequence[Thread], people: Sequence[str]
) -> None:
    draw = Random(session)
    said: list[Memory] = []

    def say(speaker: str, text: str) -> str:
        memory = Memory(
            id=f"{session}:{len(said) + 1}",
            text=f"{speaker}: {text}",
            kind=MemoryKind.EPISODIC,
            scope=circle.scope,
            source="bench",
            trust=Trust.IMPORTED,
            session_id=session,
            created_at=start + timedelta(minutes=len(said)),
        )
        said.append(memory)
        return memory.id

    for thread in told:
        for speaker in draw.sample(people, draw.randint(1, 2)):
            say(speaker, draw.choice(lines("chatter")))
        first, second = draw.sample(people, 2)
        values = drawn(
            choices([turn.text for turn in thread.turns]), draw, {"A": first, "B": second}
        )
        ids = []
        for turn in thread.turns:
            speaker = values[turn.speaker]
            text = filled(turn.text, values)
            ids.append(say(speaker, text[0].upper() + text[1:]))
            if turn.theme:
                circle.themes[speaker, turn.theme].add(ids[-1])
        _ask(circle, thread, values, ids)
    for speaker in draw.sample(people, 2):
        say(speaker, draw.choice(lines("chatter")))
    circle.memories.extend(said)


def _ask(circle: _Circle, thread: Thread, values: dict[str, str], ids: Sequence[str]) -> None:
    """The same question after the same thread of other days has all their answers."""
    for number, (asked, places, wording) in enumerate(thread.questions):
        here = Random(f"{thread.topic} {number}").sample(_scopes_of(circle.half), _ASKED_IN)
        if circle.scope in here:
            text = filled(wording, values)
            circle.asked[text, asked, thread.topic].update(ids[place] for place in places)


def _scopes_of(half: Half) -> list[str]:
    return [f"project:{name}" for name, (theirs, _) in _CIRCLES.items() if theirs is half]


def _questions(circle: _Circle) -> Iterator[Question]:
    for (text, asked, topic), expects in circle.asked.items():
        yield _question(circle, text, asked, topic, expects)
    for line in lines("themes"):
        theme, _, wording = line.partition(" | ")
        for (speaker, named), expects in circle.themes.items():
            if named == theme and len(expects) > 1:
                text = filled(wording, {"A": speaker})
                yield _question(circle, text, Asked.MULTI, f"theme {theme}", expects)


def _question(circle: _Circle, text: str, asked: Asked, topic: str, expects: set[str]) -> Question:
    return Question(
        text=text,
        asked=asked,
        half=circle.half,
        topic=topic,
        scopes=(circle.scope,),
        expects=frozenset(expects),
    )

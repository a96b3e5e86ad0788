"""Two people who talk for most of a year, word for word, and questions about what they said.

Nothing is filled in: turns are as long and as chatty as people's are, they echo each other, and the
same subject comes up again months later. A sheet's heading names topic, `A` and `B`; `-- day time`
opens a session, `A[3]: …` is a turn that questions name by its mark, `q 3,7 | …` a question.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from hermes.bench.recall_set.labelled import Asked, Half, LabelledSet, Question
from hermes.bench.recall_set.sheets import files, topics
from hermes.errors import CorruptData
from hermes.records.memory import Memory, MemoryKind, Trust

_TURN = re.compile(r"(?P<speaker>[AB])(?:\[(?P<mark>\d+)\])?: (?P<text>.+)")
_QUESTION = re.compile(r"q (?P<marks>[\d,]+) \| (?P<text>.+)")


def talks() -> LabelledSet:
    read = [
        _talk(half, heading, body, file.name)
        for file in files("talks")
        for half, heading, body in topics(file)
    ]
    return LabelledSet(memories=(), questions=()).joined(*read)


def _talk(half: Half, heading: str, body: str, sheet: str) -> LabelledSet:
    topic, *people = heading.split()
    named = dict(zip("AB", people, strict=True))
    memories: list[Memory] = []
    questions: list[Question] = []
    marked: dict[str, str] = {}
    start, session = datetime.min.replace(tzinfo=UTC), 0
    for line in filter(None, body.splitlines()):
        if line.startswith("-- "):
            session += 1
            start = datetime.fromisoformat(line[3:]).replace(tzinfo=UTC)
        elif turn := _TURN.fullmatch(line):
            memory = _said(topic, session, start, f"{named[turn['speaker']]}: {turn['text']}")
            memories.append(memory)
            start += timedelta(minutes=1)
            if turn["mark"]:
                marked[turn["mark"]] = memory.id
        elif asked := _QUESTION.fullmatch(line):
            expects = frozenset(marked[mark] for mark in asked["marks"].split(","))
            questions.append(_asked(half, topic, asked["text"], expects))
        else:
            raise CorruptData(f"neither a turn nor a question: {line!r}", where=sheet)
    return LabelledSet(memories=tuple(memories), questions=tuple(questions))


def _said(topic: str, session: int, at: datetime, text: str) -> Memory:
    return Memory(
        id=f"{topic}-{session}:{at:%H%M}",
        text=text,
        kind=MemoryKind.EPISODIC,
        scope=f"project:{topic}",
        source="bench",
        trust=Trust.IMPORTED,
        session_id=f"{topic}-{session}",
        created_at=at,
    )


def _asked(half: Half, topic: str, text: str, expects: frozenset[str]) -> Question:
    return Question(
        text=text,
        asked=Asked.TALK,
        half=half,
        topic=topic,
        scopes=(f"project:{topic}",),
        expects=expects,
    )

"""Functions that an agent has at hand, and what a person says who needs one of them.

Nobody who wants something done names the function, and definitions come as their authors write
them: as a schema, as a signature, as prose. So each sheet line is put in one of those three ways.
All lie in one scope, searched together with everything else that the team knows.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from random import Random

from hermes.bench.recall_set.labelled import NOW, Asked, Half, LabelledSet, Question
from hermes.bench.recall_set.sheets import files, topics
from hermes.records.memory import Memory, MemoryKind, Trust

SCOPE = "team:tools"
_SCOPES = (SCOPE,)
Parameters = Sequence[tuple[str, str, str]]


def tools() -> LabelledSet:
    memories: list[Memory] = []
    questions: list[Question] = []
    for half, topic, line in _lines():
        if line.startswith("> "):
            questions.append(
                Question(
                    text=line[2:],
                    asked=Asked.TOOL,
                    half=half,
                    topic=topic,
                    scopes=_SCOPES,
                    expects=frozenset({memories[-1].id}),
                )
            )
        else:
            memories.append(_definition(*line.split(" | ")))
    return LabelledSet(memories=tuple(memories), questions=tuple(questions))


def _lines() -> Iterator[tuple[Half, str, str]]:
    for file in files("tools"):
        for half, topic, body in topics(file):
            for line in filter(None, body.splitlines()):
                yield half, topic, line


def _definition(name: str, does: str, parameters: str) -> Memory:
    draw = Random(name)
    taken = [tuple(one.split(":")) for one in parameters.split("; ")]
    written = draw.choice((_schema, _signature, _prose))
    return Memory(
        id=name,
        text=written(name, does, [(one[0], one[1], one[2]) for one in taken]),
        kind=MemoryKind.DECLARATIVE,
        scope=SCOPE,
        source="bench",
        trust=Trust.IMPORTED,
        created_at=NOW - timedelta(days=draw.randint(3, 200)),
    )


def _schema(name: str, does: str, parameters: Parameters) -> str:
    properties: Mapping[str, object] = {
        key: {"type": kind, "description": meaning} for key, kind, meaning in parameters
    }
    shape = {"type": "object", "properties": properties, "required": [parameters[0][0]]}
    return json.dumps({"name": name, "description": does, "parameters": shape})


def _signature(name: str, does: str, parameters: Parameters) -> str:
    taken = ", ".join(f"{key}: {kind}" for key, kind, _ in parameters)
    meanings = "\n".join(f"    {key}: {meaning}" for key, _, meaning in parameters)
    return f"{name}({taken})\n    {does}\n\n{meanings}"


def _prose(name: str, does: str, parameters: Parameters) -> str:
    taken = ", ".join(f"{key} ({meaning.lower()})" for key, _, meaning in parameters)
    return f"{name}: {does} Parameters: {taken}."

"""Functions and requests of the Berkeley Function Calling Leaderboard, as memories and questions.

Nothing is fitted on it. Only the data of its package is read, none of its code runs. Taken are the
six large single-turn categories in Python; two functions are the same where name and description
are, and what a request expects are the functions that its recorded answer calls.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

from hermes.bench.recall_set.labelled import NOW, Asked, Half, LabelledSet, Question
from hermes.errors import CorruptData
from hermes.records.memory import Memory, MemoryKind, Trust

CATEGORIES = (
    "simple_python",
    "multiple",
    "parallel",
    "parallel_multiple",
    "live_simple",
    "live_multiple",
)
SCOPE = "team:functions"


def installed_data(python: Path) -> Path | None:
    """Where the environment of this Python has the data; None where it has not."""
    found = python.parent.parent.glob("lib/python*/site-packages/bfcl_eval/data")
    return next(found, None)


def public_tools(data: Path) -> LabelledSet:
    memories: dict[tuple[str, str], Memory] = {}
    questions: list[Question] = []
    for category in CATEGORIES:
        name = f"BFCL_v4_{category}.json"
        answers = {row["id"]: row["ground_truth"] for row in _rows(data / "possible_answer" / name)}
        for row in _rows(data / name):
            offered: dict[str, str] = {}
            for function in row["function"]:
                key = (function["name"], function["description"])
                memory = memories.setdefault(key, _definition(function, len(memories)))
                offered[function["name"]] = memory.id
            called = {name for call in answers[row["id"]] for name in call}
            questions.append(_question(row, category, frozenset(offered[one] for one in called)))
    return LabelledSet(memories=tuple(memories.values()), questions=tuple(questions))


def _rows(file: Path) -> Iterator[dict[str, Any]]:
    with file.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                row: dict[str, Any] = json.loads(line)
            except ValueError as error:
                told = f"not a line of JSON: {error}"
                raise CorruptData(told, where=str(file), line=number) from None
            yield row


def _definition(function: Mapping[str, Any], number: int) -> Memory:
    """The schema as an agent is given it: name, description, parameters."""
    return Memory(
        id=f"{function['name']} {number}",
        text=json.dumps(function, ensure_ascii=False),
        kind=MemoryKind.DECLARATIVE,
        scope=SCOPE,
        source="bench",
        trust=Trust.IMPORTED,
        created_at=NOW - timedelta(days=1),
    )


def _question(row: Mapping[str, Any], category: str, expects: frozenset[str]) -> Question:
    said = [
        turn["content"] for turns in row["question"] for turn in turns if turn["role"] == "user"
    ]
    return Question(
        text="\n".join(said),
        asked=Asked.TOOL,
        half=Half.MEASURED,
        topic=category,
        scopes=(SCOPE,),
        expects=expects,
    )

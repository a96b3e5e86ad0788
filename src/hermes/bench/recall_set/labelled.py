"""The words of the set: a question with the memories that answer it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from hermes.records.memory import Memory
from hermes.rules.recalling.terms import item_terms, query_terms

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
"""A Monday. Every question of ours is asked then: `last week` in it means the week before."""


class Half(StrEnum):
    """Weights may be fitted on the one; the other only measures. No topic is in both."""

    FITTED = "fit"
    MEASURED = "measured"


class Asked(StrEnum):
    """What makes a question hard. `single` to `open` are asked of short threads, `talk` of two
    people who talk for most of a year; `tool` is a wish that one of many functions fulfils."""

    PARAPHRASE = "paraphrase"
    IDENTIFIER = "identifier"
    TEMPORAL = "temporal"
    NEGATIVE = "negative"
    SINGLE = "single"
    MULTI = "multi"
    WHEN = "when"
    OPEN = "open"
    TALK = "talk"
    TOOL = "tool"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """`expects` are the ids of all memories that answer it: none for a negative one."""

    text: str
    asked: Asked
    half: Half
    topic: str
    scopes: tuple[str, ...]
    expects: frozenset[str]
    asked_at: datetime = NOW


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledSet:
    memories: tuple[Memory, ...]
    questions: tuple[Question, ...]

    def joined(self, *others: LabelledSet) -> LabelledSet:
        every = (self, *others)
        return LabelledSet(
            memories=tuple(memory for one in every for memory in one.memories),
            questions=tuple(question for one in every for question in one.questions),
        )


def shared_words(question: Question, memories: Iterable[Memory]) -> float:
    """The part of a question's words that its answers have too, in whatever form."""
    asked = set(query_terms(question.text, NOW.date()).words)
    answers = [memory for memory in memories if memory.id in question.expects]
    told = {term for one in answers for term in item_terms(one)}
    return len(asked & told) / len(asked) if asked else 0.0

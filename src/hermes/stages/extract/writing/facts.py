"""What a model is told of a procedure: the mined facts, never a transcript."""

from __future__ import annotations

import json

from hermes.records.codec import Json
from hermes.records.procedure import Lesson, Procedure

_LONGEST_CODE = 800
_MOST_LESSONS = 6


def facts_of(procedure: Procedure) -> str:
    """Brief: a fraction of what the examples themselves would cost to read."""
    found = {clue.parameter: clue.how for clue in procedure.how_to_find}
    facts: dict[str, Json] = {
        "name": procedure.name,
        "intent": procedure.intent,
        "when": list(procedure.trigger_conditions[:1]),
        "parameters": [
            {"name": one.name, "type": one.type, "found": found.get(one.name, "")}
            for one in procedure.parameters
        ],
        "steps": [
            {"title": step.title, "code": _cut(step.code), "optional": step.optional}
            for step in procedure.steps
        ],
        "outputs": list(procedure.outputs),
        "constraints": _told(procedure.guardrails),
        "pitfalls": _told(procedure.pitfalls),
        "checks": _told(procedure.success_criteria),
    }
    kept = {name: value for name, value in facts.items() if value}
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":"))


def _told(lessons: tuple[Lesson, ...]) -> list[str]:
    return [f"{one.text} {one.remedy}".strip() for one in lessons[:_MOST_LESSONS]]


def _cut(code: str) -> str:
    if len(code) <= _LONGEST_CODE:
        return code
    return f"{code[:_LONGEST_CODE].rsplit(chr(10), 1)[0]}\n…"

"""score_task: is this a task worth learning from, and how could it be worded better?

Four dimensions, each 0 to 1, weighed into one total. Repeatability and clarity weigh most: what
never comes back teaches nothing, and what is not said cannot be checked.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from hermes.rules.rubric import signals
from hermes.rules.rubric.advice import advice_for
from hermes.rules.rubric.words import LONGEST, TaskWords

HIGH, LOW = 0.8, 0.3
_WEIGHTS = {
    "repeatability": 0.3,
    "clarity": 0.3,
    "tool_diversity": 0.2,
    "error_scenarios": 0.2,
}


class Level(StrEnum):
    HIGH = "high"
    MIDDLING = "middling"
    LOW = "low"


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskScore:
    """`advice` says how to word it better, weakest dimension first; `notes` what was not read."""

    repeatability: float
    clarity: float
    tool_diversity: float
    error_scenarios: float
    total: float
    level: Level
    tool_kinds: tuple[str, ...]
    advice: tuple[str, ...]
    notes: tuple[str, ...]


def score_task(text: str) -> TaskScore:
    """The rubric on one task. The same text always gives the same score; no model is asked."""
    task = TaskWords.of(text)
    kinds = tuple(str(kind) for kind in signals.tool_kinds(task))
    scores = {
        "repeatability": signals.repeatability(task),
        "clarity": signals.clarity(task),
        "tool_diversity": signals.tool_diversity(task),
        "error_scenarios": signals.error_scenarios(task),
    }
    total = round(sum(_WEIGHTS[name] * score for name, score in scores.items()), 2)
    return TaskScore(
        **scores,
        total=total,
        level=_level(total),
        tool_kinds=kinds,
        advice=advice_for(task, scores, kinds),
        notes=tuple(_notes(task)),
    )


def _level(total: float) -> Level:
    if total >= HIGH:
        return Level.HIGH
    return Level.LOW if total <= LOW else Level.MIDDLING


def _notes(task: TaskWords) -> list[str]:
    notes = []
    if not task.words:
        notes.append("there is no task: the text has no words")
    elif not task.is_english:
        notes.append(
            "the rubric reads English: of this text it understood only formats, numbers and names, "
            "so the score is too low rather than too high"
        )
    if task.cut:
        notes.append(f"only the first {LONGEST:,} characters were read")
    return notes

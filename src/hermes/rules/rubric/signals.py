"""The four dimensions of the rubric, each a number from 0 to 1 read off a task's words."""

from __future__ import annotations

import re

from hermes.rules.rubric import cues
from hermes.rules.rubric.vocabulary import (
    ARTEFACTS,
    FORMATS,
    KINDS,
    LOOSE_VERBS,
    SYSTEMS,
    VERBS,
    ToolKind,
)
from hermes.rules.rubric.words import TaskWords


def tool_kinds(task: TaskWords) -> tuple[ToolKind, ...]:
    """The kinds of tool its words call for."""
    return tuple(kind for kind, words in KINDS.items() if task.stems & words)


def repeatability(task: TaskWords) -> float:
    """A cadence says it outright; a batch or a flow from a source to a result says it nearly."""
    if _is_talk(task):
        return 0.0
    acts = bool(task.stems & VERBS)
    if cues.CADENCE.search(task.text):
        score = 1.0
    elif not acts:
        score = 0.1 if task.stems & ARTEFACTS else 0.0
    elif cues.BATCH.search(task.text):
        score = 0.85
    elif _flows(task):
        score = 0.75
    else:
        score = 0.4 if task.stems & (FORMATS | SYSTEMS | ARTEFACTS) else 0.2
    if cues.ONE_OFF.search(task.text):
        return min(score, 0.1)
    return score


def clarity(task: TaskWords) -> float:
    """What to do, with what, to what end: each that is named adds, each that is left open costs."""
    verbs = task.stems & VERBS
    named = task.stems & (FORMATS | SYSTEMS | ARTEFACTS)
    score = 0.3 if verbs else 0.0
    score += 0.25 if task.stems & FORMATS else 0.0
    score += 0.2 if named else 0.0
    score += 0.15 if len(named) > 2 else 0.0
    score += 0.2 if task.stems & SYSTEMS or re.search(r"\S/\S|\w\.\w{2,5}\b", task.text) else 0.0
    score += 0.2 if cues.QUANTITY.search(task.text) else 0.0
    score += 0.1 if len(verbs) > 2 else 0.0
    vague = len(cues.VAGUE.findall(task.text))
    score -= 0.15 * vague if not named else 0.05 * min(vague, 3)
    score -= 0.15 if task.stems & LOOSE_VERBS and not verbs else 0.0
    if _is_talk(task):
        score = min(score, 0.2)
    return _within(score)


def tool_diversity(task: TaskWords) -> float:
    """One kind of tool is an exercise in that tool; three make a procedure."""
    if _is_talk(task):
        return 0.0
    return (0.0, 0.25, 0.6, 0.9, 1.0)[min(len(tool_kinds(task)), 4)]


def error_scenarios(task: TaskWords) -> float:
    """Named failures teach most, then branches and checks; systems outside fail by themselves."""
    if cues.CERTAIN.search(task.text):
        return 0.0
    if cues.FAILURE.search(task.text) and not task.only_asks:
        return 1.0
    if _is_talk(task):
        return 0.0
    if cues.BRANCH.search(task.text):
        return 0.8
    outside = 0.2 * min(len(task.stems & SYSTEMS), 2)
    return _within(outside + (0.5 if cues.CHECKING.search(task.text) else 0.0))


def _is_talk(task: TaskWords) -> bool:
    return task.only_asks or task.makes_up


def _flows(task: TaskWords) -> bool:
    """Data comes from somewhere named and ends somewhere named."""
    named = task.stems & (FORMATS | SYSTEMS | ARTEFACTS)
    return bool(len(named) > 1 and cues.SOURCE.search(task.text) and cues.SINK.search(task.text))


def _within(score: float) -> float:
    return round(min(1.0, max(0.0, score)), 2)

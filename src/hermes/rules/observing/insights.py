"""Key insights: what a run shows, in short sentences that code can vouch for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

from hermes.rules.observing.efficiency import Figures
from hermes.rules.observing.learning_value import Worth
from hermes.rules.observing.outcome import Judgement
from hermes.rules.observing.recovery import Recovery

OPINION = "opinion: "
"""What a model thinks is marked so, wherever it is kept."""
_MOST = 3
_QUOTED = 200


def insights(
    judgement: Judgement,
    recoveries: Sequence[Recovery],
    corrections: Sequence[str],
    worth: Worth,
    run: Figures,
    others: Sequence[Figures],
) -> tuple[str, ...]:
    """One fact each: the outcome first, then what was learned, then what it took."""
    return (
        _outcome(judgement),
        *_recovered(recoveries),
        *(f"the user corrected: {_quoted(words)}" for words in corrections[:_MOST]),
        _effort(run, others),
        _value(worth),
    )


def _outcome(judgement: Judgement) -> str:
    word = {True: "success", False: "no success", None: "outcome unknown"}[judgement.success]
    if judgement.success is None:
        return f"{word}: {judgement.reason}"
    return f"{word} ({judgement.source}, confidence {judgement.confidence:g}): {judgement.reason}"


def _recovered(recoveries: Sequence[Recovery]) -> Iterator[str]:
    """Lessons one by one; what passed by itself, and what stayed broken, as counts."""
    lessons = {one.failure.key: one for one in recoveries if one.teaches}
    for one in list(lessons.values())[:_MOST]:
        failure = one.failure
        problem = failure.problem.rstrip(".")
        yield f"{failure.subject} failed: {problem}; what helped: {one.remedy}"
    passing = sum(not one.teaches and one.recovered_by is not None for one in recoveries)
    if passing:
        yield f"{_count(passing, 'failure')} of the moment or the machine, overcome"
    stuck = sum(one.recovered_by is None for one in recoveries)
    if stuck:
        yield f"{_count(stuck, 'failure')} without a recovery"


def _effort(run: Figures, others: Sequence[Figures]) -> str:
    text = f"{_count(run.steps, 'tool call')}, {_count(run.errors, 'error')}"
    if not others:
        return text
    middle = median(one.steps for one in others)
    return f"{text}; {_count(len(others), 'similar run')} took {middle:g} tool calls in the middle"


def _value(worth: Worth) -> str:
    parts = {
        "success 0.4": worth.succeeded,
        "three or more tools 0.2": worth.many_tools,
        "recovered from an error 0.2": worth.recovered and worth.succeeded,
        "generalisable 0.2": worth.generalisable,
    }
    counted = [part for part, counts in parts.items() if counts]
    return f"learning value {worth.value:g}: {' + '.join(counted) or 'nothing counts yet'}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _quoted(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _QUOTED else f"{text[: _QUOTED - 1]}…"

"""A run as passages: pieces short enough that a hit in one says where to look.

A passage names a place, not a copy: its text lies in the step it was cut from, so an index of
passages costs less than the text and forgets with it. Of a long result the beginning and the end
are read, where a program says what it does and how it ended; what lies between is data.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from hermes.records.codec import Json
from hermes.records.past import PassageKind
from hermes.records.trajectory import Step, StepType
from hermes.rules.similarity.tokens import tokens

FORM = 1
"""Raise it when passages are cut or their words counted in another way: every run is indexed anew.
"""
LONGEST = 1_200
"""Characters of a passage: about what the embedder reads of a text."""
_MESSAGE_READ = 20 * LONGEST
_CALL_READ = 2 * LONGEST
_MOST_STEPS = 2_000
"""Of a longer run the first and the last are read: what was wanted, and how it ended."""
_ERRORS_EMBEDDED = 4
_ANSWER_EMBEDDED = 2


class Passage(NamedTuple):
    """`start` and `end` are places in `searchable(step)`; step 0 is the request itself."""

    step_id: int
    kind: PassageKind
    start: int
    end: int


def passages_of(task: str, steps: Sequence[Step]) -> Iterator[tuple[Passage, str]]:
    """The passages of a run, each with its text, in the order of what happened."""
    if len(steps) > _MOST_STEPS:
        half = _MOST_STEPS // 2
        steps = (*steps[:half], *steps[-half:])
    asked = _step_that_asks(task, steps)
    if asked is None:
        yield from _cut(0, PassageKind.REQUEST, task)
    for step in steps:
        kind = PassageKind.REQUEST if step is asked else kind_of(step)
        yield from _cut(step.step_id, kind, searchable(step))


def _step_that_asks(task: str, steps: Sequence[Step]) -> Step | None:
    """A log repeats the request as its first message; it is indexed once."""
    for step in steps:
        if step.type is StepType.MESSAGE:
            return step if step.content.strip() == task.strip() else None
    return None


def kind_of(step: Step) -> PassageKind:
    """Whose words a step has."""
    if step.type is StepType.MESSAGE:
        said_by_user = step.metadata.get("role") == "user"
        return PassageKind.USER if said_by_user else PassageKind.AGENT
    if step.type is StepType.THOUGHT:
        return PassageKind.THOUGHT
    if step.type is StepType.TOOL_CALL:
        return PassageKind.CALL
    code = step.metadata.get("exit_code")
    failed = step.metadata.get("error") is True or (isinstance(code, int) and code != 0)
    return PassageKind.ERROR if failed else PassageKind.RESULT


def searchable(step: Step) -> str:
    """The words of a step: of a call the tool and what it was given."""
    if step.type is not StepType.TOOL_CALL:
        return step.content
    tool = str(step.metadata.get("tool_name") or "")
    given = " ".join(_values(step.metadata.get("arguments")))
    return f"{tool} {given}" if given else (tool or step.content)


def _values(value: Json) -> Iterator[str]:
    if isinstance(value, Mapping):
        for one in value.values():
            yield from _values(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _values(one)
    elif value is not None and not isinstance(value, bool):
        yield str(value)


def _cut(step_id: int, kind: PassageKind, text: str) -> Iterator[tuple[Passage, str]]:
    for start, end in _read(kind, len(text)):
        while start < end:
            until = _break(text, start, min(start + LONGEST, end), end)
            piece = text[start:until]
            if not piece.isspace():
                yield Passage(step_id, kind, start, until), piece
            start = until


def _read(kind: PassageKind, length: int) -> tuple[tuple[int, int], ...]:
    """The stretches of a text that are indexed."""
    if kind in (PassageKind.RESULT, PassageKind.ERROR) and length > 2 * LONGEST:
        return (0, LONGEST), (length - LONGEST, length)
    most = _CALL_READ if kind is PassageKind.CALL else _MESSAGE_READ
    return ((0, min(length, most)),)


def _break(text: str, start: int, until: int, end: int) -> int:
    """Between two lines or words where there is a break in the last third of a piece."""
    if until >= end:
        return until
    earliest = start + (until - start) * 2 // 3
    for sign in ("\n", " "):
        at = text.rfind(sign, earliest, until)
        if at >= 0:
            return at + 1
    return until


def terms_of(text: str) -> Mapping[str, int]:
    """How often a passage has each of its terms."""
    return Counter(tokens(text))


def worth_a_vector(passages: Sequence[Passage]) -> list[int]:
    """Which passages are searched by meaning: the request, the answer, and the ends of errors.

    These say in sentences what was wanted, what came of it and what went wrong. Commands and data
    are looked for by their very words, and a vector of theirs would cost three times the text.
    """
    request = [at for at, one in enumerate(passages) if one.kind is PassageKind.REQUEST][:1]
    last_said = max((one.step_id for one in passages if one.kind is PassageKind.AGENT), default=0)
    answer = [
        at
        for at, one in enumerate(passages)
        if one.kind is PassageKind.AGENT and one.step_id == last_said
    ]
    ends = {one.step_id: at for at, one in enumerate(passages) if one.kind is PassageKind.ERROR}
    errors = list(ends.values())
    half = _ERRORS_EMBEDDED // 2
    kept = errors if len(errors) <= _ERRORS_EMBEDDED else [*errors[:half], *errors[-half:]]
    return sorted({*request, *answer[:_ANSWER_EMBEDDED], *kept})

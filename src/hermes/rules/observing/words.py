"""What people and the agent said about the work: the user's next words, the agent's own claim.

Only messages speak here. What a file or a command printed is not anybody's word, whatever it says.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from hermes.records.trajectory import Step, StepType
from hermes.rules.similarity.tokens import tokens

_SPECIFIC = re.compile(
    r"(?<![\w./~-])[\w.~-]{0,80}[\d/][\w./-]*|\b[\w-]{1,80}\.\w{1,8}\b|\"[^\"]*\"|'[^']*'|`[^`]*`"
)
_SAME_WORDS = 0.8
_DONE = re.compile(
    r"\b(?:done|finished|complete(?:d)?|success(?:ful(?:ly)?)?|works(?: now)?|fixed|created|"
    r"generated|saved|written|wrote|implemented|updated|added|converted|exported|produced|"
    r"all (?:tests|checks) pass(?:ed)?|is (?:ready|in place))\b",
    re.I,
)
_NOT_DONE = re.compile(
    r"\b(?:(?:could|was|were|am|is)(?:n['’]t| not) (?:able|possible)|could(?:n['’]t| not)|"
    r"(?:did|does|do)(?:n['’]t| not) (?:\w+ )?(?:work|succeed|pass|complete|finish|help|run)|"
    r"cannot (?:complete|finish|do|continue|proceed|access|reach)|unable to|fail(?:s|ed) to|"
    r"still (?:broken|wrong|fail\w*|not)|gave up|not (?:yet )?(?:done|finished|complete)|"
    r"unfortunately|without success|incomplete)\b",
    re.I,
)
_BUT_FINE = re.compile(r"\b(?:no|zero|0|never|without|any) (?:\w+ )?(?:fail|error)\w*", re.I)
_OPENING = 600
"""Characters of the last message in which the agent says how it went."""

PRAISE = frozenset({"thanks"})
BLAME = frozenset({"correction", "frustration"})


def last_words(steps: Sequence[Step]) -> tuple[str, bool] | None:
    """The kind of the user's last follow-up, and whether the agent worked on after it."""
    answered = False
    for step in reversed(steps):
        if step.type is StepType.TOOL_CALL:
            answered = True
        kind = step.metadata.get("follow_up")
        if step.type is StepType.MESSAGE and step.metadata.get("role") == "user" and kind:
            return str(kind), answered
    return None


def corrections(steps: Sequence[Step]) -> tuple[str, ...]:
    """What the user said to put the agent right, in order."""
    return tuple(
        step.content
        for step in steps
        if step.type is StepType.MESSAGE
        and step.metadata.get("role") == "user"
        and step.metadata.get("follow_up") == "correction"
    )


def repeats(task: str, following: str) -> bool:
    """Whether the next request asks for the same again: the same words and the same specifics.

    `sort jan.csv` after `sort feb.csv` is the next piece of work, not a complaint.
    """
    if set(_SPECIFIC.findall(task)) != set(_SPECIFIC.findall(following)):
        return False
    before, after = set(tokens(task)), set(tokens(following))
    both = before | after
    return bool(both) and len(before & after) / len(both) >= _SAME_WORDS


def claim(steps: Sequence[Step]) -> bool | None:
    """What the agent's last message says of the outcome; None where it says neither."""
    for step in reversed(steps):
        if step.type is StepType.MESSAGE and step.metadata.get("role") == "assistant":
            said = _BUT_FINE.sub("", step.content[:_OPENING])
            if _NOT_DONE.search(said):
                return False
            return True if _DONE.search(said) else None
    return None

"""How far a task is one of a kind of tasks, measured against the other tasks there are.

    generality = reach × (1 + share) / 2

`reach` is the similarity of the second most similar other task, as a part of SAME_KIND, at most 1:
with this one those make the three that a draft needs, and one look-alike is not enough. `share` is
how much of the task's own wording can come again: a term counts where it is a parameter (a path, a
number, a date, something in quotes) or where a similar task has it too; a noun that nobody else
ever used does not. From THRESHOLD on a task is called generalisable.

The constants are read off the offline embedder: two wordings of one request are mostly at 0.45 to
0.75 once their parameters are masked, unrelated requests below 0.3.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from hermes.rules.clustering.masking import masked
from hermes.rules.similarity.tokens import tokens

THRESHOLD = 0.35
SAME_KIND = 0.6
_OTHERS = 2
_RELATED = 0.4
"""Similarity from which another task's words say that a term is common to both."""
_READ = 4_000
_PARAMETER = re.compile(
    r"<\w+>|\"[^\"\n]*\"|'[^'\n]*'|`[^`\n]*`|\{\w+\}|https?://\S+|(?<![\w./~-])[\w.~-]{0,80}/"
    r"[\w./~*-]+|\b[\w*-]{1,80}\.[A-Za-z]\w{0,7}\b|\bv?\d[\w.,:%-]*"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    """Another task and how similar its text is, from 0 to 1."""

    text: str
    similarity: float


def generality(task: str, neighbours: Sequence[Neighbour]) -> float:
    """From 0 to 1; 0 while fewer than two others are there to compare with."""
    near = sorted(neighbours, key=lambda one: one.similarity, reverse=True)
    if len(near) < _OTHERS:
        return 0.0
    reach = min(1.0, max(0.0, near[_OTHERS - 1].similarity) / SAME_KIND)
    related = [one.text for one in near if one.similarity >= _RELATED]
    return round(reach * (1 + _share(task[:_READ], related)) / 2, 4)


def _share(task: str, related: Sequence[str]) -> float:
    parameters = len(_PARAMETER.findall(task))
    terms = set(tokens(_PARAMETER.sub(" ", task)))
    common = {term for text in related for term in tokens(_PARAMETER.sub(" ", text[:_READ]))}
    whole = parameters + len(terms)
    return (parameters + len(terms & common)) / whole if whole else 0.0


def overlap(one: str, other: str) -> float:
    """Similarity by words alone, for where no embedder is at hand."""
    before, after = set(tokens(masked(one))), set(tokens(masked(other)))
    both = before | after
    return len(before & after) / len(both) if both else 0.0

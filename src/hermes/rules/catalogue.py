"""The skills a prompt names: the relevant ones described, all the others counted.

Pure, and bounded by its budget at any size of the library. Every live skill is either shown or
counted, once. What is shown is printed by category and name, not by rank: two tasks that need the
same skills get the same bytes, which a provider's prompt cache rewards.
"""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Callable, Sequence

from hermes.records.skill import Skill

GENERAL = "general"
"""What a skill without a category is counted under."""

_OPEN, _CLOSE = "<available_skills>", "</available_skills>"
_LEADING = 5
_WIDTHS = (
    (1024, 1024),
    (1024, 400),
    (1024, 200),
    (1024, 100),
    (400, 100),
    (200, 100),
    (100, 60),
    (60, 60),
)
"""Characters of a description: of the leading skills, of the others. Tried from the widest down;
below 60 a description no longer says when to use a skill, so skills are counted instead."""
_CATEGORIES_NAMED = (40, 20, 10, 5, 2, 0)
_LONGEST_NAME = 64
_CONTROL = {code: None for code in (*range(32), *range(127, 160)) if not chr(code).isspace()}

CountTokens = Callable[[str], int]


def quarter_of_characters(text: str) -> int:
    """Tokens where no tokenizer is at hand, rounded up, so that parts never add up to less."""
    return -(-len(text) // 4)


def catalogue(
    live: Sequence[Skill],
    ranked: Sequence[Skill],
    *,
    budget: int,
    drafts: Sequence[Skill] = (),
    count_tokens: CountTokens = quarter_of_characters,
) -> str:
    """The text for a prompt, of at most `budget` tokens; empty when there is nothing to say.

    `live` is the whole library in its lasting order, `ranked` what the task needs, best first, and
    `drafts` what this session wrote itself and nobody has approved.
    """
    chosen = _by_importance(live, ranked, drafts)
    marked = frozenset(draft.id for draft in drafts)
    frame = count_tokens(f"{_OPEN}\n{_CLOSE}")
    everything = [*chosen, *(s for s in live if s.id not in chosen)] if len(live) <= budget else []
    ...

"""Which kind a text is when nobody said so."""

from __future__ import annotations

import re

from hermes.records.memory import MemoryKind

_EPISODE = re.compile(
    r"\A\s*Traceback \(most recent|"
    r"\b(?:yesterday|today|tonight|this morning|last (?:week|night|month)|\d+ \w+ ago)\b|"
    r"\b(?:we|i) (?:ran|tried|deployed|fixed|debugged|found|saw|got|merged|released|finished|"
    r"started|met|went|spent|discussed)\b|"
    r"\b(?:the )?(?:run|build|deploy\w*|test|job|session) "
    r"(?:failed|succeeded|passed|crashed|finished|ended)\b",
    re.IGNORECASE,
)
_DEFINITION = re.compile(
    r"\A\s*(?:usage|synopsis|name|parameters?|arguments?|options?|returns?)\s*:|"
    r"\A\s*(?:def|class|function) \w+|"
    r"\b(?:is defined as|stands for|(?:takes|accepts) (?:the )?(?:parameters?|arguments?)|"
    r"returns (?:a|an|the)\b|this (?:skill|tool) )",
    re.IGNORECASE,
)


def kind_of(text: str) -> MemoryKind:
    """What happened is episodic, what a thing is declarative, anything else a fact."""
    if _EPISODE.search(text[:2_000]):
        return MemoryKind.EPISODIC
    if _DEFINITION.search(text[:2_000]):
        return MemoryKind.DECLARATIVE
    return MemoryKind.SEMANTIC

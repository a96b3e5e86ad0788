"""Did a person ask, in words, that something be saved as a skill?

Only the person's own message is read: what a tool prints can say so a hundred times.
"""

from __future__ import annotations

import re

_SAVE = (
    r"(?:save|keep|store|record|remember|write\s+(?:this|that|it|down|up)|turn|make|create|add|put)"
)
_SKILL = (
    r"\bskills?\b(?!\s*-?(?:section|matrix|list|table|gap|page|column|assessment|test|profile))"
)
"""One of ours: not a section of a CV."""
_ASKED = re.compile(
    rf"\b{_SAVE}\b[^.!?\n]{{0,80}}\b(?:as|into|in|to|a|new|the)\b[^.!?\n]{{0,30}}{_SKILL}",
    re.IGNORECASE,
)
_CHANGE = re.compile(
    r"\b(?:update|change|fix|patch|correct|improve|edit)\b[^.!?\n]{0,30}"
    rf"\b(?:the|this|that|your|its)\b[^.!?\n]{{0,40}}{_SKILL}",
    re.IGNORECASE,
)
_A_PERSONS = re.compile(
    r"\b(?:my|his|her|their|our|people'?s|employees?'?s?|team'?s?)\s+(?:\w+\s+){0,2}skills\b",
    re.IGNORECASE,
)
_NOT = re.compile(
    rf"\b(?:don'?t|do\s+not|never|no\s+need\s+to|without)\b[^.!?\n]{{0,30}}\b{_SAVE}\b",
    re.IGNORECASE,
)


def asked_to_save(text: str) -> bool:
    """Whether the message asks for a skill to be written or changed."""
    if _NOT.search(text) or _A_PERSONS.search(text):
        return False
    return bool(_ASKED.search(text) or _CHANGE.search(text))

"""What a procedure's text must not be: a story, a diary, or a model's thinking.

A skill is read by somebody who was not there. Who did what on which day helps them with nothing,
and it is how one bad day becomes a rule.
"""

from __future__ import annotations

import re

_QUOTED = re.compile(r"“[^”]*”|`[^`\n]*`|```.*?```", re.DOTALL)
_SIGNS = (
    (re.compile(r"\b(?:I|I'm|I've|[Mm]e|[Mm]y|[Ww]e|[Ww]e've|us|[Oo]ur)\b"), "it speaks of itself"),
    (
        re.compile(
            r"\b(?:the (?:user|agent|assistant|model)|they|he|she) (?:\w+ed|ran|wrote|found|said|"
            r"made|got|went|saw|did|had|was|were|began|chose|took|gave|told|thought)\b",
            re.IGNORECASE,
        ),
        "it tells what somebody did",
    ),
    (
        re.compile(
            r"\b(?:after|when|then|first|next|finally|at first|initially|eventually)\b[^.\n]{0,40}"
            r"\b(?:was|were|had been|failed|fixed|noticed|realized|realised|discovered|tried|"
            r"happened|succeeded)\b",
            re.IGNORECASE,
        ),
        "it tells a story",
    ),
    (
        re.compile(
            r"\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b|\b(?:yesterday|today|last "
            r"(?:week|month|night)|this (?:session|conversation|time))\b|"
            r"\b(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* \d{1,2},? \d{4}\b",
            re.IGNORECASE,
        ),
        "it has a date of one day",
    ),
)
_THINKING = re.compile(
    r"<(think|thinking|reasoning|scratchpad)\b[^>]*>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE
)
_END_OF_THINKING = re.compile(r"^.*</(?:think|thinking|reasoning|scratchpad)>", re.DOTALL | re.I)


def narrative_in(text: str) -> str:
    """What makes the text a story, with the words that do; empty where it is none.

    Quotations and code are somebody else's words and may say anything.
    """
    plain = _QUOTED.sub(" ", text)
    for pattern, why in _SIGNS:
        found = pattern.search(plain)
        if found is not None:
            return f"{why}: “{found[0]}”"
    return ""


def without_thinking(text: str) -> str:
    """The answer alone, also where a model opened its thinking and never closed it."""
    return _END_OF_THINKING.sub("", _THINKING.sub("", text)).strip()

"""What is not worth remembering: greetings, chatter of the moment, failures that pass.

Each answer is the reason, in words for whoever offered the text.
"""

from __future__ import annotations

import re

from hermes.records.memory import MemoryKind, Trust
from hermes.rules.remembering.cleaning import LONGEST
from hermes.rules.similarity.tokens import tokens

_COURTESY_TEXT = """
hi hello hey hiya yo greetings morning afternoon evening night good bye goodbye cheers thanks thank
thx ty welcome please sorry ok okay k kk yes yep yeah yup no nope nah sure great cool nice fine
awesome perfect excellent wonderful amazing wow lol haha hehe hmm huh ah oh well alright right
got it done there everyone all team folks again much very so just how are you doing today is going
things see later soon talk have day weekend one too same sounds lgtm works now go ahead continue
next proceed understood noted agreed exactly absolutely definitely certainly np problem worries
a an the and for to me my i im we that this of your help appreciate really lot
"""
_COURTESY = frozenset(_COURTESY_TEXT.split())
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_MOMENTARY = re.compile(
    r"\A\W*(?:i(?:'m| am)|let me|i'll|i will|we(?:'re| are)|going to|now)\s+"
    r"(?:(?:now|just|about to|going to)\s+)*"
    r"(?:look|check|run|try|read|open|search|start|continue|see|think|work|take a look)\w*\b"
    r"[^.!?\n]{0,60}[.!?…\s]*\Z",
    re.IGNORECASE,
)
_PASSING = re.compile(
    r"\b(?:connection (?:reset|refused|timed out|aborted|closed)|timed? ?out|timeout(?:error)?|"
    r"temporar(?:y|ily) (?:failure|unavailable)|try again (?:later|in)|"
    r"retry(?:ing)? (?:in|after|attempt)|too many requests|rate.?limit(?:ed|s)?|"
    r"service unavailable|bad gateway|gateway time-?out|overloaded|econnreset|etimedout|"
    r"econnrefused|eai_again|network is unreachable|broken pipe|"
    r"(?:http|status|error|code)\W{0,3}(?:429|502|503|504)|flaked|flaky run)\b",
    re.IGNORECASE,
)
_LASTING = re.compile(
    r"\b(?:because|since|so that|fix(?:ed|es)?|solution|solved|caused by|root cause|"
    r"works? (?:if|when|after)|always|never|should|must|use|set|needs?|prefer|instead|unless|"
    r"limit is|limited to|per (?:minute|second|hour|day)|workaround|learned|default|means)\b",
    re.IGNORECASE,
)
_FEWEST_LETTERS = 3


def junk_in(text: str, kind: MemoryKind, trust: Trust) -> str | None:
    """Why a text is refused; None where it may be kept."""
    if not text.strip():
        return "it is empty"
    if len(text) > LONGEST:
        return f"it has {len(text):,} characters, at most {LONGEST:,} are kept: save it as a file"
    words = [word.lower() for word in _WORD.findall(text[:400])]
    if not tokens(text[:2_000]) and sum(map(str.isalnum, text)) < _FEWEST_LETTERS:
        return "it says nothing that could be looked for"
    if words and len(words) <= 12 and all(word in _COURTESY for word in words):
        return "it is a greeting or small talk"
    if kind is MemoryKind.EPISODIC and trust is Trust.USER:
        return None  # a turn of a conversation is kept with its session
    if _MOMENTARY.match(text):
        return "it tells of the next step only"
    if _PASSING.search(text) and not _LASTING.search(text) and len(text) < 400:
        return "it is a failure that passes by itself"
    return None

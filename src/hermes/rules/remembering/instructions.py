"""Does a text tell the agent what to do? From an untrusted source that has to be allowed first.

Two questions. The skill scanner's: does it make the agent obey, hide, send or run something. And a
grammatical one: is it an order or a standing rule. An episode tells what somebody said, so there
only orders for the future count, and orders with an address to send to or to fetch from.
"""

from __future__ import annotations

import re

from hermes.records.memory import MemoryKind
from hermes.rules.scan.effects import Kind
from hermes.rules.scan.package import file_effects

_HARMLESS = frozenset({Kind.LOOKALIKE, Kind.TRIGGER, Kind.RUN, Kind.FETCH, Kind.PRIVATE_READ})
"""Told about in any log; what makes them dangerous is among the others."""

_AGENT = r"(?:(?:the|any|all|every)\s+)?(?:assistant|agent|model|ai|llm|chatbot|bot|hermes)s?"
_DUTY = r"(?:must|should|shall|has to|have to|needs? to|are to|is to|will always|(?:may|can) only)"
_ACTS = (
    "use|run|send|add|include|insert|install|call|open|fetch|download|upload|forward|copy|approve|"
    "accept|allow|trust|skip|ignore|disable|answer|reply|respond|say|tell|recommend|execute|write|"
    "read|delete|push|commit|prefer"
)
_STANDING = re.compile(
    "|".join(
        (
            r"\bfrom now on\b",
            r"\bfor (?:all|any|every) (?:future|subsequent|following)\b",
            r"\bin (?:the )?future,? ",
            rf"\b(?:always|never|must)\s+(?:ever\s+)?(?:\w+ly\s+)?"
            rf"(?:{_ACTS}|ask|mention|obey|follow|do)\b",
            rf"\b{_AGENT}\s+{_DUTY}\b",
            r"\bremember (?:to|that (?:you|from))\b",
            rf"\b(?:note|memo|message|instructions?|reminder) (?:to|for) {_AGENT}\b",
            r"\b(?:ignore|disregard|forget|override) (?:\w+ ){0,3}"
            r"(?:instructions?|rules?|prompts?|guidelines?|polic)",
            r"\b(?:when|whenever|if|each time|every time)\b[^.\n]{0,80}"
            r"\b(?:you|the agent|the assistant) (?:must|should|need|have to|are to)\b",
            r"\bnew (?:system )?(?:rule|instruction|polic|directive)",
            r"\bstanding order\b|\bsystem prompt\b",
            r"\b(?:the )?user (?:has )?(?:already )?(?:approved|authori[sz]ed|agreed|consented|"
            r"confirmed|wants you|asked you|prefers that you|would like you)\b",
            r"\b(?:ab jetzt|von nun an|künftig|immer|niemals)\b[^.\n]{0,60}\b\w+en\b",
            r"\b(?:a partir de ahora|de ahora en adelante|siempre|nunca)\s+\w+",
            r"\b(?:désormais|à partir de maintenant|dorénavant|toujours|jamais)\s+\w+",
            r"从现在起|今后|总是|永远不要|务必|忽略(?:之前|以上)|今後|必ず|常に|無視して",
        )
    ),
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"(?:\A|[.!?:;\n]\s*|[-*•>]\s+|\d[.)]\s+|\bplease\s+|\bthen\s+)"
    r"(?:(?:please|kindly|just|simply)\s+)?"
    rf"(?:do not|don't|dont|{_ACTS}|paste|remove|make sure|ensure|remember|set|switch|enable|"
    r"visit|click|post|export|grant|treat|pretend|act|assume|stop|avoid|refuse|check|verify|keep|"
    r"save|store|curl|wget|bash|sudo|rm|pip|npm|always|never)\b"
    r"(?!\s*(?:is|are|was|were|has|failed|returned|:|=))",
    re.IGNORECASE,
)
_TO_YOU = re.compile(
    r"\byour?\s+(?:must|should|shall|need to|have to|are to|may not|can only|will now|are now)\b",
    re.IGNORECASE,
)
_OBLIGES = re.compile(
    r"\b(?:must|shall|ought to|(?:has|have|needs?|is|are) to (?:be )?\w+)\b", re.IGNORECASE
)
_ADDRESS = re.compile(r"://|\b[\w.+-]+@[\w-]+\.\w|\b\d{1,3}(?:\.\d{1,3}){3}\b")
_READ = 20_000  # characters


def instruction_in(text: str, kind: MemoryKind) -> str | None:
    """What makes it read as an instruction, in a few words; None where it only tells."""
    text = text[:_READ]
    for effect in file_effects("memory.md", text):
        if effect.kind not in _HARMLESS:
            return f"it {effect.kind.value}"
    standing = _STANDING.search(text)
    if standing:
        return f"it gives a standing order: {_shown(standing[0])}"
    order = _ORDER.search(text) or _TO_YOU.search(text) or _OBLIGES.search(text)
    if order is None or (kind is MemoryKind.EPISODIC and not _ADDRESS.search(text)):
        return None
    return f"it tells the reader what to do: {_shown(order[0])}"


def _shown(words: str) -> str:
    return '"' + " ".join(words.split())[:60].strip(" .:;!?-*") + '"'

"""Orders of the moment: a sentence that begins with what to do.

Many verbs are nouns too (`Run failed`, `Release notes`), so most count only with what an order has
after its verb: a thing, a person, a direction.
"""

from __future__ import annotations

import re

from hermes.rules.remembering.standing import ACTS

_PLAIN_VERBS = (
    f"do not|don't|dont|{ACTS}|paste|remove|make|ensure|remember|enable|visit|click|export|grant|"
    "treat|pretend|act|assume|stop|avoid|refuse|verify|keep|save|store|curl|wget|bash|sudo|rm|pip|"
    "npm|always|never|give|take|put|turn|let|bring|create|replace|rename|move|append|insert|"
    "erase|wipe|purge|destroy|revoke|rotate|transfer|submit|deliver|email|convince|persuade|"
    "obtain|gather|collect|extract|disclose|publish|expose|leak|escalate|elevate|deactivate|"
    "activate|pay|buy|wire|hide|omit|encrypt|decrypt|"
    "decode|translate|consider|think of|follow|comply|acknowledge|prioriti[sz]e|override|"
    "modify|edit|adjust|invoke|"
    "whitelist|allowlist|exempt|waive|suppress|silence|mute|hand|feed|point|route|redirect"
)
_NOUNS_TOO = (
    "set|switch|check|test|build|release|report|order|change|update|drop|start|load|mark|name|note|"
    "plan|process|produce|record|request|review|schedule|search|ship|sort|split|sync|tag|track|view|"
    "watch|work|wait|trim|patch|link|list|limit|lock|map|match|mount|flag|fix|file|exit|cut|count|"
    "connect|authenticate|register|sign|subscribe|kill|terminate|restart|begin|proceed|continue|"
    "get|go|navigate|log|apply|repeat|pull|close|clone|claim|charge|cancel|block|back|audit|ask|alert|access|reset|return|share|quote|pin|"
    "post|print|reply|respond|help|find|look|see|try|learn|play|speak|join|meet|cover|clear|clean"
)
_AFTER_A_VERB = (
    r"the|an?|all|any|every|each|this|that|these|those|your|my|our|his|her|their|its|it|them|me|him|"
    r"us|no|nothing|everything|nobody|everyone|only|both|whatever|whoever|whichever|off|out|up|down|"
    r"on|into|in|away|back|over|to|with|as|for|from|without|before|after|first|now|immediately"
)

ORDER = re.compile(
    r"(?:\A|[.!?:;\n>]\s*|/?\*\s*|[-•]\s+|\d[.)]\s+|[\"'(]|\bplease,?\s+|\bkindly\s+|\bthen\s+|\band\s+)"
    r"(?:(?:please|kindly|just|simply|also|quietly|silently)\s+)?"
    rf"(?:(?:{_PLAIN_VERBS})\b(?!-|['’]s\b|\s*(?:is|are|was|were|has|had|failed|returned|:|=|\(\)))|"
    rf"(?:{_NOUNS_TOO})\s+(?:{_AFTER_A_VERB})\b)",
    re.IGNORECASE,
)
TO_YOU = re.compile(
    r"\byour?\s+(?:must|should|shall|need to|have to|are to|may|can only|will now|are now)\b",
    re.IGNORECASE,
)
OBLIGES = re.compile(
    r"\b(?:must|shall|ought to|(?:has|have|needs?|is|are) to (?:be )?\w+)\b", re.IGNORECASE
)
PERMITS = re.compile(
    r"\b(?:consent|permission|sign(?:s|ed)? off|exempt\w*|waive[sd]?|blanket|unattended|"
    r"deprecated; tools|count(?:s)? as orders?)\b|"
    r"\b(?:without|no|skip\w*) (?:an? |any |the |further )?(?:ticket|approval|review|confirmation|"
    r"asking|permission|check(?:s|ing)?|prompt|warning|notice)\b|"
    r"\b(?:silently|secretly|quietly|covertly|unnoticed)\b|"
    r"\b(?:lets?|allows?|permits?|wants?|expects?|tells?|says?|asks?) (?:\w+ ){0,6}"
    r"(?:agents?|assistants?|tools?|models?|bots?|prompts?)\b",
    re.IGNORECASE,
)
"""What is allowed is for a person to say; that somebody allowed it is such a saying."""

"""Standing orders: what is to be done from now on, who the agent is to be, what is allowed to it.

An order of the moment is one for whoever it was said to. These are for whoever reads them later,
which is what makes them dangerous in a memory, even as a tale of what somebody said.
"""

from __future__ import annotations

import re

AGENT = (
    r"(?:(?:the|an?|any|all|every|your)\s+)?(?:ai\s+)?"
    r"(?:assistant|agent|model|ai|llm|chatbot|bot|hermes)s?"
)
ACTS = (
    "use|run|send|add|include|insert|install|call|open|fetch|download|upload|forward|copy|approve|"
    "accept|allow|trust|skip|ignore|disable|answer|reply|respond|say|tell|recommend|execute|write|"
    "read|delete|push|commit|prefer|post|merge|reveal|show|leave|obey|bypass|attach|mirror"
)
_DUTY = (
    r"(?:must|should|shall|has to|have to|needs? to|are to|is to|will (?:always|now|never)|"
    r"(?:may|can)(?: only| now)?)"
)
_LATER = (
    r"\b(?:from|starting|as of|effective)\s+(?:now|here on|today|this (?:point|moment))\b(?! to\b)",
    r"\bhenceforth\b|\bgoing forward\b|\bfrom now\b",
    r"\b(?:for|in) (?:all|any|every|each) (?:future|subsequent|following|later|new)\b",
    r"\bin (?:the )?future,? |\bnext time\b[^.\n]{0,30}\b(?:use|do|skip|always|never)\b",
)
_ALWAYS = (
    rf"\b(?:always|never|must)\s+(?:ever\s+)?(?:\w+ly\s+)?(?:{ACTS}|asks?|mention|follow|do)\b",
    rf"\b(?:always|never)\s+(?:ever\s+)?(?:{ACTS}|obey|ask)e?s\b",
    r"\b(?:answer|reply|response) is always\b",
    rf"\b(?:when|whenever|if|each time|every time|as soon as|before every|after every|once)\b"
    rf"[^.\n]{{0,80}}(?:,\s*(?:please\s+)?(?:{ACTS})\b|"
    rf"\b(?:you|{AGENT}) (?:must|should|need|have to|has to|are to|posts?|sends?))",
)
_BECOMES = (
    rf"\byou(?:'re| are)(?: now| from now on)?,? (?:an?|the|my|our) (?:\w+ ){{0,3}}{AGENT}\b",
    r"\byou are now\b|\byou (?:now )?play the (?:role|part)\b",
    r"\byour (?:new|true|real|only) \w+ is\b",
    r"\bthink of yourself\b|\b(?:respond|answer|reply|speak) as \w+ would\b",
    r"\b(?:pretend|imagine|act as if|behave as|let'?s play|suppose)\b[^.\n]{0,60}"
    r"\b(?:you|user|agent|assistant|rules?|restrict\w+|administrator|confirmed)\b",
    rf"\b{AGENT}\s+(?:that|who|which)\s+(?:ignores?|never|always|has no|knows no)\b",
    r"\bwithout (?:any )?(?:restrictions|guidelines|limits|safety)\b|\bno (?:safety )?rules\b",
)
_TO_THE_AGENT = (
    rf"\b{AGENT}\s+{_DUTY}\b",
    rf"\b{AGENT}\s+(?:now\s+|always\s+|never\s+)?(?:{ACTS}|obey|skip)(?:e?s)\b",
    rf"\b(?:note|memo|message|instructions?|reminder|hint) (?:to|for) {AGENT}\b",
    rf"(?:\A|[\[(<>:]\s*){AGENT}\s*[,:]\s",
    r"\b(?:ignore|disregard|forget|override|overrule) (?:\w+ ){0,3}"
    r"(?:instructions?|rules?|prompts?|guidelines?|polic|previous|orders)",
    r"\b(?:ignore|disregard|forget) (?:all|any|your|the) (?:previous|prior|earlier|above)\b",
    r"\b(?:tell|assure|convince) (?:the )?users?\b",
    r"\bnew (?:system )?(?:rule|instruction|polic|directive)",
    r"\bstanding order\b|\bsystem prompt\b|\bpolicy (?:update|notice|change)\b",
    r"[\"']role[\"']\s*:\s*[\"']\w+|\bBEGIN (?:TRUSTED|SYSTEM|ADMIN)\b",
    r"\A\W*(?:system|developer|admin\w*)\b(?: message)?\W*[:\]]",
)
_REMEMBER = (
    r"\bremember (?:to|this|that (?:you|from|every|all|always|never))\b|\bremember:",
    r"\b(?:save|add|write|store|put|commit|update) (?:\w+ ){0,4}(?:to |in |into )?"
    r"(?:your |the |long-term )*memory\b",
    r"\bmemori[sz]e\b|\bkeep in mind\b|\bmake a note\b|\btake note\b",
)
_ALLOWED = (
    r"\b(?:the )?user (?:has |had )?(?:already |just )?(?:approve[sd]|authori[sz]e[sd]|agree[sd]|"
    r"consent(?:s|ed)|confirm(?:s|ed)|wants? (?:you|all)|asked you|prefers? that|would like you)\b",
    r"\busers? (?:all )?(?:prefer|want|expect|like) that\b",
    r"\bI(?: hereby)? (?:authori[sz]e|approve|allow|permit|grant|confirm) \w",
    r"\b(?:been|was|is) (?:agreed|decided|approved|confirmed) that\b|\bdecided that\b",
    r"\bsign(?:s|ed) off on\b|\b(?:blanket|standing) (?:consent|permission|approval)\b",
    r"\bneeds? no (?:review|approval|confirmation|check)|\bno need to (?:ask|confirm|check)\b",
    rf"\b(?:lets?|allows?|permits?|wants?|expects?) (?:\w+ ){{0,6}}{AGENT}\b",
    r"\b(?:outranks?|overrules?|overrides?|speaks? for|acts? for|on behalf of|trumps?) "
    r"(?:what |the |any |all )?(?:user|users|people|owner|admin\w*|system|chat)\b",
    r"\b(?:god|developer|debug|admin|jailbreak) mode\b|\bguard ?rails?\b|\bjailbr\w+",
    r"\b(?:request|approval|consent|permission|wish)\b[^.\n]{0,30}\b(?:covers?|includes?|extends)\b",
    r"\b(?:reviewed and cleared|cleared for|free of (?:it|approval|review)|is fine for)\b",
    r"\b(?:same|higher) (?:standing|authority|priority) (?:as|than) the (?:user|system)\b",
)
_CUSTOM = (
    r"\bcode ?words?\b|\b(?:means|stands for):? (?:to )?(?:eras|delet|remov|send|post|upload)\w*",
    r"\b(?:first|second|next) (?:half|part) of the (?:rule|order|instruction)\b",
    r"\bno matter what\b|\bwithout a human\b|\bbefore any(?:one|body) (?:reads|sees|notices)\b",
    r"\b(?:standard|best|common|established) practice\b|\bteam convention\b|\bconvention:",
    r"\b(?:correct|recommended|preferred|right|official|required) (?:procedure|way|method|practice)"
    r"\b[^.\n]{0,20}\b(?:is|to)\b",
    r"\b(?:requires?|demands?|expects?) that\b",
)

STANDING = re.compile(
    "|".join((*_LATER, *_ALWAYS, *_BECOMES, *_TO_THE_AGENT, *_REMEMBER, *_ALLOWED, *_CUSTOM)),
    re.IGNORECASE,
)

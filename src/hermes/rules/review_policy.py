"""What a background review may not write, checked by code: the prompt asks for it, this makes sure.

A lesson is refused when it is the story of one incident, a verdict on a tool that failed once, or
the state that one machine was in. A line that says what to do about it is a lesson and stays. Each
refusal says what to write instead.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from hermes.rules.incident_names import is_incident

_FLAGS = re.IGNORECASE | re.MULTILINE
_HERE = r"(?:here|again|at\s+all|any\s?more|for\s+now|[io]n\s+(?:this|the)\s+\w+)"
_THING = r"(?!(?:an?|more|both|two|as)\b)(?:(?:the|this|that|our|any)\s+)?[\w./`'\"+-]+"
_QUALIFIED = r"(?:in|on|for|of|with|at|as|to|from|by|before|after|once|because|when|if|unless|over)"
_FORBIDDEN = re.compile(
    r"\b(?:do\s+not|don'?t|never|avoid|stop|cannot|can'?t)\s+(?:ever\s+)?"
    r"(?:use|using|run|running|call|calling|rely(?:ing)?\s+on|try|trying|trust(?:ing)?)\s+"
    rf"{_THING}(?:\s+(?!{_QUALIFIED}\b)[\w./`'\"+-]+){{0,2}}(?:\s+{_HERE})?\s*(?:[.,;!]|$)",
    _FLAGS,
)
"""A tool forbidden as such. What is forbidden in a certain place, or of a kind, is a practice."""
_VERDICT = re.compile(
    r"\b(?:does|do|did)\s*(?:not|n'?t)\s+work\b|\bnever\s+works?\b|"
    r"\balways\s+(?:fails?|breaks?|crash(?:es)?)\b|\bcannot\s+be\s+(?:trusted|used|relied\s+on)\b|"
    r"\b(?:is|are|was|were)\s+(?:unavailable|unusable|unreliable|broken|useless|down|flaky|"
    r"blocked|unreachable|not\s+(?:available|supported|working|usable|reliable))\b|"
    r"\bhangs\s*[.!]?$",
    _FLAGS,
)
_ENVIRONMENT = re.compile(
    r"\b(?:command|binary)\s+(?:is\s+|was\s+)?not\s+found\b|\bModuleNotFoundError\b|"
    r"\bno\s+such\s+(?:command|module|binary)\b|\bno\s+(?:credentials?|api\s+keys?|internet)\b|"
    r"\b(?:is|are|was|were|had|has)\s+(?:missing|absent|unset|expired)\b|"
    r"\b(?:is|are|was|were|had|has)\s+not\s+(?:been\s+)?(?:logged\s+in|installed|configured|"
    r"visible|running|reachable|set)\b|"
    r"\b(?:was|were)\s+(?:invalid|full|blocked)\b|\bblocked\s+the\b|"
    r"\b(?:machine|environment|sandbox|host|container|agent)\s+(?:has\s+no|lacks)\b|"
    r"\bcould\s+not\s+(?:be\s+)?(?:reached|found|find|connect|load|resolve)\b|"
    r"\b(?:did\s+not|didn'?t)\s+(?:load|respond|answer|start)\b|\bpermission\s+denied\b|"
    r"\bconnection\s+(?:was\s+)?(?:refused|reset)\b|\bnetwork\s+(?:error|was|is)\b|"
    r"\b(?:HTTP|status|code|returned|gave|got|a)\s+(?:HTTP\s+)?(?:429|50[0234])\b|"
    r"\brate[- ]limited\b|\btimed\s+out\b|\bcrashed\b|\breturned\s+an\s+error\b|"
    r"\b(?:failed|broke|crashed|timed\s+out)\s+once\b|\bsetup\s+(?:was|is)\s+broken\b|"
    r"\bfresh\s+install(?:ation)?\b|\bthis\s+time\b",
    _FLAGS,
)
_DO = (
    r"(?:install|set|export|retry|wait|configure|add|check|run|use|ask|create|fix|start|restart|"
    r"renew|look|convert|delete|remove|lower|raise|write|read|try|pass|mark|leave|switch|prefer|"
    r"fall\s+back|state|say|list|report|note|free|sort|quote|pin|tell|skip|compare|change|move|copy|open|send|call|put|give|keep)"
)
_WAY_FORWARD = re.compile(
    rf"(?:^|[.;:,?—|]|\b(?:then|and|so|first))[\s\W]*(?:\d+\.\s*)?{_DO}\b|\binstead\b|"
    r"^\W*(?:\d+\.\s*)?(?:if|when|whenever|unless|where|on)\b[^,]*,\s*\w",
    _FLAGS,
)
_STORY = re.compile(
    r"\b(?:today|yesterday)\b(?!')|\bthis\s+morning\b|\blast\s+(?:night|week|session|time)\b|"
    r"\b(?:the\s+(?:user|person|customer)|they|we|i)\s+(?:then\s+)?(?:asked|said|complained|told|"
    r"wanted|tried|noticed|found\s+out|spent|thanked)\b|"
    r"\bin\s+this\s+(?:session|conversation)\b|\bit\s+turned\s+out\b",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:was|were|had|got|went|did\s+not|didn'?t|could\s+not|couldn'?t|never\s+\w+ed|"
    r"\w+ed\s+(?:once|twice|again))\b",
    re.IGNORECASE,
)
"""What happened. A procedure says what to do, and may name the past only beside that."""
_SO = re.compile(rf"\b(?:so|therefore|hence)\s+(?:always\s+)?{_DO}\b", re.IGNORECASE)
_CODE = re.compile(r"`[^`\n]*`")
_FRONTMATTER = re.compile(r"\A---\n(.*?)\n---\n", re.DOTALL)
_STORY_LINES = 2  # lines of a story that a procedure may have by accident


def refusal_of_skill(arguments: Mapping[str, Any]) -> str | None:
    """Why a call of skill_manage is refused; None where it may go on to the gate."""
    name = str(arguments.get("name", ""))
    if arguments.get("action") == "create" and (refused := refusal_of_name(name)):
        return refused
    path = str(arguments.get("file_path") or "")
    texts = [arguments.get(key) for key in ("content", "new_string", "file_content")]
    for text in texts:
        if not isinstance(text, str):
            continue
        if refused := refusal_of_text(text):
            return refused
        if not path.startswith("references/") and (refused := _story(text)):
            return refused
    return None


def refusal_of_name(name: str) -> str | None:
    """A skill is called after a class of tasks, not after the day it was needed."""
    if is_incident(name):
        return (
            f"'{name}' is the name of one incident: name the class of tasks, such as "
            "'python-test-debugging', or patch the skill it belongs to"
        )
    return None


def refusal_of_text(text: str) -> str | None:
    """A verdict on a tool, or the state of one machine, is no lesson for every day."""
    head = _FRONTMATTER.match(text)
    if head and (found := _claimed(head[1])):  # what a catalogue shows forbids loudest
        return _forbids(found)
    lines = [line for line in _FRONTMATTER.sub("", text).splitlines() if line.strip()]
    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        found = _claimed(line)
        if found and not _goes_on(line, found):
            return _forbids(found)
        state = _ENVIRONMENT.search(line)
        if state and not _goes_on(line, state) and not _WAY_FORWARD.search(after):
            return (
                f"'{state[0].strip()}' was the state of this machine at this moment: "
                "write what to do about it, or leave it out"
            )
    return None


def _claimed(line: str) -> re.Match[str] | None:
    return _FORBIDDEN.search(line) or _VERDICT.search(line)


def _goes_on(line: str, found: re.Match[str]) -> bool:
    """Whether the rest of the line says what to do then."""
    rest = line[: found.start()] + " … " + line[found.end() - found[0].endswith((",", ";", ".")) :]
    return _WAY_FORWARD.search(rest) is not None


def _forbids(found: re.Match[str]) -> str:
    return (
        f"'{found[0].strip()}' would forbid a tool for ever because of one bad day: "
        "say when it fails and what to do then, or leave it out"
    )


def _story(text: str) -> str | None:
    lines = _FRONTMATTER.sub("", text).strip().splitlines()
    told = [line for line in lines if _tells(_CODE.sub("x", line))]
    if len(told) > _STORY_LINES or (told and len(told) == len(lines)):
        return (
            f"'{told[0].strip()[:80]}' tells a story: SKILL.md holds the procedure; what happened "
            "may go into references/"
        )
    return None


def _tells(line: str) -> bool:
    if _STORY.search(line):
        return _SO.search(line) is None
    return _PAST.search(line) is not None and _WAY_FORWARD.search(line) is None

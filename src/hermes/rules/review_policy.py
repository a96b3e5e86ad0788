"""What a background review may not write, checked by code: the prompt asks for it, this makes sure.

A lesson is refused when it is the story of one incident, a verdict on a tool that failed once, or
the state that one machine was in. Each refusal says what to write instead.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec"
_STANDARDS = "iso|sha|utf|rfc|md|aes|rsa|ieee|ean|base|crc|cp|ascii|latin|port|x"
_INCIDENT_NAME = re.compile(
    rf"(?:^|-)(?:today|yesterday|tonight|tomorrow|now|(?:{_MONTHS})[a-z]*-\d{{1,2}}|\d{{4}}-\d{{2}}"
    rf"(?:-\d{{2}})?|20\d{{2}}|(?:issue|ticket|pr|bug|incident|jira)-?\d+|"
    rf"(?!(?:{_STANDARDS})-)[a-z]{{2,6}}-\d{{2,6}}|"
    rf"v?\d+-\d+-\d+)(?:-|$)",
    re.IGNORECASE,
)
_ONE_OFF_NAME = re.compile(
    r"^(?:fix|debug|patch|repair|investigate|hotfix|solve|resolve|troubleshoot)-.+-"
    r"(?:nudge|alias|error|bug|crash|failure|issue|problem|typo|regression|mishap)(?:-|$)"
    r"|^(?:debug|patch|fix)-(?:run|discord|slack|my|our|this|that|the)-",
    re.IGNORECASE,
)
_TOOL = r"[\w./`'\"+-]+(?:\s+[\w./`'\"+-]+){0,3}"
_NEGATIVE = re.compile(
    rf"\b(?:do\s+not|don'?t|never|avoid|stop|cannot|can'?t)\s+(?:ever\s+)?(?:use|using|run|running|"
    rf"call|calling|rely\s+on|relying\s+on|try|trying)\b|"
    rf"\b{_TOOL}\s+(?:does|do|did)\s*(?:not|n'?t)\s+work\b|"
    rf"\b{_TOOL}\s+(?:is|are|was|were)\s+(?:unavailable|unusable|unreliable|broken|useless|down|"
    rf"not\s+available|not\s+supported|not\s+working)\b|"
    rf"\b{_TOOL}\s+(?:always\s+)?fails?\b[^.\n]{{0,20}}$",
    re.IGNORECASE | re.MULTILINE,
)
_INSTEAD = re.compile(
    r"\b(?:instead|use|unless|until|because|when|if|then|rather|prefer|fall\s+back|first)\b",
    re.IGNORECASE,
)
_ENVIRONMENT = re.compile(
    r"\bcommand\s+not\s+found\b|\bno\s+such\s+(?:command|module|binary)\b|"
    r"\b(?:credentials?|api\s+keys?|tokens?|passwords?|environment\s+variables?)\s+(?:was|were|is|"
    r"are)\s+(?:missing|absent|not\s+set|not\s+configured|unset|invalid|expired)\b|"
    r"\b(?:is|was|are|were)\s+not\s+installed\b|\bModuleNotFoundError\b|"
    r"\b(?:connection|network)\s+(?:refused|timed\s+out|was\s+down|is\s+down|unreachable)\b|"
    r"\b(?:HTTP\s+)?(?:429|502|503|504)\b|\brate[- ]limited\b|"
    r"\b(?:failed|broke|crashed|timed\s+out)\s+once\b|\bsetup\s+(?:was|is)\s+broken\b|"
    r"\bfresh\s+install\b",
    re.IGNORECASE,
)
_REMEDY = re.compile(
    r"\b(?:install|set|export|retry|wait|configure|add|check|run|use|ask|create|then|fix)\b",
    re.IGNORECASE,
)
_STORY = re.compile(
    r"\b(?:today|yesterday|this\s+morning|last\s+(?:night|week|session|time))\b|"
    r"\b(?:the\s+user|they|we|i)\s+(?:then\s+)?(?:asked|said|complained|told|wanted|tried|noticed|"
    r"found\s+out|spent)\b|\bin\s+this\s+(?:session|conversation)\b|\bit\s+turned\s+out\b",
    re.IGNORECASE,
)
_FRONTMATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
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
        if not path and (refused := _story(text)):
            return refused
    return None


def refusal_of_name(name: str) -> str | None:
    """A skill is called after a class of tasks, not after the day it was needed."""
    if _INCIDENT_NAME.search(name) or _ONE_OFF_NAME.search(name):
        return (
            f"'{name}' is the name of one incident: name the class of tasks, such as "
            "'python-test-debugging', or patch the skill it belongs to"
        )
    return None


def refusal_of_text(text: str) -> str | None:
    """A verdict on a tool, or the state of one machine, is no lesson for every day."""
    for line in _FRONTMATTER.sub("", text).splitlines():
        if found := _NEGATIVE.search(line):
            rest = line[: found.start()] + " " + line[found.end() :]
            if not _INSTEAD.search(rest):
                return (
                    f"'{found[0].strip()}' would forbid a tool for ever because of one bad day: "
                    "say when it fails and what to do then, or leave it out"
                )
        if (found := _ENVIRONMENT.search(line)) and not _REMEDY.search(
            line[: found.start()] + " " + line[found.end() :]
        ):
            return (
                f"'{found[0].strip()}' was the state of this machine at this moment: "
                "write what to do about it, or leave it out"
            )
    return None


def _story(text: str) -> str | None:
    told = [line for line in _FRONTMATTER.sub("", text).splitlines() if _STORY.search(line)]
    if len(told) > _STORY_LINES or (told and len(told) == len(text.strip().splitlines())):
        return (
            f"'{told[0].strip()[:80]}' tells a story: SKILL.md holds the procedure; what happened "
            "may go into references/"
        )
    return None

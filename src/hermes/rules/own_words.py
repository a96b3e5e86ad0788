"""What a person typed, without what their tools put around it.

Agents write reminders, hook output, slash commands and whole instruction files into the user's
place in the log. None of that was asked for by anybody, so it must never become a task.
"""

from __future__ import annotations

import re

_MACHINE_TAGS = (
    "system[-_]reminder|command-(?:name|message|args|contents)|"
    "local-command-(?:stdout|stderr|caveat)|bash-(?:input|stdout|stderr)|"
    "environment_(?:context|details)|user_instructions|instructions|user-prompt-submit-hook|"
    "session-start-hook|turn_aborted|ide_(?:opened_file|selection|diagnostics)|task-notification|"
    "user_action|user-memory-input|skill|permissions|collaboration_mode|user_shell_command|"
    "subagent_notification"
)
_TAGGED = re.compile(
    r"<(" + _MACHINE_TAGS + r")\b[^>]*>.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE
)
_INTERRUPTED = re.compile(
    r"\[Request (?:interrupted|cancelled) by (?:the )?user[^\]]*\]|<turn_aborted>|"
    r"\[User (?:aborted|interrupted)[^\]]*\]",
    re.IGNORECASE,
)
_BRACKETED = re.compile(r"\[(?:Image|Pasted text|Attached file)[^\]\n]{0,80}\]", re.IGNORECASE)
_WHOLE = re.compile(
    r"\A\s*(?:"
    r"Caveat: The messages below|"
    r"# (?:AGENTS|CLAUDE|GEMINI)\.md\b|"
    r"<[A-Z_ ]*INSTRUCTIONS>|"
    r"(?:Base directory for this skill|Launching skill):|"
    r"(?:\w+ )?hook (?:feedback|success|error|additional context|stopped continuation)\b|"
    r"(?:Stop|PreToolUse|PostToolUse|UserPromptSubmit|SessionStart)\S* hook\b|"
    r"This is the Gemini CLI\. We are setting up the context|"
    r"\[?(?:System|SYSTEM)(?: note| message| notification)?:"
    r")"
)
_SLASH_COMMAND = re.compile(r"\A\s*/[a-z][\w:-]*(?:\s[^\n]*)?\Z")
_CONTINUED = re.compile(r"\A\s*This session is being continued from a previous conversation")
_HINT = re.compile(
    r"[<\[/#]|\A\s*(?:Caveat|Base|Launching|Stop|This|System|SYSTEM|\w+ hook|\w+ \w+ hook)"
)


def own_words(text: str) -> str:
    """The person's own words; empty where a tool wrote all of it."""
    if not _HINT.search(text):
        return text.strip()
    if _WHOLE.match(text) or _SLASH_COMMAND.match(text):
        return ""
    for machine in (_TAGGED, _INTERRUPTED, _BRACKETED):
        text = machine.sub("", text)
    text = text.strip()
    return "" if _WHOLE.match(text) or _SLASH_COMMAND.match(text) else text


def says_interrupted(text: str) -> bool:
    """Whether the agent's own marker says that the user stopped it."""
    return _INTERRUPTED.search(text) is not None


def continues_a_session(text: str) -> bool:
    """Whether it is the summary that an agent hands to itself when its context was full."""
    return _CONTINUED.match(text) is not None

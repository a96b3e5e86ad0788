"""What went wrong in a move, in one line, and whether there is anything to learn from it.

A timeout, a missing password or a package that was not installed yet says something of one
machine on one day. Taken for a lesson it would forbid for ever what works tomorrow.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from hermes.rules.actions.action import ActionKind
from hermes.rules.actions.moves import Move
from hermes.rules.mine.failures import told
from hermes.rules.observing.commands import commands_of


class FailureKind(StrEnum):
    """Only a MISTAKE teaches. REFUSED is a person's no; the others pass by themselves."""

    MISTAKE = "mistake"
    TRANSIENT = "transient"
    ACCESS = "access"
    NOT_INSTALLED = "not_installed"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """`subject` is what was run; `key` is the same for the same fault in another run.

    `problem` is told in our own words: whoever writes a file can put sentences into an error.
    """

    step_id: int
    kind: FailureKind
    subject: str
    problem: str
    key: str


_LONGEST = 200
_READ = 20_000
_ANSWERS = frozenset({"grep", "rg", "egrep", "diff", "cmp", "test", "[", "[[", "which", "pgrep"})
"""Programs that say no by exit code 1: an answer, not a failure."""
_RAISED = re.compile(r"^(?:\w+\.)*\w*(?:Error|Exception|KeyboardInterrupt)(?=:|\s*$).*", re.M)
_COMPLAINT = re.compile(
    r"^.*(?:\berror\b|\bfatal\b|\bfailed\b|not found|no such|invalid|denied|cannot|can't|unable|"
    r"unexpected|unknown|refused|timed? ?out|undefined|\bFAIL).*$",
    re.M | re.I,
)
_KINDS = (
    (
        FailureKind.REFUSED,
        r"user (?:doesn't|does not|did not|didn't) want|rejected by (?:the )?user|user (?:rejected|"
        r"declined|denied|cancell?ed)|request interrupted|KeyboardInterrupt|aborted by user",
    ),
    (
        FailureKind.TRANSIENT,
        r"tim(?:ed?|e)[- ]?out|\b(?:429|502|503|504)\b|too many requests|rate.?limit|"
        r"connection (?:re(?:set|fused)|aborted|error|closed)|network is (?:unreachable|down)|"
        r"could ?n[o']t resolve|name resolution|temporary failure|temporarily unavailable|"
        r"ECONN\w+|ETIMEDOUT|EAI_AGAIN|overloaded|service unavailable|no route to host|"
        r"resource busy|text file busy|could not get lock|no space left",
    ),
    (
        FailureKind.ACCESS,
        r"\b(?:401|403)\b|unauthori[sz]ed|forbidden|permission denied \(publickey|access ?denied|"
        r"(?:invalid|missing|no|expired) (?:api[ _-]?key|credential|token|password)\w*|"
        r"not logged in|authentication (?:failed|required)|login required|credentials? (?:not|are)|"
        r"could not read (?:username|password)",
    ),
    (
        FailureKind.NOT_INSTALLED,
        r"command not found|: not found$|ModuleNotFoundError|No module named|Cannot find module|"
        r"is not installed|not recognized as an internal|executable file not found|"
        r"unable to locate package|package \S+ (?:is )?not found|ImportError: .*shared object",
    ),
)
_OF_KIND = [(kind, re.compile(pattern, re.I | re.M)) for kind, pattern in _KINDS]
_MASKS = (
    (re.compile(r"\"[^\"]*\"|'[^']*'|`[^`]*`"), "'…'"),
    (
        re.compile(
            r"(?<![\w./~-])[\w.~-]{0,80}/[\w./~-]*|\b[\w-]{1,80}\.(?!\d)\w{1,8}\b(?=:|\s|$)"
        ),
        "<file>",
    ),
    (re.compile(r"0x[0-9a-f]+|\b\d[\d.,:]*\b", re.I), "#"),
    (re.compile(r"\s+"), " "),
)


def failure_of(move: Move) -> Failure | None:
    """The failure of a move; None where it did not fail, or only answered no."""
    if not move.failed or _is_answer(move):
        return None
    output = (move.output or "")[-_READ:]
    ended = f"exit code {move.exit_code}"
    printed = _problem(output) or ended
    subject = _subject(move)
    return Failure(
        step_id=move.step_id,
        kind=_kind(printed, output),
        subject=subject,
        problem=told(output) or ended,
        key=f"{subject}: {_masked(printed)}".lower(),
    )


def _is_answer(move: Move) -> bool:
    if move.action.kind is ActionKind.SEARCH:
        return True
    if move.action.kind is not ActionKind.RUN or move.exit_code != 1:
        return False
    commands = commands_of(move.action.text)
    return bool(commands) and commands[-1].program in _ANSWERS


def _problem(output: str) -> str:
    """What was raised last, else the first complaint, else the last line."""
    raised = _RAISED.findall(output)
    if raised:
        return _short(raised[-1])
    complaint = _COMPLAINT.search(output)
    if complaint is not None:
        return _short(complaint[0])
    lines = [line for line in output.splitlines() if line.strip()]
    return _short(lines[-1]) if lines else ""


def _kind(problem: str, output: str) -> FailureKind:
    """By the line that tells, then by the end of the output, where causes are repeated."""
    for text in (problem, output[-1_000:]):
        for kind, pattern in _OF_KIND:
            if pattern.search(text):
                return kind
        if _RAISED.match(problem):  # an exception with a name is its own cause
            break
    return FailureKind.MISTAKE


def _subject(move: Move) -> str:
    if move.action.kind is ActionKind.RUN:
        programs = [one.program for one in commands_of(move.action.text) if one.program != "cd"]
        return programs[-1] if programs else move.action.tool
    return str(move.action.kind)


def _masked(problem: str) -> str:
    for pattern, stand_in in _MASKS:
        problem = pattern.sub(stand_in, problem)
    return problem


def _short(line: str) -> str:
    line = " ".join(line.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"

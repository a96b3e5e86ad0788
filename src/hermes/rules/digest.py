"""A session as somebody who looks back at it reads it, within a budget.

Short ones are told whole. Of a long one everything that could teach something stays: what was
asked, each correction, each failure and what came after it, the final answers. What went as it
should is left out first, and that is said.
"""

from __future__ import annotations

from collections.abc import Sequence

from hermes.records.trajectory import Step, StepType
from hermes.rules.recording import shortened

_A_TOKEN = 4  # characters
_WHOLE = 4_000  # characters of one step in a short session
_CUTS = (600, 160, 60)  # and in a long one, as narrow as it has to be


def digest(steps: Sequence[Step], tokens: int) -> str:
    """At most about so many tokens, whatever the session."""
    room = tokens * _A_TOKEN
    lines = [told(step, _WHOLE) for step in steps]
    if sum(map(len, lines)) + len(lines) <= room:
        return "\n".join(lines)
    telling = sorted(_telling(steps))
    for width in _CUTS:
        kept = {at: told(steps[at], width) for at in telling}
        if sum(len(line) + 40 for line in kept.values()) <= room:
            return _with_gaps(_filled(steps, kept, room, width), len(steps))
    return shortened(_with_gaps(kept, len(steps)), max(room - 80, 0))[0]


def told(step: Step, width: int) -> str:
    """One step as one paragraph: whose it is, and what it says."""
    text, _ = shortened(step.content.strip(), width)
    if step.type is StepType.MESSAGE:
        who = str(step.metadata.get("role", ""))
        mark = step.metadata.get("follow_up")
        return f"{step.step_id}. {who}{f' ({mark})' if mark else ''}: {text}"
    if step.type is StepType.TOOL_CALL:
        arguments, _ = shortened(str(step.metadata.get("arguments", "")), width)
        return f"{step.step_id}. call {step.metadata.get('tool_name')}: {arguments}"
    if step.type is StepType.OBSERVATION:
        how = "failed" if _failed(step) else "answered"
        return f"{step.step_id}. {step.metadata.get('tool_name')} {how}: {text}"
    return f"{step.step_id}. thought: {text}"


def _failed(step: Step) -> bool:
    return bool(step.metadata.get("error") or step.metadata.get("exit_code"))


def _telling(steps: Sequence[Step]) -> set[int]:
    """The places that are never left out."""
    kept: set[int] = set()
    calls = {
        step.metadata.get("call_id"): at
        for at, step in enumerate(steps)
        if step.type is StepType.TOOL_CALL
    }
    last_said = None
    for at, step in enumerate(steps):
        role = step.metadata.get("role")
        if step.type is StepType.MESSAGE and role in ("user", "runtime"):
            kept.add(at)
            if last_said is not None:
                kept.add(last_said)  # what the person then said something to
        if step.type is StepType.MESSAGE and role == "assistant":
            last_said = at
        if step.type is StepType.OBSERVATION and _failed(step):
            call = calls.get(step.metadata.get("call_id"), at - 1)
            kept |= {call, at, at + 1}  # the call, its failure, and what was done next
    if last_said is not None:
        kept.add(last_said)
    return {at for at in kept if 0 <= at < len(steps)}


def _filled(steps: Sequence[Step], kept: dict[int, str], room: int, width: int) -> dict[int, str]:
    """As much of the rest as there is room for, latest first."""
    filled = dict(kept)
    left = room - sum(len(line) + 40 for line in kept.values())
    for at in range(len(steps) - 1, -1, -1):
        if at in filled:
            continue
        line = told(steps[at], width)
        left -= len(line) + 40
        if left < 0:
            break
        filled[at] = line
    return filled


def _with_gaps(lines: dict[int, str], count: int) -> str:
    parts, before = [], -1
    for at in sorted(lines):
        if at > before + 1:
            parts.append(f"[… {at - before - 1} steps left out …]")
        parts.append(lines[at])
        before = at
    if before < count - 1:
        parts.append(f"[… {count - 1 - before} steps left out …]")
    return "\n".join(parts)

"""How Claude Code reports a tool's result: once for the model as text, once for itself as data."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import unified_diff
from typing import Any

from demo_logs.workspace import Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """`failed` is None for the tools that do not say."""

    tool: str
    arguments: dict[str, Any]
    content: str | list[dict[str, str]]
    structured: Any
    failed: bool | None = None


def ran(command: str, why: str, outcome: Outcome) -> Result:
    """A failed command is an error with its exit code in front; a silent one says that it ran."""
    arguments = {"command": command, **({"description": why} if why else {})}
    stdout, stderr = outcome.stdout.rstrip("\n"), outcome.stderr.rstrip("\n")
    both = "\n".join(part for part in (stdout, stderr) if part)
    if outcome.exit_code:
        content = f"Exit code {outcome.exit_code}\n{both}".rstrip("\n")
        return Result(
            tool="Bash",
            arguments=arguments,
            content=content,
            structured=f"Error: {content}",
            failed=True,
        )
    structured = {
        "stdout": stdout,
        "stderr": stderr,
        "interrupted": False,
        "isImage": False,
        "noOutputExpected": not both,
    }
    return Result(
        tool="Bash",
        arguments=arguments,
        content=both or "(Bash completed with no output)",
        structured=structured,
        failed=False,
    )


def read(path: str, text: str) -> Result:
    """The model sees numbered lines, the structured form the text as it is."""
    lines = text.split("\n")
    numbered = "\n".join(f"{number:6d}→{line}" for number, line in enumerate(lines, 1))
    file = {
        "filePath": path,
        "content": text,
        "numLines": len(lines),
        "startLine": 1,
        "totalLines": len(lines),
    }
    return Result(
        tool="Read",
        arguments={"file_path": path},
        content=numbered,
        structured={"type": "text", "file": file},
    )


def wrote(path: str, text: str) -> Result:
    structured: dict[str, Any] = {
        "type": "create",
        "filePath": path,
        "content": text,
        "structuredPatch": [],
        "originalFile": None,
    }
    return Result(
        tool="Write",
        arguments={"file_path": path, "content": text},
        content=f"File created successfully at: {path}",
        structured=structured,
    )


def edited(path: str, old: str, new: str, before: str) -> Result:
    structured = {
        "filePath": path,
        "oldString": old,
        "newString": new,
        "originalFile": before,
        "structuredPatch": _hunks(before, before.replace(old, new)),
        "userModified": False,
        "replaceAll": False,
    }
    return Result(
        tool="Edit",
        arguments={
            "file_path": path,
            "old_string": old,
            "new_string": new,
            "replace_all": False,
        },
        content=f"The file {path} has been updated successfully.",
        structured=structured,
    )


def planned(items: tuple[str, ...], done: int) -> Result:
    todos = [
        {
            "content": item,
            "status": "completed" if place < done else "pending",
            "activeForm": item,
        }
        for place, item in enumerate(items)
    ]
    return Result(
        tool="TodoWrite",
        arguments={"todos": todos},
        content="Todos have been modified successfully.",
        structured={"oldTodos": [], "newTodos": todos},
    )


def delegated(what: str, prompt: str, answer: str, agent_id: str) -> Result:
    structured = {
        "status": "completed",
        "prompt": prompt,
        "agentId": agent_id,
        "content": [{"type": "text", "text": answer}],
    }
    return Result(
        tool="Task",
        arguments={"description": what, "prompt": prompt, "subagent_type": "Explore"},
        content=[{"type": "text", "text": answer}],
        structured=structured,
    )


def _hunks(before: str, after: str) -> list[dict[str, Any]]:
    """A unified diff, each hunk with its place and its lines."""
    hunks: list[dict[str, Any]] = []
    for line in unified_diff(before.splitlines(), after.splitlines(), lineterm=""):
        if line.startswith(("---", "+++")) and not hunks:
            continue
        if line.startswith("@@"):
            old, new = (_place(part) for part in line.split()[1:3])
            hunks.append(
                {
                    "oldStart": old[0],
                    "oldLines": old[1],
                    "newStart": new[0],
                    "newLines": new[1],
                    "lines": [],
                }
            )
        else:
            hunks[-1]["lines"].append(line)
    return hunks


def _place(part: str) -> tuple[int, int]:
    """`-3,7` or `+3`: where it starts and how long it is."""
    start, _, length = part[1:].partition(",")
    return int(start), int(length or 1)

"""The result of a recorded example: the files it left behind and what its steps printed."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from hermes.records.artefact import ArtefactRole
from hermes.records.trajectory import Step
from hermes.rules.actions.action import Action, ActionKind
from hermes.rules.actions.moves import Move, moves_of

_PRINTS = (ActionKind.RUN, ActionKind.CODE)
_PROGRAMS = frozenset((".py", ".sh", ".bash", ".js", ".mjs", ".ts", ".rb", ".pl", ".r", ".awk"))
_LOOKING = frozenset(
    {
        *("cat", "cd", "cut", "date", "diff", "du", "echo", "file", "find", "grep", "head", "less"),
        *("ls", "more", "pwd", "rg", "sed", "stat", "tail", "test", "tree", "type", "wc", "which"),
    }
)
_REDIRECTION = re.compile(r"(?<![0-9&<>=-])>>?(?!&)")
_JOINTS = re.compile(r"\|\||&&|[;|\n]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """`files` are those that were there at the end, by name; None where the log does not show one.

    `final` is the place in `printed` of the last output that was more than a look around.
    """

    files: Mapping[str, str | None]
    printed: tuple[str, ...]
    final: int | None


def recorded_of(steps: Sequence[Step]) -> Recorded:
    """What a replay of these steps must come to."""
    moves = moves_of(steps)
    cut = {step.step_id for step in steps if step.metadata.get("truncated") is True}
    told = [
        move
        for move in moves
        if move.action.kind in _PRINTS
        and (move.output or "").strip()
        and move.failed is not True
        and move.result_id not in cut
    ]
    more_than_looks = [place for place, move in enumerate(told) if not _only_looks(move.action)]
    files = _files(moves)
    # Where nothing was written and all was looking, what was looked for is the result.
    last = more_than_looks or ([] if files else range(len(told)))
    return Recorded(
        files=files,
        printed=tuple(move.output or "" for move in told),
        final=last[-1] if last else None,
    )


def _files(moves: Sequence[Move]) -> dict[str, str | None]:
    """A program that the example wrote and then ran was a tool; what was removed is no result."""
    files: dict[str, str | None] = {}
    for move in moves:
        for artefact in move.artefacts:
            was_written_unseen = files.get(artefact.name, "") is None
            if move.failed and artefact.content is None and artefact.name not in files:
                continue  # nothing shows that a call that failed got as far as writing it
            if artefact.role is ArtefactRole.WRITTEN or was_written_unseen:
                files[artefact.name] = artefact.content
    commands = "\n".join(move.action.text for move in moves if move.action.kind in _PRINTS)
    return {
        name: content
        for name, content in files.items()
        if not _was_run(name, commands) and not _was_removed(name, commands)
    }


def _was_run(name: str, commands: str) -> bool:
    path = PurePosixPath(name)
    if path.suffix.lower() not in _PROGRAMS:
        return False
    called = r"(?:python[\d.]*|bash|sh|zsh|node|ruby|perl|Rscript|source|awk)\s+(?:-\S+\s+)*\S*"
    return bool(re.search(rf"(?:{called}|\./\S*){re.escape(path.name)}\b", commands))


def _was_removed(name: str, commands: str) -> bool:
    return bool(re.search(rf"\brm\s[^\n;|&]*(?<![\w.-]){re.escape(name)}(?![\w.-])", commands))


def _only_looks(action: Action) -> bool:
    """Every command of it shows something that is there already, and none writes."""
    if action.kind is not ActionKind.RUN or _REDIRECTION.search(action.text):
        return False
    return all(_first_word(part) in _LOOKING for part in _JOINTS.split(action.text) if part.strip())


def _first_word(command: str) -> str:
    try:
        words = shlex.split(command)
    except ValueError:  # a quote that the cut at a joint left open
        words = command.split()
    return PurePosixPath(words[0]).name if words else ""

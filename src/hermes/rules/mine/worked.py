"""Worked: one example as the miner sees it, with nothing in it that belongs to one person only.

Paths are those of a workspace, not of somebody's machine: what lies under the session's folder is
relative to it, and a `cd` into that folder is no step. Only the agent's own calls and the user's
own words are kept apart as such; what tools printed stays where it was, as the result of a move.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from hermes.records.codec import Json
from hermes.records.trajectory import Step, StepType
from hermes.rules.actions.moves import Move, moves_of

PLACEHOLDER = re.compile(r"<[a-z][a-z_]*_\d+>")
"""What a redactor puts in the place of a value; the number means something in one example only."""

_UNWRITABLE = re.compile("[\0\ud800-\udfff]")
"""No skill can hold these, so no line of one may come from them."""


class Redacts(Protocol):
    """Replaces what belongs to one tenant; the same value by the same placeholder."""

    def text(self, text: str, /) -> str: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Worked:
    """`corrections` are (step id, the user's words); `answer` is the last thing the agent said."""

    example_id: str
    trajectory_id: str
    task: str
    moves: tuple[Move, ...]
    corrections: tuple[tuple[int, str], ...] = ()
    answer: str = ""
    cwd: str = ""


def worked_of(
    example_id: str,
    trajectory_id: str,
    task_text: str,
    steps: Sequence[Step],
    cwd: str,
    redactor: Redacts,
) -> Worked:
    """Everything that mining may see of a trajectory."""
    cleaned = _Cleaning(cwd, redactor)
    corrections = []
    answer = ""
    for step in steps:
        if step.type is not StepType.MESSAGE:
            continue
        if step.metadata.get("role") == "assistant":
            answer = step.content
        elif step.metadata.get("follow_up") == "correction":
            corrections.append((step.step_id, cleaned.text(step.content)))
    return Worked(
        example_id=example_id,
        trajectory_id=trajectory_id,
        task=cleaned.text(task_text),
        moves=tuple(cleaned.move(move) for move in moves_of(steps)),
        corrections=tuple(corrections),
        answer=cleaned.text(answer),
        cwd=cwd,
    )


class _Cleaning:
    """First the workspace, then the redactor: a relative path is no tenant data."""

    def __init__(self, cwd: str, redactor: Redacts) -> None:
        self._redactor = redactor
        folder = re.escape(cwd.rstrip("/")) if cwd.strip("/") else r"(?!)"
        self._entering = re.compile(rf"(?:^|(?<=\n))\s*cd\s+(['\"]?){folder}/?\1\s*(?:&&|;|\n)\s*")
        self._inside = re.compile(rf"(?<![\w/.-]){folder}/(?=[\w.@%+-])")
        self._itself = re.compile(rf"(?<![\w/.-]){folder}/?(?![\w/.-])")

    def text(self, text: str) -> str:
        text = _UNWRITABLE.sub("\ufffd", text)
        text = self._entering.sub("", text)
        text = self._itself.sub(".", self._inside.sub("", text))
        return self._redactor.text(text)

    def move(self, move: Move) -> Move:
        action = move.action
        cleaned = replace(
            action,
            text=self.text(action.text),
            path=self.text(action.path),
            before=self.text(action.before),
            arguments=self._json(action.arguments),
        )
        artefacts = tuple(
            replace(artefact, name=self.text(artefact.name)) for artefact in move.artefacts
        )
        output = None if move.output is None else self.text(move.output)
        return replace(move, action=cleaned, output=output, artefacts=artefacts)

    def _json(self, value: Json) -> Json:
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            return {key: self._json(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self._json(item) for item in value]
        return value

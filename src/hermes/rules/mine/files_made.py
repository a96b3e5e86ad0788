"""The files that an example wrote, as they were at each moment: edits folded into what they edit.

Only what the agent itself wrote is known here. The content of a file that a tool merely showed is
never taken for a program.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from hermes.records.codec import Json
from hermes.rules.actions.action import Action, ActionKind

_PATCHED = re.compile(r"^\*\*\* (Add|Update) File: (.+)$", re.MULTILINE)
_HUNK = re.compile(r"^@@.*$", re.MULTILINE)


@dataclass(slots=True)
class FilesMade:
    """Path → content, and the steps that made it so."""

    content: dict[str, str] = field(default_factory=dict)
    steps: dict[str, list[int]] = field(default_factory=dict)

    def note(self, action: Action, step_id: int) -> list[str]:
        """The paths that this call wrote and whose whole content is known now."""
        made = [(path, text) for path, text in self._made(action) if text is not None]
        for path, text in made:
            self.put(path, text, step_id)
        return [normal(path) for path, _ in made]

    def put(self, path: str, text: str, step_id: int) -> None:
        path = normal(path)
        self.content[path] = text
        self.steps.setdefault(path, []).append(step_id)

    def get(self, path: str) -> str | None:
        return self.content.get(normal(path))

    def _made(self, action: Action) -> Iterator[tuple[str, str | None]]:
        if action.kind is ActionKind.WRITE:
            yield action.path, action.text
        elif action.kind is ActionKind.EDIT and "*** Begin Patch" in action.text:
            yield from self._patched(action.text)
        elif action.kind is ActionKind.EDIT:
            yield action.path, self._edited(action)

    def _edited(self, action: Action) -> str | None:
        text = self.get(action.path)
        edits = action.arguments.get("edits")
        if text is None:
            return None
        if not isinstance(edits, list):
            return _replaced(text, action.before, action.text, action.arguments)
        for edit in edits:
            if text is None or not isinstance(edit, dict):
                return None
            before, after = str(edit.get("old_string", "")), str(edit.get("new_string", ""))
            text = _replaced(text, before, after, edit)
        return text

    def _patched(self, patch: str) -> Iterator[tuple[str, str | None]]:
        """A patch in the form that begins with `*** Begin Patch`."""
        parts = _PATCHED.split(patch)
        for act, path, body in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
            body = body.split("\n***", 1)[0].strip("\n")
            lines = body.split("\n")
            if act == "Add":
                yield path, "".join(f"{line[1:]}\n" for line in lines if line.startswith("+"))
            else:
                yield path, self._hunks(path, body)

    def _hunks(self, path: str, body: str) -> str | None:
        text = self.get(path)
        for hunk in _HUNK.split(body):
            lines = [line for line in hunk.split("\n") if line]
            before = "\n".join(line[1:] for line in lines if line[0] in " -")
            after = "\n".join(line[1:] for line in lines if line[0] in " +")
            if text is None or (before and before not in text):
                return None
            text = text.replace(before, after, 1) if before else text
        return text


def normal(path: str) -> str:
    return posixpath.normpath(path) if path else path


def _replaced(text: str, before: str, after: str, arguments: Json) -> str | None:
    if not before or before not in text:
        return None
    return text.replace(before, after, -1 if arguments.get("replace_all") else 1)

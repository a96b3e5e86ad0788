"""What a file holds after an edit, when what it held before is known."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from hermes.records.codec import Json

_SECTION = re.compile(r"^\*\*\* (Add|Update|Delete) File: (.+?)\s*$", re.MULTILINE)
_MOVE = re.compile(r"\A\*\*\* Move to: (.+?)\s*\n")


@dataclass(frozen=True, slots=True)
class FilePatch:
    """One file of a patch. `added` is the text of a new file; `hunks` are (before, after)."""

    path: str
    added: str | None = None
    hunks: tuple[tuple[str, str], ...] = ()
    deletes: bool = False
    moves_to: str | None = None


def edited(before: str, arguments: Mapping[str, Json]) -> str | None:
    """The text after one or several replacements; None where one of them does not fit."""
    text: str | None = before
    for old, new, everywhere in _replacements(arguments):
        if text is None or not old or old not in text:
            return None
        text = text.replace(old, new) if everywhere else text.replace(old, new, 1)
    return text


def _replacements(arguments: Mapping[str, Json]) -> Iterator[tuple[str, str, bool]]:
    edits = arguments.get("edits")
    several = edits if isinstance(edits, list) else [arguments]
    for edit in several:
        if isinstance(edit, Mapping):
            old = _first(edit, ("old_string", "oldString", "old_str"))
            new = _first(edit, ("new_string", "newString", "new_str"))
            yield old, new, bool(edit.get("replace_all") or edit.get("replaceAll"))


def _first(values: Mapping[str, Json], keys: Sequence[str]) -> str:
    for key in keys:
        if isinstance(values.get(key), str):
            return str(values[key])
    return ""


def patches_in(text: str) -> list[FilePatch]:
    """The files of an `apply_patch` text, wherever in a command it stands."""
    start = text.find("*** Begin Patch")
    if start == -1:
        return []
    body = text[start:].split("*** End Patch", 1)[0]
    pieces = _SECTION.split(body)[1:]
    return [
        _file_patch(act, path, section.removeprefix("\n"))
        for act, path, section in zip(pieces[::3], pieces[1::3], pieces[2::3], strict=True)
    ]


def _file_patch(act: str, path: str, section: str) -> FilePatch:
    if act == "Delete":
        return FilePatch(path, deletes=True)
    if act == "Add":
        lines = [line[1:] for line in section.split("\n") if line.startswith("+")]
        return FilePatch(path, added="".join(f"{line}\n" for line in lines))
    moved = _MOVE.match(section)
    if moved:
        section = section[moved.end() :]
    return FilePatch(path, hunks=tuple(_hunks(section)), moves_to=moved[1] if moved else None)


def _hunks(section: str) -> Iterator[tuple[str, str]]:
    before: list[str] = []
    after: list[str] = []
    for line in [*section.split("\n"), "@@"]:
        if line.startswith("@@"):
            if before or after:
                yield "\n".join(before), "\n".join(after)
            before, after = [], []
        elif line.startswith("-"):
            before.append(line[1:])
        elif line.startswith("+"):
            after.append(line[1:])
        elif line.startswith(" "):
            before.append(line[1:])
            after.append(line[1:])


def patched(before: str, patch: FilePatch) -> str | None:
    """The text after every hunk, each looked for below the one before; None where one is not."""
    text, at = f"\n{before}", 0  # every line then follows a newline, also the first
    for old, new in patch.hunks:
        if not old:
            text = f"{text.rstrip(chr(10))}\n{new}\n" if before else f"\n{new}\n"
            at = len(text)
            continue
        found = text.find(f"\n{old}\n", max(at - 1, 0))
        if found == -1:
            return None
        stop = found + 1 + len(old)
        text = f"{text[: found + 1]}{new}{text[stop:]}"
        at = found + 1 + len(new)
    return text[1:]

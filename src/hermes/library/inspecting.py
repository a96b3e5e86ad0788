"""Looks at skills and disks for a person who asks, and records nothing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hermes.errors import CorruptData
from hermes.library import folders
from hermes.library.filesystem import ExchangeUnsupported, Files
from hermes.library.format import AgentSkillFormat
from hermes.library.places import discover
from hermes.records.folder import FileContent, Folder
from hermes.records.reading import Reading


def load_skill(path: Path) -> tuple[str, Folder]:
    """The name and files of a folder, or of a SKILL.md alone, anywhere on this disk."""
    path = path.absolute()
    if path.is_dir():
        return path.name, folders.load(path)
    if not path.is_file():  # reading a pipe or a device might never end
        raise CorruptData("is neither a folder nor a plain file", where=str(path))
    try:
        return path.parent.name, Folder({path.name: FileContent(path.read_bytes())})
    except OSError as error:
        raise CorruptData(f"cannot be read: {error.strerror}", where=str(path)) from None


def read_format(name: str, folder: Folder) -> Reading:
    """What the format says of it."""
    return AgentSkillFormat().read(folder, name=name, strict=False)


def skills_on_disk(root: Path, external: Sequence[Path]) -> tuple[list[str], list[str]]:
    """The names in the skills folders, and the first thing wrong with each that has a fault."""
    names, problems = [], []
    for place in discover(root, external).found.values():
        names.append(place.name)
        try:
            errors: Sequence[str] = read_format(*load_skill(place.path)).errors
        except CorruptData as error:
            errors = (str(error),)
        problems += [f"{place.location}/{error}" for error in errors[:1]]
    return names, problems


def exchanges_folders(place: Path) -> bool:
    """Whether the disk there can swap two folders in one step; tried for real."""
    one, other = place / "one", place / "other"
    one.mkdir()
    other.mkdir()
    try:
        Files().exchange(one, other)
    except ExchangeUnsupported:
        return False
    return True

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


def check_skill(path: Path) -> Reading:
    """What the format says of a folder, or of a SKILL.md alone, anywhere on this disk."""
    path = path.absolute()
    if path.is_dir():
        return AgentSkillFormat().read(folders.load(path), name=path.name, strict=False)
    if not path.is_file():  # reading a pipe or a device might never end
        raise CorruptData("is neither a folder nor a plain file", where=str(path))
    try:
        alone = Folder({path.name: FileContent(path.read_bytes())})
    except OSError as error:
        raise CorruptData(f"cannot be read: {error.strerror}", where=str(path)) from None
    return AgentSkillFormat().read(alone, name=path.parent.name, strict=False)


def skills_on_disk(root: Path, external: Sequence[Path]) -> tuple[list[str], list[str]]:
    """The names in the skills folders, and the first thing wrong with each that has a fault."""
    names, problems = [], []
    for place in discover(root, external).found.values():
        names.append(place.name)
        try:
            errors: Sequence[str] = check_skill(place.path).errors
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

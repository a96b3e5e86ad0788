"""Version: an immutable, content-addressed state of a skill's folder."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from hermes.ids import tree_hash
from hermes.records.origin import Origin


class VersionState(StrEnum):
    DRAFT = "draft"
    VALIDATED = "validated"
    AWAITING_REVIEW = "awaiting_review"
    CANARY = "canary"
    ACTIVE = "active"
    SUPERSEDED = "superseded"
    ROLLED_BACK = "rolled_back"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileEntry:
    """One file of the folder: where, what, and whether it may be executed."""

    path: str
    content: str
    size: int
    executable: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """The folder is immutable; only `state` moves, by the table in rules/transitions."""

    id: str
    skill_id: str
    number: int
    tree: str
    files: tuple[FileEntry, ...]
    parent_id: str | None
    origin: Origin
    author: str
    state: VersionState
    created_at: datetime

    def __post_init__(self) -> None:
        if self.tree != tree_of(self.files):
            raise ValueError("the tree hash is not that of the files")


def tree_of(files: tuple[FileEntry, ...]) -> str:
    """The hash of a folder with these files."""
    return tree_hash((file.path, file.content, file.executable) for file in files)

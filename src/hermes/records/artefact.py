"""Artefact: a file or text that a task was given, read or wrote, named by its content."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ArtefactRole(StrEnum):
    GIVEN = "given"
    READ = "read"
    WRITTEN = "written"


@dataclass(frozen=True, slots=True, kw_only=True)
class Artefact:
    """The bytes live in the blob store under `content`; None means they could not be kept."""

    name: str
    role: ArtefactRole
    content: str | None
    size: int
    media_type: str = "application/octet-stream"

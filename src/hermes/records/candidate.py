"""Candidate: a proposed version, with its parent, what changed, its evidence and its author."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from hermes.records.origin import Origin


class Action(StrEnum):
    """What was done to the folder, in the words of skill_manage and of the disk."""

    CREATE = "create"
    EDIT = "edit"
    PATCH = "patch"
    WRITE_FILE = "write_file"
    REMOVE_FILE = "remove_file"
    HAND_EDIT = "hand_edit"
    ADOPT = "adopt"


@dataclass(frozen=True, slots=True, kw_only=True)
class StepRef:
    """One step of one trajectory: the smallest piece of evidence."""

    trajectory_id: str
    step_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Which examples and steps a version was made from. Empty is honest, missing is not."""

    example_ids: tuple[str, ...] = ()
    steps: tuple[StepRef, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    id: str
    skill_id: str
    skill_name: str
    version_id: str
    parent_version_id: str | None
    action: Action
    summary: str
    origin: Origin
    author: str
    session_id: str | None
    evidence: Evidence
    created_at: datetime

    @property
    def requested_by_user(self) -> bool:
        return self.origin is Origin.REQUESTED_BY_USER

"""Proposal: what is handed to the gate; Outcome: what the gate answers."""

from __future__ import annotations

from dataclasses import dataclass, field

from hermes.records.approval import Approval
from hermes.records.candidate import Action, Candidate, Evidence
from hermes.records.folder import Folder
from hermes.records.origin import Origin
from hermes.records.release import Release
from hermes.records.verdict import Verdict
from hermes.records.version import Version, VersionState


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A whole folder, and where it comes from.

    `parent_version_id` is the version the author had read: if another one is live by now, the
    proposal is refused as a conflict instead of silently undoing somebody's work.
    """

    name: str
    folder: Folder
    action: Action
    origin: Origin
    author: str
    summary: str
    parent_version_id: str | None
    category: str = ""
    location: str = ""
    """Where the folder is already; empty: where the category and the name put it."""
    session_id: str | None = None
    evidence: Evidence = field(default_factory=Evidence)
    approval: Approval | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DiskChange:
    """A folder on disk that is not what this machine saw last: changed, new, or gone."""

    name: str
    location: str
    category: str
    adopted: bool = False
    """Found when this home was first opened, or in an external folder: here before us."""
    withdrawn: bool = False
    """In an external folder that the settings no longer name: as good as gone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Noticed:
    """What became of a change on disk.

    `tree` is the folder that is there now. A `problem` means that this folder is not live: the
    last good version is, if there is one, and the text says what is wrong and where.
    """

    change: DiskChange
    tree: str | None
    problem: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The candidate's new state, with everything that says why."""

    candidate: Candidate | None
    version: Version | None
    verdict: Verdict | None
    release: Release | None
    state: VersionState
    reason: str

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
    session_id: str | None = None
    evidence: Evidence = field(default_factory=Evidence)
    approval: Approval | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DiskChange:
    """A folder that is on disk and not what the store says; None means it is gone."""

    name: str
    location: str
    category: str
    folder: Folder | None
    known: bool
    """Whether this machine had it before: a known folder changed, an unknown one appeared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The candidate's new state, with everything that says why."""

    candidate: Candidate | None
    version: Version | None
    verdict: Verdict | None
    release: Release | None
    state: VersionState
    reason: str

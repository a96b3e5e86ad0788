"""Proposal → the rows of a draft: the skill (if it is new), the version, the candidate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from hermes.ids import new_id
from hermes.records.candidate import Candidate
from hermes.records.folder import Folder
from hermes.records.proposal import Proposal
from hermes.records.skill import Skill
from hermes.records.verdict import Verdict
from hermes.records.version import Version, VersionState, tree_of
from hermes.rules.transitions import check_version_move
from hermes.stages.promote.ledger import Ledger


@dataclass(frozen=True, slots=True)
class Draft:
    """Everything a proposal becomes, not yet written."""

    skill: Skill
    is_new: bool
    version: Version
    candidate: Candidate
    folder: Folder


def draft(
    ledger: Ledger, skill: Skill | None, proposal: Proposal, candidate_id: str, now: datetime
) -> Draft:
    is_new = skill is None
    if skill is None:
        location = f"{proposal.category}/{proposal.name}" if proposal.category else proposal.name
        skill = Skill(
            id=new_id("skill"),
            name=proposal.name,
            category=proposal.category,
            location=proposal.location or location,
            description="",
            origin=proposal.origin,
            created_at=now,
            updated_at=now,
        )
    files = proposal.folder.entries()
    version = Version(
        id=new_id("version"),
        skill_id=skill.id,
        number=1 if is_new else ledger.versions.next_number(skill.id),
        tree=tree_of(files),
        files=files,
        parent_id=proposal.parent_version_id,
        origin=proposal.origin,
        author=proposal.author,
        state=VersionState.DRAFT,
        created_at=now,
    )
    candidate = Candidate(
        id=candidate_id,
        skill_id=skill.id,
        skill_name=skill.name,
        version_id=version.id,
        parent_version_id=proposal.parent_version_id,
        action=proposal.action,
        summary=proposal.summary,
        origin=proposal.origin,
        author=proposal.author,
        session_id=proposal.session_id,
        evidence=proposal.evidence,
        created_at=now,
    )
    return Draft(skill, is_new, version, candidate, proposal.folder)


def write(
    ledger: Ledger, drafted: Draft, verdict: Verdict, states: Sequence[VersionState]
) -> Version:
    """Store a draft and walk its version through these states. Call inside a transaction."""
    version = drafted.version
    for state in states:
        check_version_move(version.state, state)
        version = replace(version, state=state)
    if drafted.is_new:
        ledger.skills.add(drafted.skill)
    ledger.versions.add(version, drafted.folder.contents())
    ledger.candidates.add(drafted.candidate)
    ledger.verdicts.add(verdict)
    ledger.events.append(
        f"candidate.{states[-1]}",
        actor=drafted.candidate.author,
        subject_id=drafted.candidate.id,
        skill_id=drafted.skill.id,
        data={
            "version": version.number,
            "action": str(drafted.candidate.action),
            "origin": str(drafted.candidate.origin),
            "summary": drafted.candidate.summary,
            "verdict": str(verdict.decision),
            "reason": verdict.reason,
        },
    )
    return version

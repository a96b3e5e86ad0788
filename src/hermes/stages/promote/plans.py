"""What each way of going live, or of leaving, writes into the books. Values only, no I/O."""

from __future__ import annotations

from hermes.ids import new_id
from hermes.records.approval import Approval
from hermes.records.candidate import Action, Candidate
from hermes.records.change import Change
from hermes.records.release import Release, ReleaseState
from hermes.records.settlement import Settlement, SkillHead
from hermes.records.skill import Skill
from hermes.records.version import Version, VersionState
from hermes.stages.promote.backing import Backing


def release_of(version: Version, previous_version_id: str | None, approval: Approval) -> Release:
    """A release to everybody; the version before is where a rollback goes."""
    return Release(
        id=new_id("release"),
        skill_id=version.skill_id,
        version_id=version.id,
        previous_version_id=previous_version_id,
        state=ReleaseState.ACTIVE,
        share=1.0,
        approval=approval,
        released_at=approval.at,
    )


def going_live(
    skill: Skill,
    candidate: Candidate,
    version: Version,
    head: SkillHead,
    approval: Approval,
    backing: Backing | None = None,
) -> Settlement:
    """A new version replaces what was there."""
    backed = (
        {"approved_examples": backing.approved, "min_examples": backing.wanted} if backing else {}
    )
    return Settlement(
        skill_id=skill.id,
        release=release_of(version, skill.active_version_id, approval),
        head=head,
        outgoing_state=VersionState.SUPERSEDED,
        outgoing_reason=f"replaced by version {version.number}",
        change=None,
        is_patch=candidate.action is Action.PATCH,
        event="release.activated",
        actor=approval.by,
        subject_id=version.id,
        data={
            "version": version.number,
            "candidate": candidate.id,
            "origin": str(version.origin),
            "examples": list(candidate.evidence.example_ids),
            **backed,
            **approval_facts(approval),
        },
    )


def rolling_back(
    current: Version,
    target: Version,
    before_target: str | None,
    head: SkillHead,
    approval: Approval,
) -> Settlement:
    """An earlier version comes back; what was live is marked as taken back.

    The next rollback goes on from there, to what the earlier version had replaced, and never
    forward again to what was just taken back.
    """
    return Settlement(
        skill_id=target.skill_id,
        release=release_of(target, before_target, approval),
        head=head,
        outgoing_state=VersionState.ROLLED_BACK,
        outgoing_reason=approval.note or f"rolled back by {approval.by}",
        change=None,
        is_patch=False,
        event="release.rolled_back",
        actor=approval.by,
        subject_id=target.id,
        data={"from": current.number, "to": target.number, **approval_facts(approval)},
    )


def archiving(skill: Skill, change: Change) -> Settlement:
    """The folder leaves the disk; its bytes and its history stay."""
    return Settlement(
        skill_id=skill.id,
        release=None,
        head=None,
        outgoing_state=VersionState.SUPERSEDED,
        outgoing_reason="archived",
        change=change,
        is_patch=False,
        event="skill.archived",
        actor=change.approval.by,
        subject_id=skill.id,
        data={"reason": change.reason, **approval_facts(change.approval)},
    )


def restoring(version: Version, before: str | None, change: Change) -> Settlement:
    """The folder comes back as it was, and with it where a rollback would have gone."""
    return Settlement(
        skill_id=version.skill_id,
        release=release_of(version, before, change.approval),
        head=None,
        outgoing_state=VersionState.SUPERSEDED,
        outgoing_reason="restored",
        change=change,
        is_patch=False,
        event="skill.restored",
        actor=change.approval.by,
        subject_id=version.skill_id,
        data={"version": version.number, **approval_facts(change.approval)},
    )


def approval_facts(approval: Approval) -> dict[str, object]:
    """Who said so, and how sure we are: part of every event that lets something live."""
    return {"by": approval.by, **approval.how(), "note": approval.note}

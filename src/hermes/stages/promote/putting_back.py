"""Puts the live version back over a folder that a person has given up on."""

from __future__ import annotations

from hermes.errors import NotFound, Refused
from hermes.ids import new_id
from hermes.records.approval import Approval
from hermes.records.candidate import Action
from hermes.records.change import Act, Change
from hermes.records.folder import Folder
from hermes.records.origin import Origin
from hermes.records.proposal import Proposal
from hermes.records.skill import Skill
from hermes.records.verdict import Check, CheckOutcome, Decision, Scores, Verdict
from hermes.records.version import VersionState
from hermes.stages.promote import plans
from hermes.stages.promote.drafting import draft, write
from hermes.stages.promote.journalled import Desk, Plan, carry_out


def put_back(desk: Desk, skill: Skill, approval: Approval) -> Change:
    """Call with the skill's lock held. The live version comes back.

    What was on disk leaves it, and is kept in the history as a rejected version.
    """
    active = desk.ledger.active(skill)
    if active is None:
        raise NotFound(f"skill '{skill.name}' has no live version to put back")
    folder = desk.library.load(skill.location)
    on_disk = folder.tree() if folder else None
    if on_disk == active.tree:
        raise Refused(f"the folder of skill '{skill.name}' is its live version already")
    if folder is not None and on_disk not in _kept_trees(desk, skill):
        _keep(desk, skill, folder, approval)
    change = Change(
        id=new_id("change"),
        skill_id=skill.id,
        act=Act.RESTORE,
        reason="the live version was put back over the folder on disk",
        version_id=active.id,
        approval=approval,
        at=desk.now(),
    )
    carry_out(
        desk,
        Plan(
            skill=skill,
            location=skill.location,
            old_tree=on_disk,
            version=active,
            settlement=plans.restoring(active, desk.ledger.before(active), change),
        ),
    )
    return change


def _kept_trees(desk: Desk, skill: Skill) -> set[str]:
    return {version.tree for version in desk.ledger.versions.of_skill(skill.id)}


def _keep(desk: Desk, skill: Skill, folder: Folder, approval: Approval) -> None:
    """No byte that somebody typed is lost, even when they say it may go."""
    reason = f"given up by {approval.by}: the live version was put back over it"
    proposal = Proposal(
        name=skill.name,
        folder=folder,
        action=Action.HAND_EDIT,
        origin=Origin.USER,
        author=approval.os_user,
        summary="an edit on disk that never went live",
        parent_version_id=skill.active_version_id,
    )
    drafted = draft(desk.ledger, skill, proposal, new_id("candidate"), desk.now())
    verdict = Verdict(
        id=new_id("verdict"),
        candidate_id=drafted.candidate.id,
        checks=(Check(name="person", outcome=CheckOutcome.FAILED, findings=(reason,)),),
        scores=Scores(measure="none", before=None, after=None),
        example_ids=(),
        decision=Decision.REJECTED,
        reason=reason,
        decided_at=desk.now(),
    )
    with desk.ledger.transactions.transaction():
        write(desk.ledger, drafted, verdict, (VersionState.REJECTED,))

"""The review queue: a person approves or rejects what waits.

Reads: the candidate, its version, what is live now. Writes: a release, or a rejection; an event
with who said so. Never: lets a candidate undo work that went live after it was written.
Safe to repeat: a candidate that was decided cannot be decided again.
"""

from __future__ import annotations

from hermes.errors import Conflict, Refused, WrongCall
from hermes.ports import SkillFormat
from hermes.records.approval import Approval
from hermes.records.candidate import Candidate
from hermes.records.origin import Origin
from hermes.records.proposal import Outcome, Proposal
from hermes.records.skill import Skill
from hermes.records.version import Version, VersionState
from hermes.stages.promote import plans
from hermes.stages.promote.backing import backing_of
from hermes.stages.promote.journalled import Desk, Plan, carry_out
from hermes.stages.promote.putting_back import put_back
from hermes.stages.promote.releasing import expected_tree, head_of
from hermes.stages.promote.settle import move, settle


def check_parent(desk: Desk, skill: Skill | None, proposal: Proposal) -> None:
    """Raises when the author had read something else than what is live, or changes nothing."""
    active_id = skill.active_version_id if skill else None
    if proposal.parent_version_id != active_id:
        raise Conflict(
            f"skill '{proposal.name}' was changed since you read it",
            hint="read it again with skill_view, then apply your change to what it says now",
        )
    active = desk.ledger.active(skill) if skill else None
    if active is not None and active.tree == proposal.folder.tree():
        raise WrongCall(
            f"this would change nothing in skill '{proposal.name}'",
            hint="send the content that should be different",
        )


def approve(
    desk: Desk,
    skill_format: SkillFormat,
    candidate: Candidate,
    approval: Approval,
    min_examples: int,
) -> Outcome:
    """What was extracted takes the examples it was made from along."""
    ledger = desk.ledger
    version = _waiting(desk, candidate)
    skill = ledger.skill(candidate.skill_id)
    if candidate.parent_version_id != skill.active_version_id:
        live = ledger.active(skill)
        raise Conflict(
            f"{candidate.id} was made from another version than the one that is live "
            f"({'version ' + str(live.number) if live else 'none'})",
            hint="reject it, and have the change made again on what is live now",
        )
    folder = ledger.versions.folder(version)
    head = head_of(skill_format, skill, folder)
    backing = backing_of(ledger.examples, candidate, approval, min_examples)
    settlement = plans.going_live(skill, candidate, version, head, approval, backing)

    def approve_examples() -> None:
        for example in backing.newly if backing else ():
            ledger.examples.replace(example)

    if desk.library.tree(skill.location) == version.tree:  # it is on disk already, unapproved
        with ledger.transactions.transaction():
            approve_examples()
            settle(ledger, settlement, desk.now())
        desk.library.forget(skill.location)
    else:
        plan = Plan(
            skill=skill,
            location=skill.location,
            old_tree=expected_tree(desk, skill),
            version=version,
            settlement=settlement,
            first=approve_examples,
        )
        carry_out(desk, plan)
    remark = backing.remark() if backing else ""
    told = f"approved by {approval.by}" + (f" ({remark})" if remark else "")
    return _outcome(desk, candidate, told)


def reject(desk: Desk, candidate: Candidate, approval: Approval) -> Outcome:
    if not approval.note.strip():
        raise WrongCall("a rejection needs a reason", hint="pass --reason TEXT")
    ledger = desk.ledger
    version = _waiting(desk, candidate)
    with ledger.transactions.transaction():
        move(ledger, version, VersionState.REJECTED)
        ledger.events.append(
            "candidate.rejected",
            actor=approval.by,
            subject_id=candidate.id,
            skill_id=candidate.skill_id,
            data={"version": version.number, **plans.approval_facts(approval)},
        )
    skill = ledger.skill(candidate.skill_id)
    on_disk = version.origin is Origin.UNKNOWN and skill.active_version_id is not None
    if on_disk and desk.library.tree(skill.location) == version.tree:
        put_back(desk, skill, approval)
    return _outcome(desk, candidate, approval.note)


def _waiting(desk: Desk, candidate: Candidate) -> Version:
    version = desk.ledger.version(candidate.version_id)
    if version.state is not VersionState.AWAITING_REVIEW:
        raise Refused(
            f"{candidate.id} does not wait for review: it is {version.state}",
            hint="`hermes review list` shows what waits",
        )
    return version


def _outcome(desk: Desk, candidate: Candidate, reason: str) -> Outcome:
    version = desk.ledger.version(candidate.version_id)
    verdicts = desk.ledger.verdicts.of_candidate(candidate.id)
    live = version.state is VersionState.ACTIVE
    return Outcome(
        candidate=candidate,
        version=version,
        verdict=verdicts[-1] if verdicts else None,
        release=desk.ledger.releases.current(candidate.skill_id) if live else None,
        state=version.state,
        reason=reason,
    )

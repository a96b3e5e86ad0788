"""Acts on a skill as a whole: roll back, archive, restore, pin, unpin, disable, enable.

Reads: the skill, its versions and changes. Writes: a Release or a Change, and an event. Never:
deletes anything; an archived folder's bytes stay in the store. Safe to repeat: an act that is
already so changes nothing.
"""

from __future__ import annotations

from dataclasses import replace

from hermes.errors import NotFound, Refused
from hermes.ids import new_id
from hermes.ports import SkillFormat
from hermes.records.approval import Approval
from hermes.records.change import Act, Change
from hermes.records.proposal import Outcome
from hermes.records.skill import Skill, SkillState
from hermes.records.version import Version, VersionState
from hermes.stages.promote import plans
from hermes.stages.promote.journalled import Desk, Plan, carry_out
from hermes.stages.promote.putting_back import put_back
from hermes.stages.promote.releasing import expected_tree, head_of
from hermes.stages.promote.settle import settle

_EVENTS = {
    Act.PIN: "skill.pinned",
    Act.UNPIN: "skill.unpinned",
    Act.DISABLE: "skill.disabled",
    Act.ENABLE: "skill.enabled",
}
_COMES_BACK = (VersionState.SUPERSEDED, VersionState.ROLLED_BACK)


def rollback(
    desk: Desk, skill_format: SkillFormat, skill: Skill, approval: Approval, to: int | None
) -> Outcome:
    ledger = desk.ledger
    current = ledger.active(skill)
    if current is None:
        raise Refused(
            f"skill '{skill.name}' is not live, so there is nothing to roll back",
            hint=f"`hermes skills restore {skill.name}` brings an archived skill back",
        )
    target = _target(desk, skill, current, to)
    head = head_of(skill_format, skill, ledger.versions.folder(target))
    settlement = plans.rolling_back(current, target, ledger.before(target), head, approval)
    carry_out(
        desk,
        Plan(
            skill=skill,
            location=skill.location,
            old_tree=expected_tree(desk, skill),
            version=target,
            settlement=settlement,
        ),
    )
    return Outcome(
        candidate=ledger.candidates.of_version(target.id),
        version=ledger.version(target.id),
        verdict=None,
        release=settlement.release,
        state=VersionState.ACTIVE,
        reason=f"rolled back from version {current.number} to {target.number} by {approval.by}",
    )


def _target(desk: Desk, skill: Skill, current: Version, to: int | None) -> Version:
    ledger = desk.ledger
    if to is None:
        release = ledger.releases.current(skill.id)
        previous = release.previous_version_id if release else None
        if previous is None:
            raise Refused(
                f"version {current.number} of skill '{skill.name}' has no version before it",
                hint=f"`hermes skills archive {skill.name}` takes the skill away",
            )
        return ledger.version(previous)
    for version in ledger.versions.of_skill(skill.id):
        if version.number == to:
            if version.id == current.id:
                raise Refused(f"version {to} of skill '{skill.name}' is live already")
            if version.state not in _COMES_BACK:
                raise Refused(
                    f"version {to} of skill '{skill.name}' was never live: it is {version.state}",
                    hint=f"`hermes skills history {skill.name}` shows which were",
                )
            return version
    raise NotFound(
        f"skill '{skill.name}' has no version {to}",
        hint=f"`hermes skills history {skill.name}` shows them",
    )


def act(desk: Desk, skill: Skill, act: Act, approval: Approval, reason: str) -> Change | None:
    if act is Act.ARCHIVE:
        return _archive(desk, skill, approval, reason)
    if act is Act.RESTORE:
        return _restore(desk, skill, approval)
    return _set_flag(desk, skill, act, approval, reason)


def _set_flag(desk: Desk, skill: Skill, act: Act, approval: Approval, reason: str) -> Change | None:
    change = _change(desk, skill, act, approval, reason)
    ledger = desk.ledger
    with ledger.transactions.transaction():
        fresh = ledger.skill(skill.id)  # only the flag is ours to change
        flagged = _flagged(fresh, act)
        if flagged == fresh:
            return None
        ledger.skills.replace(replace(flagged, updated_at=change.at))
        ledger.changes.add(change)
        ledger.events.append(
            _EVENTS[act],
            actor=approval.by,
            subject_id=skill.id,
            skill_id=skill.id,
            data={"reason": reason, **plans.approval_facts(approval)},
        )
    return change


def _flagged(skill: Skill, act: Act) -> Skill:
    if act in (Act.PIN, Act.UNPIN):
        return replace(skill, pinned=act is Act.PIN)
    return replace(skill, disabled=act is Act.DISABLE)


def _archive(desk: Desk, skill: Skill, approval: Approval, reason: str) -> Change | None:
    if skill.state is SkillState.ARCHIVED:
        return None
    active = desk.ledger.active(skill)
    if active is None:
        raise Refused(
            f"skill '{skill.name}' was never live; only drafts of it exist",
            hint="`hermes review list` shows them; reject the ones you do not want",
        )
    change = replace(_change(desk, skill, Act.ARCHIVE, approval, reason), version_id=active.id)
    settlement = plans.archiving(skill, change)
    if desk.library.tree(skill.location) is None:  # removed by somebody else; nothing to do there
        with desk.ledger.transactions.transaction():
            settle(desk.ledger, settlement, desk.now())
        return change
    carry_out(
        desk,
        Plan(
            skill=skill,
            location=skill.location,
            old_tree=expected_tree(desk, skill),
            version=None,
            settlement=settlement,
        ),
    )
    return change


def _restore(desk: Desk, skill: Skill, approval: Approval) -> Change | None:
    if skill.state is not SkillState.ARCHIVED:
        if desk.library.tree(skill.location) == getattr(desk.ledger.active(skill), "tree", None):
            return None
        return put_back(desk, skill, approval)
    archived = [c for c in desk.ledger.changes.of_skill(skill.id) if c.act is Act.ARCHIVE]
    version_id = archived[-1].version_id if archived else None
    if version_id is None:
        raise NotFound(f"nothing says which version of skill '{skill.name}' was archived")
    version = desk.ledger.version(version_id)
    change = replace(_change(desk, skill, Act.RESTORE, approval, ""), version_id=version.id)
    carry_out(
        desk,
        Plan(
            skill=skill,
            location=skill.location,
            old_tree=expected_tree(desk, skill),
            version=version,
            settlement=plans.restoring(version, desk.ledger.before(version), change),
        ),
    )
    return change


def _change(desk: Desk, skill: Skill, act: Act, approval: Approval, reason: str) -> Change:
    return Change(
        id=new_id("change"),
        skill_id=skill.id,
        act=act,
        reason=reason,
        version_id=skill.active_version_id,
        approval=approval,
        at=desk.now(),
    )

"""Puts the live version back over a folder that a person has given up on."""

from __future__ import annotations

from hermes.errors import NotFound, Refused
from hermes.ids import new_id
from hermes.records.approval import Approval
from hermes.records.change import Act, Change
from hermes.records.skill import Skill
from hermes.stages.promote import plans
from hermes.stages.promote.journalled import Desk, Plan, carry_out


def put_back(desk: Desk, skill: Skill, approval: Approval) -> Change:
    """Call with the skill's lock held. What was on disk leaves; the live version comes back."""
    active = desk.ledger.active(skill)
    if active is None:
        raise NotFound(f"skill '{skill.name}' has no live version to put back")
    on_disk = desk.library.tree(skill.location)
    if on_disk == active.tree:
        raise Refused(f"the folder of skill '{skill.name}' is its live version already")
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
            settlement=plans.restoring(skill, active, change),
        ),
    )
    return change

"""A draft that may go live does: its rows, its folder, its release."""

from __future__ import annotations

from dataclasses import replace

from hermes.errors import Conflict
from hermes.ports import SkillFormat
from hermes.records.approval import Approval
from hermes.records.folder import Folder
from hermes.records.proposal import Outcome
from hermes.records.settlement import SkillHead
from hermes.records.skill import Skill
from hermes.records.verdict import Verdict
from hermes.records.version import Version, VersionState
from hermes.rules.procedures import triable
from hermes.stages.promote import plans
from hermes.stages.promote.drafting import Draft, write
from hermes.stages.promote.journalled import Desk, Plan, carry_out


def make_live(
    desk: Desk, skill_format: SkillFormat, drafted: Draft, verdict: Verdict, approval: Approval
) -> Outcome:
    """Call with the skill's lock held."""
    skill, version = drafted.skill, drafted.version
    old_tree = expected_tree(desk, skill)
    head = head_of(skill_format, skill, drafted.folder)
    settlement = plans.going_live(skill, drafted.candidate, version, head, approval)

    def first() -> None:
        write(desk.ledger, drafted, verdict, (VersionState.VALIDATED,))

    carry_out(
        desk,
        Plan(
            skill=skill,
            location=skill.location,
            old_tree=old_tree,
            version=version,
            settlement=settlement,
            first=first,
        ),
    )
    return Outcome(
        candidate=drafted.candidate,
        version=replace(version, state=VersionState.ACTIVE),
        verdict=verdict,
        release=settlement.release,
        state=VersionState.ACTIVE,
        reason=verdict.reason,
    )


def head_of(skill_format: SkillFormat, skill: Skill, folder: Folder) -> SkillHead:
    reading = skill_format.read(folder, name=skill.name, strict=False)
    procedure = reading.procedure
    return SkillHead(
        description=reading.description,
        tags=reading.tags,
        category=skill.category,
        location=skill.location,
        procedure=triable(procedure, folder.files.keys()) if procedure else None,
    )


def expected_tree(desk: Desk, skill: Skill) -> str | None:
    """The tree that is on disk and live; raises Conflict when the disk says something else."""
    desk.library.check_writable(skill.location)
    active: Version | None = desk.ledger.active(skill)
    expected = active.tree if active else None
    if desk.library.tree(skill.location) != expected:
        raise Conflict(
            f"the folder of skill '{skill.name}' has an edit on disk that is not recorded yet",
            hint=f"`hermes skills show {skill.name}` says what is wrong with it, if anything; "
            "read the skill again, then retry",
        )
    return expected

"""What a person did on disk becomes a version; what nobody can vouch for waits.

Reads: the folder as it is. Writes: a version by `user` (or `external`, or `unknown`) and its
release. Never: changes the folder. Safe to repeat: a folder that is already the live version, or
already waits for review, adds nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from os.path import isabs

from hermes.errors import CorruptData
from hermes.ids import new_id
from hermes.ports import SkillFormat
from hermes.records.approval import Approval, Channel
from hermes.records.candidate import Action, Candidate
from hermes.records.change import Act, Change
from hermes.records.folder import Folder
from hermes.records.origin import Origin
from hermes.records.proposal import DiskChange, Noticed, Proposal
from hermes.records.scope import PERSONAL
from hermes.records.skill import Skill
from hermes.records.verdict import Decision, Verdict
from hermes.records.version import Version, VersionState
from hermes.stages.promote import plans
from hermes.stages.promote.drafting import draft, write
from hermes.stages.promote.journalled import Desk
from hermes.stages.promote.releasing import head_of
from hermes.stages.promote.settle import settle

_TO_WAITING = (VersionState.VALIDATED, VersionState.AWAITING_REVIEW)


@dataclass(frozen=True, slots=True)
class DiskWatch:
    """`agent_open` tells whether an agent runs now: then a change could be its doing."""

    desk: Desk
    skill_format: SkillFormat
    judge: Callable[[Candidate, Folder], Verdict]
    agent_open: Callable[[], bool]
    os_user: str

    def notice(self, change: DiskChange) -> Noticed:
        """Call with the skill's lock held, inside a transaction."""
        ledger, library = self.desk.ledger, self.desk.library
        skill = ledger.skills.named(change.name, PERSONAL)
        active = ledger.active(skill) if skill else None
        try:
            folder = library.load(change.location)
        except CorruptData as error:
            return Noticed(change=change, tree=None, problem=str(error))
        if folder is None or change.withdrawn:
            if skill and active and skill.location == change.location:
                self._gone(change, skill, active)
            return Noticed(change=change, tree=None)
        tree = folder.tree()
        if skill and active:
            if self._is_hidden(skill, change):
                return Noticed(
                    change=change,
                    tree=tree,
                    problem=f"{change.location}: hidden by the skill of the same name "
                    f"at {skill.location}; rename one of the two folders",
                )
            if active.tree == tree:
                self._move(skill, change)
                return Noticed(change=change, tree=tree)
        return self._record(change, skill, active, folder)

    def _is_hidden(self, skill: Skill, change: DiskChange) -> bool:
        """One folder a name: the one that is live, but one of ours before an external one."""
        if skill.location == change.location:
            return False
        ours_over_external = isabs(skill.location) and not isabs(change.location)
        return not ours_over_external and self.desk.library.tree(skill.location) is not None

    def _record(
        self, change: DiskChange, skill: Skill | None, active: Version | None, folder: Folder
    ) -> Noticed:
        tree = folder.tree()
        decided = self._known(change, skill, tree)
        if decided is not None:
            return Noticed(change=change, tree=tree, problem=decided)
        origin = self._origin(change)
        proposal = Proposal(
            name=change.name,
            folder=folder,
            action=Action.HAND_EDIT if active else Action.ADOPT,
            origin=origin,
            author=self.os_user if origin is Origin.USER else str(origin),
            summary="changed on disk" if active else "found on disk",
            parent_version_id=active.id if active else None,
            category=change.category,
            location=change.location,
        )
        now = self.desk.now()
        drafted = draft(self.desk.ledger, skill, proposal, new_id("candidate"), now)
        verdict = self.judge(drafted.candidate, folder)
        if verdict.decision is Decision.REJECTED:
            # Not stored: an edit that is still being typed would fill the history with halves.
            problem = f"{change.location}: {verdict.reason}"
            return Noticed(change=change, tree=tree, problem=problem)
        if origin is Origin.UNKNOWN:
            write(self.desk.ledger, drafted, verdict, _TO_WAITING)
            return Noticed(change=change, tree=tree, problem=_waits(change, drafted.candidate.id))
        there = replace(drafted.skill, category=change.category, location=change.location)
        head = head_of(self.skill_format, there, folder)
        drafted = replace(drafted, skill=replace(drafted.skill, description=head.description))
        version = write(self.desk.ledger, drafted, verdict, (VersionState.VALIDATED,))
        approval = self._approval(origin)
        plan = plans.going_live(drafted.skill, drafted.candidate, version, head, approval)
        settle(self.desk.ledger, plan, now)
        return Noticed(change=change, tree=tree)

    def _origin(self, change: DiskChange) -> Origin:
        if change.adopted:
            return Origin.EXTERNAL
        return Origin.UNKNOWN if self.agent_open() else Origin.USER

    def _known(self, change: DiskChange, skill: Skill | None, tree: str) -> str | None:
        """Why these bytes are not live, when they wait for a person or a person refused them.

        What was refused stays refused though nobody runs an agent any more; another byte in the
        folder makes it another version.
        """
        for candidate in self.desk.ledger.candidates.of_skill(skill.id) if skill else ():
            version = self.desk.ledger.version(candidate.version_id)
            if version.tree != tree:
                continue
            if version.state is VersionState.AWAITING_REVIEW:
                return _waits(change, candidate.id)
            if version.state is VersionState.REJECTED and version.origin is Origin.UNKNOWN:
                return f"{change.location}: rejected as {candidate.id}; change it or remove it"
        return None

    def _move(self, skill: Skill, change: DiskChange) -> None:
        """The same bytes at another place: a person sorted their folders."""
        if (skill.location, skill.category) != (change.location, change.category):
            moved = replace(skill, location=change.location, category=change.category)
            self.desk.ledger.skills.replace(replace(moved, updated_at=self.desk.now()))

    def _gone(self, change: DiskChange, skill: Skill, active: Version) -> None:
        """A person who removes a folder archives the skill.

        While an agent runs nobody knows who did it: the skill stays live from the store, and a
        person restores or archives it.
        """
        if self.agent_open() and not change.withdrawn:
            self.desk.ledger.events.append(
                "folder.vanished",
                actor=str(Origin.UNKNOWN),
                subject_id=skill.id,
                skill_id=skill.id,
                data={"location": change.location, "why": "removed while an agent was running"},
            )
            return
        reason = (
            "its external folder is no longer in the settings"
            if change.withdrawn
            else "its folder was removed from disk"
        )
        act = Change(
            id=new_id("change"),
            skill_id=skill.id,
            act=Act.ARCHIVE,
            reason=reason,
            version_id=active.id,
            approval=self._approval(Origin.USER),
            at=self.desk.now(),
        )
        settle(self.desk.ledger, plans.archiving(skill, act), act.at)

    def _approval(self, origin: Origin) -> Approval:
        person = origin is Origin.USER
        return Approval(
            by=self.os_user if person else "policy:adopted",
            os_user=self.os_user,
            channel=Channel.DISK if person else Channel.POLICY,
            agent_session_open=False,
            note="changed on disk" if person else "here before Hermes Loop was",
            at=self.desk.now(),
        )


def _waits(change: DiskChange, candidate_id: str) -> str:
    return (
        f"{change.location}: changed while an agent was running, so nobody knows by whom; "
        f"waits for review as {candidate_id}"
    )

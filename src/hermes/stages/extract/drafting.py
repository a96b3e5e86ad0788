"""A pattern's examples → a proposal for the gate, when they teach something that is not there yet.

A draft that a person rejected is not sent again for every further run, and what a person wrote into
a skill is not overwritten by what was mined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from hermes.ports import Candidates, Skills, Versions
from hermes.records.candidate import Action, Candidate, Evidence, StepRef
from hermes.records.folder import Folder
from hermes.records.origin import AGENT_ORIGINS, Origin
from hermes.records.pattern import Pattern
from hermes.records.procedure import Procedure, Support
from hermes.records.proposal import Proposal
from hermes.records.scope import PERSONAL
from hermes.records.skill import Skill, SkillState
from hermes.records.version import Version, VersionState
from hermes.rules.keeping import substance
from hermes.rules.mine.repeated import repeated_failures
from hermes.rules.mine.worked import Worked
from hermes.rules.procedures import procedure_of
from hermes.stages.extract.extraction import NewDraft, NoDraft
from hermes.stages.extract.worked import Workbook

AUTHOR = "extract"
_MOST_STEPS = 500  # of evidence in the candidate; the folder's own table holds all


Mine = Callable[[Sequence[Worked], Sequence[str]], Procedure | NoDraft]
Write = Callable[[Procedure], Folder]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafter:
    """`mine` makes the procedure, `write` the folder that tells it; `failed` are the runs that were
    asked for the same and did not succeed."""

    workbook: Workbook
    skills: Skills
    versions: Versions
    candidates: Candidates
    mine: Mine
    write: Write
    failed: Callable[[Pattern], Sequence[Worked]]
    min_attempts: int

    def draft(self, pattern: Pattern, others: Sequence[str]) -> NewDraft | NoDraft:
        """`others` are the requests of other patterns: what this one must be told apart from."""
        worked = list(self.workbook.worked(pattern.example_ids))
        if len(worked) < self.min_attempts:
            return NoDraft(reason=f"{len(worked)} of {self.min_attempts} examples that it takes")
        earlier = self._earlier(pattern)
        if earlier is not None and (why := self._why_not_again(earlier, worked)):
            return NoDraft(reason=why)
        procedure = self.mine(worked, others)
        if isinstance(procedure, NoDraft):
            return procedure
        warned = procedure.pitfalls + repeated_failures(self.failed(pattern), procedure)
        procedure = replace(procedure, pitfalls=warned)
        if earlier is None:
            return self._new(self._freely_named(procedure))
        return self._next(earlier, procedure)

    def _earlier(self, pattern: Pattern) -> Candidate | None:
        """The last draft that was made from any of these examples."""
        members = set(pattern.example_ids)
        for candidate in reversed(self.candidates.of_origin(Origin.EXTRACT)):
            if members.intersection(candidate.evidence.example_ids):
                return candidate
        return None

    def _why_not_again(self, earlier: Candidate, worked: Sequence[Worked]) -> str:
        skill, version = self._skill(earlier), self._version(earlier)
        if skill.state is SkillState.ARCHIVED:
            return f"its skill {skill.name} is archived"
        if skill.pinned:
            return f"its skill {skill.name} is pinned"
        active = self.versions.get(skill.active_version_id) if skill.active_version_id else None
        if active is not None and active.origin not in AGENT_ORIGINS:
            return f"a person wrote what is live as {skill.name}"
        before, now = set(earlier.evidence.example_ids), {one.example_id for one in worked}
        if before == now:
            return f"nothing was added since {earlier.id}"
        missing = self.min_attempts - len(now - before)
        if version.state is VersionState.REJECTED and before <= now and missing > 0:
            return f"{earlier.id} was rejected; it takes {missing} more examples to try again"
        return ""

    def _new(self, procedure: Procedure) -> NewDraft:
        return NewDraft(
            proposal=self._proposal(procedure, Action.CREATE, parent=None), procedure=procedure
        )

    def _next(self, earlier: Candidate, procedure: Procedure) -> NewDraft | NoDraft:
        """A better draft of the same skill, under the name that it has."""
        skill, version = self._skill(earlier), self._version(earlier)
        procedure = replace(procedure, name=skill.name)
        waits = version.state is VersionState.AWAITING_REVIEW
        if not waits and self._says_the_same(version, procedure):
            return NoDraft(reason=f"{skill.name} says the same already")
        action = Action.EDIT if skill.active_version_id else Action.CREATE
        return NewDraft(
            proposal=self._proposal(procedure, action, parent=skill.active_version_id),
            procedure=procedure,
            replaces=earlier.id if waits else None,
        )

    def _says_the_same(self, version: Version, procedure: Procedure) -> bool:
        before = procedure_of(self.versions.folder(version))
        return before is not None and substance(before) == substance(procedure)

    def _proposal(self, procedure: Procedure, action: Action, parent: str | None) -> Proposal:
        number = len(procedure.example_ids)
        return Proposal(
            name=procedure.name,
            folder=self.write(procedure),
            action=action,
            origin=Origin.EXTRACT,
            author=AUTHOR,
            summary=f"mined from {number} examples",
            parent_version_id=parent,
            evidence=Evidence(
                example_ids=procedure.example_ids, steps=tuple(_steps(procedure))[:_MOST_STEPS]
            ),
        )

    def _freely_named(self, procedure: Procedure) -> Procedure:
        """Another name where somebody else's skill has this one."""
        name, number = procedure.name, 2
        while self.skills.named(name, PERSONAL) is not None:
            name, number = f"{procedure.name}-{number}", number + 1
        return replace(procedure, name=name)

    def _skill(self, candidate: Candidate) -> Skill:
        skill = self.skills.get(candidate.skill_id)
        assert skill is not None, "a candidate's skill is never deleted"
        return skill

    def _version(self, candidate: Candidate) -> Version:
        version = self.versions.get(candidate.version_id)
        assert version is not None, "a candidate's version is never deleted"
        return version


def _steps(procedure: Procedure) -> Iterator[StepRef]:
    """Every step that backs a line, each once."""
    supports: list[Support] = [step.support for step in procedure.steps]
    for lessons in (
        procedure.preconditions,
        procedure.success_criteria,
        procedure.pitfalls,
        procedure.guardrails,
    ):
        supports += [lesson.support for lesson in lessons]
    yield from dict.fromkeys(step for support in supports for step in support.steps)

"""START HERE. The learning loop, and the one gate into the live library.

    execute → observe → extract → validate → promote → refine → curate

Finished work is observed, repeated success is extracted into a candidate, a candidate is
validated, and only what passed is promoted; what is live is refined by every use and curated.
This file joins the stages that exist. `Learning.learn` takes finished runs through observe and
extract; `Loop.propose` validates a candidate and promotes it. Whoever wants to change the live
library (extraction, an agent's tool call, a person's edit on disk; later refinement, a hub) hands a
Proposal to `Loop.propose`, or is noticed by `Loop.notice`. There is no other way in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from hermes.errors import AgentError, ConfigError, InvalidSkill, NotFound
from hermes.ids import new_id
from hermes.ports import Checker, SkillFormat
from hermes.records.approval import Approval, Channel
from hermes.records.candidate import Candidate
from hermes.records.change import Act, Change
from hermes.records.folder import Folder
from hermes.records.grant import Grant
from hermes.records.intent import Intent
from hermes.records.learned import DraftLine, Learned
from hermes.records.observation import Observation
from hermes.records.pattern import Pattern
from hermes.records.proposal import DiskChange, Noticed, Outcome, Proposal
from hermes.records.scope import PERSONAL
from hermes.records.skill import Skill
from hermes.records.verdict import Decision, Verdict
from hermes.records.version import VersionState
from hermes.rules.admission import Policy, first_state
from hermes.rules.folder_rules import check_folder
from hermes.rules.guarding import guard_write
from hermes.rules.plain_text import check_storable
from hermes.stages.extract.extraction import Extraction, NewDraft, NoDraft
from hermes.stages.promote import acts, disk_changes, granting, reviews
from hermes.stages.promote.drafting import Draft, draft, write
from hermes.stages.promote.journalled import Desk, recover
from hermes.stages.promote.releasing import head_of, make_live
from hermes.stages.validate import validate

_BATCH = 200  # changes on disk that share one transaction: a first start has thousands


@dataclass(frozen=True, slots=True)
class Loop:
    """The gate. `desk` is where it writes; `checkers` are what a candidate must pass."""

    desk: Desk
    checkers: Sequence[Checker]
    skill_format: SkillFormat
    policy: Policy
    min_examples: int
    agent_open: Callable[[], bool]
    os_user: str

    def __post_init__(self) -> None:
        if self.policy is Policy.EVIDENCE:
            raise ConfigError(
                "policy 'evidence' needs canary releases, which this version does not have",
                hint="set promote.policy to review or trust",
            )

    def propose(self, proposal: Proposal) -> Outcome:
        """Validate it, then do with it what its origin and the policy say.

        It is judged while nobody holds the skill, because a trial may take a minute; then it is
        drafted once more, on what is live by now.
        """
        self._refuse_unstorable(proposal)
        candidate_id = new_id("candidate")
        with self.holding(proposal.name) as skill:
            drafted = self._draft(skill, proposal, candidate_id)
        verdict = self._judge(drafted.candidate, drafted.folder)
        with self.holding(proposal.name) as skill:
            drafted = self._draft(skill, proposal, candidate_id)
            if verdict.decision is Decision.REJECTED:
                return self._store(drafted, verdict, (VersionState.REJECTED,))
            state = first_state(proposal.origin, self.policy)
            if state is not VersionState.ACTIVE:
                return self._store(drafted, verdict, (VersionState.VALIDATED, state))
            approval = proposal.approval or self._policy_approval(proposal)
            return make_live(self.desk, self.skill_format, drafted, verdict, approval)

    def notice(self, changes: Sequence[DiskChange]) -> Sequence[Noticed]:
        """Record what happened on disk behind our back."""
        watch = disk_changes.DiskWatch(
            self.desk, self.skill_format, self._judge, self.agent_open, self.os_user
        )
        noticed: list[Noticed] = []
        for start in range(0, len(changes), _BATCH):
            batch = changes[start : start + _BATCH]
            with self.desk.library.lock(*(change.name for change in batch)):
                for intent in self._pending():
                    if self.desk.ledger.skill(intent.skill_id).name in {c.name for c in batch}:
                        recover(self.desk, intent)
                with self.desk.ledger.transactions.transaction():
                    noticed += [watch.notice(change) for change in batch]
        return noticed

    def approve(self, candidate_id: str, approval: Approval) -> Outcome:
        """A person says that a waiting candidate goes live now."""
        check_storable("the note", approval.note)
        candidate = self.desk.ledger.candidate(candidate_id)
        with self.holding(candidate.skill_name):
            return reviews.approve(
                self.desk, self.skill_format, candidate, approval, self.min_examples
            )

    def reject(self, candidate_id: str, approval: Approval) -> Outcome:
        """A person says no; the note is the reason."""
        check_storable("the reason", approval.note)
        candidate = self.desk.ledger.candidate(candidate_id)
        with self.holding(candidate.skill_name):
            return reviews.reject(self.desk, candidate, approval)

    def withdraw(self, candidate_id: str, reason: str) -> Outcome:
        """Take back a draft that waits, because its own author has a better one."""
        return self.reject(candidate_id, self._by_policy("newer-draft", reason))

    def rollback(self, name: str, approval: Approval, *, to: int | None = None) -> Outcome:
        """Bring the previous version back, or the one with this number, byte for byte."""
        check_storable("the note", approval.note)
        with self.holding(name) as skill:
            return acts.rollback(self.desk, self.skill_format, _known(skill, name), approval, to)

    def act(self, name: str, act: Act, approval: Approval, *, reason: str = "") -> Change | None:
        """Archive, restore, pin, unpin, disable, enable. None when it was so already."""
        check_storable("the reason", approval.note + reason)
        with self.holding(name) as skill:
            return acts.act(self.desk, _known(skill, name), act, approval, reason)

    def grant(self, name: str, hosts: Sequence[str], approval: Approval) -> Sequence[Grant]:
        """Let a live skill reach these hosts when it is run; the grants that are new."""
        check_storable("the note", approval.note)
        with self.holding(name) as skill:
            return granting.grant(self.desk.ledger, _known(skill, name), hosts, approval)

    def revoke(self, name: str, hosts: Sequence[str], approval: Approval) -> Sequence[Grant]:
        """Take these hosts back, or all; the grants that ended."""
        check_storable("the note", approval.note)
        with self.holding(name) as skill:
            return granting.revoke(self.desk.ledger, _known(skill, name), hosts, approval)

    def check_out(self, approval: Approval) -> Iterator[str]:
        """Write the folder of each live skill that has none on this disk; their names.

        For a database that came from elsewhere: a backup, or another machine.
        """
        for skill in self.desk.ledger.skills.all():
            if skill.active_version_id is None or skill.location.startswith("/"):
                continue  # not live, or in an external folder, which is only read
            if self.desk.library.tree(skill.location) is None:
                self.act(skill.name, Act.RESTORE, approval)
                yield skill.name

    def recover(self) -> int:
        """Finish or give up whatever a dead process of this home left half done."""
        pending = self._pending()
        for intent in pending:
            with self.holding(self.desk.ledger.skill(intent.skill_id).name):
                pass  # holding a skill recovers it
        self.desk.library.sweep(lambda: {intent.id for intent in self._pending()})
        return len(pending)

    @contextmanager
    def holding(self, name: str) -> Iterator[Skill | None]:
        """The skill as it is once nobody else writes it and nothing of it is half done."""
        ledger = self.desk.ledger
        with self.desk.library.lock(name):
            skill = ledger.skills.named(name, PERSONAL)
            if skill is not None:
                for intent in ledger.journal.pending(self.desk.home, skill.id):
                    recover(self.desk, intent)
                    skill = ledger.skill(skill.id)
            yield skill

    def _pending(self) -> Sequence[Intent]:
        return self.desk.ledger.journal.pending(self.desk.home)

    def _draft(self, skill: Skill | None, proposal: Proposal, candidate_id: str) -> Draft:
        """Call with the skill's lock held. Raises when the proposal may not be made."""
        guard_write(proposal.name, skill, proposal.action, proposal.origin)
        reviews.check_parent(self.desk, skill, proposal)
        drafted = draft(self.desk.ledger, skill, proposal, candidate_id, self.desk.now())
        if not drafted.is_new:
            return drafted
        # A draft that was never live is listed too: by what it says of itself.
        head = head_of(self.skill_format, drafted.skill, proposal.folder)
        return replace(drafted, skill=replace(drafted.skill, description=head.description))

    def _judge(self, candidate: Candidate, folder: Folder) -> Verdict:
        return validate(candidate, folder, self.checkers, self.desk.now())

    def _store(self, drafted: Draft, verdict: Verdict, states: tuple[VersionState, ...]) -> Outcome:
        with self.desk.ledger.transactions.transaction():
            version = write(self.desk.ledger, drafted, verdict, states)
        return Outcome(
            candidate=drafted.candidate,
            version=version,
            verdict=verdict,
            release=None,
            state=version.state,
            reason=verdict.reason,
        )

    def _refuse_unstorable(self, proposal: Proposal) -> None:
        """What could do harm by being stored is turned away at the door, and that is recorded."""
        faults = check_folder(proposal.folder, name=proposal.name, strict=False)
        findings = [str(fault) for fault in faults if fault.fatal]
        if not findings:
            return
        with self.desk.ledger.transactions.transaction():
            self.desk.ledger.events.append(
                "proposal.refused",
                actor=proposal.author,
                subject_id=proposal.name[:100],
                data={"origin": str(proposal.origin), "findings": findings[:20]},
            )
        raise InvalidSkill(f"the folder cannot be taken: {findings[0]}", findings=findings)

    def _policy_approval(self, proposal: Proposal) -> Approval:
        return self._by_policy(
            f"{self.policy}:{proposal.origin}",
            f"policy '{self.policy}' lets '{proposal.origin}' go live at once",
        )

    def _by_policy(self, rule: str, note: str) -> Approval:
        return Approval(
            by=f"policy:{rule}",
            os_user=self.os_user,
            channel=Channel.POLICY,
            agent_session_open=self.agent_open(),
            note=note,
            at=self.desk.now(),
        )


def _known(skill: Skill | None, name: str) -> Skill:
    if skill is None:
        raise NotFound(f"there is no skill '{name}'", hint="`hermes skills list` shows them")
    return skill


@dataclass(frozen=True, slots=True, kw_only=True)
class Learning:
    """What becomes of finished work. Nobody waits for it, and every part is safe to repeat."""

    gate: Loop
    observe: Callable[[Sequence[str]], Sequence[Observation]]
    settle: Callable[[Sequence[Observation]], int]
    remember: Callable[[Sequence[Observation]], None]
    extract: Callable[[Sequence[Observation]], Extraction]

    def learn(self, trajectory_ids: Sequence[str]) -> Learned:
        """Observe → refine → extract → validate → promote, for runs that have ended."""
        observed = self.observe(trajectory_ids)
        self.settle(observed)
        self.remember(observed)
        extraction = self.extract(observed)
        outcomes = [one.success for one in observed]
        return Learned(
            tasks=len(observed),
            successes=outcomes.count(True),
            failures=outcomes.count(False),
            unknown=outcomes.count(None),
            kept=len(extraction.kept),
            left_out=extraction.left_out,
            patterns=len(extraction.outcomes),
            lines=tuple(self._proposed(*outcome) for outcome in extraction.outcomes),
        )

    def _proposed(self, pattern: Pattern, draft: NewDraft | NoDraft) -> DraftLine:
        line = DraftLine(
            pattern_id=pattern.id, intent=pattern.intent, examples=len(pattern.example_ids)
        )
        if isinstance(draft, NoDraft):
            return replace(line, reason=draft.reason)
        try:
            outcome = self.gate.propose(draft.proposal)
        except (
            AgentError
        ) as error:  # pinned, changed meanwhile: nothing is proposed, and that is told
            return replace(line, skill_name=draft.proposal.name, reason=str(error))
        if draft.replaces is not None and outcome.state is not VersionState.REJECTED:
            self.gate.withdraw(
                draft.replaces, f"replaced by {_id(outcome)}, made from more examples"
            )
        return replace(
            line,
            skill_name=draft.proposal.name,
            candidate_id=_id(outcome),
            state=str(outcome.state),
            score=outcome.verdict.scores.after if outcome.verdict else None,
            reason=outcome.reason,
        )


def _id(outcome: Outcome) -> str | None:
    return outcome.candidate.id if outcome.candidate else None

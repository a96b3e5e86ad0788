"""The proof: each example is done again by what the others teach, and compared with its record.

Reads: examples, their trajectories and bytes. Writes: nothing. Never: counts as proven what could
not be replayed. Safe to repeat: the same examples and the same folder get the same answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Protocol

from hermes.errors import MissingPart, Refused, SandboxUnavailable
from hermes.ports import Trials
from hermes.records.candidate import Candidate
from hermes.records.codec import Json
from hermes.records.folder import Folder
from hermes.records.origin import Origin
from hermes.records.procedure import Procedure
from hermes.records.replay import CaseOutcome, CaseResult, Proof, ReplayRun
from hermes.records.trial import TrialOutcome
from hermes.records.verdict import Check, CheckOutcome, Measured, Scores
from hermes.rules.mine.worked import Worked
from hermes.rules.procedures import PROCEDURE_FILE, ProcedureFault, procedure_of
from hermes.rules.proof import MEASURE
from hermes.rules.requirements import declared
from hermes.stages.validate.cases import Case, CaseReader, NoCase
from hermes.stages.validate.replay import Prepared, Replayer, no_program, not_covered, unreplayable

WORKERS = 2  # a replay mostly computes, and the machine has other work

_ASKED = frozenset({Origin.EXTRACT, Origin.REFINE})
_Pending = CaseResult | tuple[Prepared, Future[ReplayRun]]


class Unlearned(Protocol):
    """Why mining or binding came to nothing."""

    @property
    def reason(self) -> str: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Learning:
    """How procedures are made of examples, and how an example's own values are found for one."""

    mine: Callable[[Sequence[Worked]], Procedure | Unlearned]
    bind: Callable[[Procedure, Worked], Mapping[str, Json] | Unlearned]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveOneOut:
    """A checker for what was extracted or refined from examples.

    `trials` is asked for where a program wants packages that the operator lets in.
    """

    cases: CaseReader
    learning: Learning
    replayer: Replayer
    trials: Callable[[], Trials]

    def check(self, candidate: Candidate, folder: Folder) -> Measured | None:
        if candidate.origin not in _ASKED:
            return None
        try:
            procedure = procedure_of(folder)
        except ProcedureFault as fault:
            return _measured(CheckOutcome.FAILED, (f"{PROCEDURE_FILE}: {fault}",), None)
        if procedure is None:
            return _measured(CheckOutcome.UNPROVEN, (f"there is no {PROCEDURE_FILE}",), None)
        examples = candidate.evidence.example_ids or procedure.example_ids
        requirements = declared(folder, procedure.dependencies)
        problems = self._provide(candidate, requirements)
        proof = self.prove(procedure, examples, requirements)
        return _measured(_outcome(proof), (*_findings(proof), *problems), proof.score)

    def prove(
        self, procedure: Procedure, example_ids: Sequence[str], requirements: Sequence[str]
    ) -> Proof:
        """Replays run side by side; the same program on the same bytes runs once.

        `requirements` are the packages of the skill, with which every replay runs.
        """
        read = self.cases.read(example_ids)
        gone = [unreplayable(one.example_id, one.reason) for one in read if isinstance(one, NoCase)]
        cases = [one for one in read if isinstance(one, Case)]
        with ThreadPoolExecutor(WORKERS, thread_name_prefix="hermes-replay") as pool:
            runs = _Runs(self.replayer, pool, tuple(requirements), self._by_itself)
            held_out = [runs.start(self._by_the_others(case, cases)) for case in cases]
            proposed = [runs.start(self._by(procedure, case)) for case in cases]
            return Proof(
                held_out=(*map(runs.end, held_out), *gone),
                as_proposed=(*map(runs.end, proposed), *gone),
            )

    def _provide(self, candidate: Candidate, requirements: Sequence[str]) -> tuple[str, ...]:
        """Why packages cannot be had; the replays then say what is missing."""
        known = candidate.skill_id if candidate.parent_version_id is not None else None
        try:
            if requirements:
                self.trials().provide(candidate.skill_name, requirements, skill_id=known)
        except (Refused, MissingPart, SandboxUnavailable) as error:
            return (str(error),)
        return ()

    def _by_the_others(self, held_out: Case, cases: Sequence[Case]) -> Prepared | CaseResult:
        others = [case.worked for case in cases if case is not held_out]
        if not others:
            return unreplayable(held_out.example_id, "there is no other example to learn it from")
        procedure = self.learning.mine(others)
        if not isinstance(procedure, Procedure):
            why = f"the other examples teach no procedure: {procedure.reason}"
            return unreplayable(held_out.example_id, why)
        return self._by(procedure, held_out)

    def _by_itself(self, case: Case) -> Prepared | CaseResult:
        """What the example teaches alone: its own commands, with its own values."""
        procedure = self.learning.mine([case.worked])
        if not isinstance(procedure, Procedure):
            return unreplayable(case.example_id, procedure.reason)
        return self._by(procedure, case)

    def _by(self, procedure: Procedure, case: Case) -> Prepared | CaseResult:
        if procedure.code_template is None:
            return unreplayable(case.example_id, no_program(procedure))
        values = self.learning.bind(procedure, case.worked)
        if not isinstance(values, Mapping):
            return not_covered(case.example_id, values.reason)
        return self.replayer.prepare(case, procedure, values)


class _Runs:
    """The runs of one proof, each begun once. `alone` prepares what an example did by itself."""

    def __init__(
        self,
        replayer: Replayer,
        pool: ThreadPoolExecutor,
        requirements: tuple[str, ...],
        alone: Callable[[Case], Prepared | CaseResult],
    ) -> None:
        self._replayer = replayer
        self._pool = pool
        self._requirements = requirements
        self._alone = alone
        self._begun: dict[str, Future[ReplayRun]] = {}

    def start(self, prepared: Prepared | CaseResult) -> _Pending:
        if isinstance(prepared, CaseResult):
            return prepared
        key = prepared.key
        if key not in self._begun:
            run = self._replayer.run
            self._begun[key] = self._pool.submit(run, prepared, self._requirements)
        return prepared, self._begun[key]

    def end(self, pending: _Pending) -> CaseResult:
        if isinstance(pending, CaseResult):
            return pending
        prepared, future = pending
        run = future.result()
        result = self._replayer.judge(prepared, run)
        crashed = run.outcome is TrialOutcome.FAILED
        if result.outcome is CaseOutcome.BROKEN and crashed:
            return self._excused(prepared.case) or result
        return result

    def _excused(self, case: Case) -> CaseResult | None:
        """A run that succeeded and whose own commands fail here had something nobody kept: a
        repository, a service. That says nothing about the procedure."""
        own = self.start(self._alone(case))
        if isinstance(own, CaseResult):
            return None
        run = own[1].result()
        if run.outcome is not TrialOutcome.FAILED:
            return None
        why = f"its own commands need more than was kept of it: {run.error}"
        return unreplayable(case.example_id, case.told(why))


def _measured(outcome: CheckOutcome, findings: tuple[str, ...], score: float | None) -> Measured:
    return Measured(
        check=Check(name=MEASURE, outcome=outcome, findings=findings),
        scores=Scores(measure=MEASURE, before=None, after=score),
    )


def _outcome(proof: Proof) -> CheckOutcome:
    """Passed only where every example was proven both ways."""
    outcomes = {one.outcome for one in (*proof.held_out, *proof.as_proposed)}
    if CaseOutcome.BROKEN in outcomes:
        return CheckOutcome.FAILED
    if not proof.score or CaseOutcome.PROVEN not in {one.outcome for one in proof.as_proposed}:
        return CheckOutcome.UNPROVEN
    return CheckOutcome.PASSED if outcomes == {CaseOutcome.PROVEN} else CheckOutcome.WARNED


def _findings(proof: Proof) -> Iterator[str]:
    """What broke first, because a verdict's reason quotes the first finding."""
    for one in proof.held_out:
        if one.outcome is CaseOutcome.BROKEN:
            yield f"over-general: learned from the others, {one.example_id} breaks: {one.reason}"
    for one in proof.as_proposed:
        if one.outcome is CaseOutcome.BROKEN:
            yield f"as proposed it does not reproduce {one.example_id}: {one.reason}"
    for one in proof.held_out:
        if one.outcome is CaseOutcome.PROVEN:
            yield f"{one.example_id}: proven by {', '.join(one.compared)}"
        elif one.outcome is not CaseOutcome.BROKEN:
            yield f"{one.example_id}: {one.outcome}: {one.reason}"
    known = {(one.example_id, one.reason) for one in proof.held_out}
    for one in proof.as_proposed:
        silent = one.outcome in (CaseOutcome.PROVEN, CaseOutcome.BROKEN)
        if not silent and (one.example_id, one.reason) not in known:
            yield f"{one.example_id}, as proposed: {one.outcome}: {one.reason}"

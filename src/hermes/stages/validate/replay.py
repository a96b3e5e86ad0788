"""One example done again: its recorded inputs laid out, the program run, the results compared.

Whatever kept an example from being replayed says nothing about the procedure: it is told as that,
and never counts as proven. A result that differs does say something, unless a file that the work
had could not be laid out, or the program reached for the network that a replay does not have.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from hermes.errors import Refused, SandboxUnavailable, WrongCall
from hermes.ids import canonical_json, content_hash
from hermes.ports import Blobs, Replays
from hermes.records.codec import Json
from hermes.records.procedure import Procedure
from hermes.records.replay import CaseOutcome, CaseResult, ReplayRun
from hermes.records.trial import TrialOutcome
from hermes.rules.mine.worked import PLACEHOLDER
from hermes.rules.procedures import defaults_of, outputs_of
from hermes.rules.templates import bind
from hermes.stages.validate.cases import Case
from hermes.stages.validate.results import Reproduced, reproduced


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A replay that only has to be run. `missing` are inputs whose bytes nobody has."""

    case: Case
    program: str
    files: Mapping[str, bytes]
    missing: tuple[str, ...]

    @property
    def key(self) -> str:
        """The same for two replays that run the same program on the same bytes."""
        inputs = {name: content_hash(data) for name, data in self.files.items()}
        return content_hash(canonical_json([self.program, inputs]).encode())


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayer:
    """`replays` is asked for when there is something to run: most examples fall out before."""

    replays: Callable[[], Replays]
    blobs: Blobs

    def prepare(
        self, case: Case, procedure: Procedure, values: Mapping[str, Json]
    ) -> Prepared | CaseResult:
        """Bind the case's own values and gather its files; a result where that cannot be done."""
        if procedure.code_template is None:
            return unreplayable(case.example_id, no_program(procedure))
        filled = {**defaults_of(procedure.parameters), **case.restored(values)}
        absent = [one.name for one in procedure.parameters if one.name not in filled]
        if absent:
            return not_covered(case.example_id, f"it has no value for {', '.join(absent)}")
        try:
            program = bind(procedure.code_template, filled)
        except WrongCall as error:
            return broken(case.example_id, f"no program can be made of it: {error.message}")
        files, missing = self._inputs(case, outputs_of(procedure, filled))
        problem = _unrunnable(program, missing)
        if problem:
            return unreplayable(case.example_id, case.told(problem))
        return Prepared(case=case, program=program, files=files, missing=missing)

    def run(self, prepared: Prepared, requirements: Sequence[str]) -> ReplayRun:
        """Safe in any thread: it touches no store."""
        try:
            return self.replays().run(prepared.program, prepared.files, requirements=requirements)
        except SandboxUnavailable as error:
            why = f"no isolating sandbox: {error}"
        except Refused as error:  # names that no folder can hold side by side
            why = error.message
        return ReplayRun(outcome=TrialOutcome.NOT_RUN, error=why)

    def judge(self, prepared: Prepared, run: ReplayRun) -> CaseResult:
        """What the run says of the procedure."""
        case = prepared.case
        if run.outcome is TrialOutcome.NOT_RUN:
            return unreplayable(case.example_id, case.told(run.error))
        if run.outcome is not TrialOutcome.PASSED:
            found = Reproduced(difference=run.error)
        else:
            found = reproduced(case.steps, case.cwd, prepared.files, run, self.blobs)
        if found.difference:
            difference = case.told(found.difference)
            excuse = _excuse(prepared, run)
            if excuse:
                return unreplayable(case.example_id, case.told(f"{excuse} ({difference})"))
            return broken(case.example_id, difference, run.seconds)
        if not found.compared:
            return unreplayable(case.example_id, case.told(found.unknown))
        return CaseResult(
            example_id=case.example_id,
            outcome=CaseOutcome.PROVEN,
            compared=tuple(map(case.told, found.compared)),
            seconds=run.seconds,
        )

    def _inputs(self, case: Case, made: Sequence[str]) -> tuple[dict[str, bytes], tuple[str, ...]]:
        """What the program makes itself (`made`) is no input, though the log only shows it read."""
        files: dict[str, bytes] = {}
        missing: list[str] = []
        for artefact in case.inputs:
            is_inside = not artefact.name.startswith("/") and ".." not in artefact.name.split("/")
            data = self.blobs.get(artefact.content) if artefact.content and is_inside else None
            if data is None and artefact.name not in made:
                missing.append(artefact.name)
            elif data is not None:
                files[artefact.name] = data
        return files, tuple(missing)


def _unrunnable(program: str, missing: tuple[str, ...]) -> str:
    if found := PLACEHOLDER.search(program):
        return f"it needs a value that was taken out of the examples: {found[0]}"
    named = [name for name in missing if name in program]
    if named:
        return f"the bytes of {', '.join(named)} were not kept, or lie outside the working folder"
    return ""


def _excuse(prepared: Prepared, run: ReplayRun) -> str:
    """Why a difference may not be the procedure's doing."""
    if run.stopped:
        return "a limit of the sandbox ended it, or cut what it printed"
    if run.reached_out:
        return "it reaches for the network, which a replay does not have"
    if prepared.missing:
        return f"the work also had {prepared.missing[0]}, whose bytes nobody has"
    return ""


def no_program(procedure: Procedure) -> str:
    """Why nothing can be run."""
    why = procedure.why_no_program
    return f"no program stands for its steps: {why}" if why else "no program stands for its steps"


def unreplayable(example_id: str, reason: str) -> CaseResult:
    return CaseResult(example_id=example_id, outcome=CaseOutcome.NOT_REPLAYABLE, reason=reason)


def not_covered(example_id: str, reason: str) -> CaseResult:
    return CaseResult(example_id=example_id, outcome=CaseOutcome.NOT_COVERED, reason=reason)


def broken(example_id: str, reason: str, seconds: float = 0.0) -> CaseResult:
    return CaseResult(
        example_id=example_id, outcome=CaseOutcome.BROKEN, reason=reason, seconds=seconds
    )

"""The trial: a candidate's own tests, run in the sandbox before anybody relies on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from hermes.errors import MissingPart, Refused, SandboxUnavailable
from hermes.ports import Trials
from hermes.records.candidate import Candidate
from hermes.records.folder import Folder
from hermes.records.origin import Origin
from hermes.records.trial import Trial, TrialOutcome, TrialResult
from hermes.records.verdict import Check, CheckOutcome
from hermes.rules.requirements import declared
from hermes.rules.trials import own_tests

_NAME = "trial"
_NOT_ASKED = frozenset({Origin.USER, Origin.EXTERNAL, Origin.BUNDLED})
"""A person's own work, and what was here before us, is live whatever its tests say."""


class TrialCheck:
    """For what a machine or a stranger wrote. What could not be run is unproven, never passed.

    `trials` is asked for when there is something to try: most candidates bring no tests.
    """

    def __init__(self, trials: Callable[[], Trials]) -> None:
        self._trials = trials

    def check(self, candidate: Candidate, folder: Folder) -> Check | None:
        if candidate.origin in _NOT_ASKED:
            return None
        if candidate.origin is Origin.UNKNOWN:
            # It is judged inside the transaction that records it, which must not last for minutes.
            return _unproven("changed on disk while an agent ran, so nobody has tried it")
        tests = own_tests(folder)
        if not tests:
            return _unproven("the skill has no tests: scripts/test_*.py, *_test.py or test_*.sh")
        try:
            return self._tried(candidate, folder, tests)
        except SandboxUnavailable as error:
            return _unproven(f"no isolating sandbox: {error}")

    def _tried(self, candidate: Candidate, folder: Folder, tests: Sequence[Trial]) -> Check:
        trials, requirements = self._trials(), declared(folder)
        name, is_known = candidate.skill_name, candidate.parent_version_id is not None
        problems: tuple[str, ...] = ()
        try:
            trials.provide(name, requirements, skill_id=candidate.skill_id if is_known else None)
        except (Refused, MissingPart) as error:  # the tests then say what is missing
            problems = (str(error),)
        results = trials.run(name, folder, tests, requirements=requirements)
        findings = (*_findings(results), *problems)
        return Check(name=_NAME, outcome=_outcome(results), findings=findings)


def _unproven(why: str) -> Check:
    return Check(name=_NAME, outcome=CheckOutcome.UNPROVEN, findings=(why,))


def _outcome(results: Sequence[TrialResult]) -> CheckOutcome:
    outcomes = {result.outcome for result in results}
    if TrialOutcome.FAILED in outcomes:
        return CheckOutcome.FAILED
    if outcomes != {TrialOutcome.PASSED}:
        return CheckOutcome.UNPROVEN
    if any(result.refused for result in results):
        return CheckOutcome.WARNED
    return CheckOutcome.PASSED


def _findings(results: Sequence[TrialResult]) -> Iterator[str]:
    """What failed first, because a verdict's reason quotes the first finding."""
    for result in sorted(results, key=lambda result: result.outcome is not TrialOutcome.FAILED):
        if result.outcome is not TrialOutcome.PASSED:
            yield f"{result.name}: {result.error}"
        elif result.refused:
            yield f"{result.name}: passed, but the sandbox refused {', '.join(result.refused)}"
        else:
            yield f"{result.name}: passed"

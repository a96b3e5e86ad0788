"""Turns a candidate and its folder into a Verdict.

Reads: the candidate, the folder's bytes. Writes: nothing. Never: runs what it judges, but in the
sandbox. Safe to repeat: the same folder gets the same decision.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from hermes.ids import new_id
from hermes.ports import Checker
from hermes.records.candidate import Candidate
from hermes.records.folder import Folder
from hermes.records.verdict import Check, CheckOutcome, Decision, Measured, Scores, Verdict

NOT_MEASURED = Scores(measure="none", before=None, after=None)
"""No replay or evaluation has been run: said as that, never as a score."""


def validate(
    candidate: Candidate, folder: Folder, checkers: Sequence[Checker], now: datetime
) -> Verdict:
    """Every check is run, so that the author hears of all faults at once."""
    answers = [checker.check(candidate, folder) for checker in checkers]
    checks = tuple(_check(answer) for answer in answers if answer is not None)
    failed = [check for check in checks if check.outcome is CheckOutcome.FAILED]
    if failed:
        reason = "; ".join(f"{check.name}: {check.findings[0]}" for check in failed)
    else:
        unproven = sum(check.outcome is CheckOutcome.UNPROVEN for check in checks)
        reason = f"{len(checks) - unproven} of {len(checks)} checks passed, none failed"
    return Verdict(
        id=new_id("verdict"),
        candidate_id=candidate.id,
        checks=checks,
        scores=_scores(answers),
        example_ids=candidate.evidence.example_ids,
        decision=Decision.REJECTED if failed else Decision.VALIDATED,
        reason=reason,
        decided_at=now,
    )


def _check(answer: Check | Measured) -> Check:
    return answer.check if isinstance(answer, Measured) else answer


def _scores(answers: Sequence[Check | Measured | None]) -> Scores:
    """The first measure that came to a number: a verdict rests on one."""
    taken = [answer.scores for answer in answers if isinstance(answer, Measured)]
    return next((scores for scores in taken if scores.after is not None), NOT_MEASURED)

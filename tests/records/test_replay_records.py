"""What a proof cannot say: a pass without anything compared, a failure without a reason."""

from __future__ import annotations

import pytest

from hermes.records.replay import CaseOutcome, CaseResult, Proof, ReplayRun
from hermes.records.trial import TrialOutcome


def case(outcome: CaseOutcome) -> CaseResult:
    proven = outcome is CaseOutcome.PROVEN
    return CaseResult(
        example_id="e",
        outcome=outcome,
        reason="" if proven else "why",
        compared=("a.csv",) if proven else (),
    )


def test_nothing_is_proven_by_nothing() -> None:
    with pytest.raises(ValueError, match="by something that was compared"):
        CaseResult(example_id="e", outcome=CaseOutcome.PROVEN)


@pytest.mark.parametrize("outcome", [one for one in CaseOutcome if one is not CaseOutcome.PROVEN])
def test_what_is_not_proven_says_why(outcome: CaseOutcome) -> None:
    with pytest.raises(ValueError, match="says why"):
        CaseResult(example_id="e", outcome=outcome)
    with pytest.raises(ValueError, match="says why"):
        CaseResult(example_id="e", outcome=CaseOutcome.PROVEN, reason="but", compared=("a",))


def test_a_run_that_did_not_pass_says_why() -> None:
    with pytest.raises(ValueError, match="says why"):
        ReplayRun(outcome=TrialOutcome.FAILED)
    with pytest.raises(ValueError, match="says why"):
        ReplayRun(outcome=TrialOutcome.PASSED, error="but")


@pytest.mark.parametrize(
    ("outcomes", "score"),
    [
        ([], None),
        ([CaseOutcome.NOT_REPLAYABLE], None),
        ([CaseOutcome.PROVEN, CaseOutcome.NOT_REPLAYABLE], 1.0),
        ([CaseOutcome.PROVEN, CaseOutcome.BROKEN], 0.5),
        ([CaseOutcome.PROVEN, CaseOutcome.NOT_COVERED], 0.5),
        ([CaseOutcome.BROKEN], 0.0),
    ],
)
def test_the_score_counts_what_could_be_replayed(
    outcomes: list[CaseOutcome], score: float | None
) -> None:
    assert Proof(held_out=tuple(map(case, outcomes))).score == score

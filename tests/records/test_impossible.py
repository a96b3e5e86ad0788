"""Values that must not exist cannot be made."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from hermes.records.approval import Approval, Channel
from hermes.records.example import Example, ExampleStatus
from hermes.records.feedback import Feedback
from hermes.records.health import HealthCheck, HealthOutcome
from hermes.records.observation import ErrorRecovery, Observation, SuccessSource
from hermes.records.origin import Origin
from hermes.records.release import Release, ReleaseState
from hermes.records.scope import Scope, ScopeKind
from hermes.records.trajectory import Trajectory, TrajectoryState
from hermes.records.trial import TrialOutcome, TrialResult
from hermes.records.verdict import Check, CheckOutcome, Decision, Scores, Verdict
from hermes.records.version import FileEntry, Version, VersionState, tree_of

NOW = datetime(2026, 11, 15, tzinfo=UTC)
FAILED = Check(name="format", outcome=CheckOutcome.FAILED, findings=("bad",))
PASSED = Check(name="format", outcome=CheckOutcome.PASSED)


def verdict(**changes: object) -> Verdict:
    values = {
        "id": "verdict_1",
        "candidate_id": "candidate_1",
        "checks": (PASSED,),
        "scores": Scores(measure="none", before=None, after=None),
        "example_ids": (),
        "decision": Decision.VALIDATED,
        "reason": "all passed",
        "decided_at": NOW,
    }
    return Verdict(**{**values, **changes})  # type: ignore[arg-type]


def approval(by: str = "ana") -> Approval:
    return Approval(
        by=by, os_user="ana", channel=Channel.TERMINAL, agent_session_open=False, at=NOW
    )


def test_a_verdict_says_why_and_on_what_it_rests() -> None:
    assert verdict().decision is Decision.VALIDATED
    with pytest.raises(ValueError, match="says why"):
        verdict(reason=" ")
    with pytest.raises(ValueError, match="checks"):
        verdict(checks=())
    with pytest.raises(TypeError):
        Verdict(id="v", candidate_id="c", checks=(PASSED,), decision=Decision.VALIDATED)  # type: ignore[call-arg]


def test_a_failed_check_never_ends_validated() -> None:
    with pytest.raises(ValueError, match="failed check"):
        verdict(checks=(PASSED, FAILED))
    assert verdict(checks=(FAILED,), decision=Decision.REJECTED).decision is Decision.REJECTED


def test_an_approval_names_somebody() -> None:
    with pytest.raises(ValueError, match="names somebody"):
        approval(by="  ")


def test_an_unknown_outcome_is_not_a_success() -> None:
    def observed(success: bool | None, source: SuccessSource) -> Observation:
        return Observation(
            id="o",
            trajectory_id="t",
            success=success,
            success_source=source,
            confidence=0.5,
            efficiency_score=None,
            error_recovery=ErrorRecovery(),
            learning_value=0.0,
            created_at=NOW,
        )

    assert observed(None, SuccessSource.UNKNOWN).success is None
    for success, source in ((True, SuccessSource.UNKNOWN), (None, SuccessSource.CLAIM)):
        with pytest.raises(ValueError, match="unknown exactly when"):
            observed(success, source)


def test_a_version_is_its_files() -> None:
    files = (FileEntry(path="SKILL.md", content="0" * 64, size=1),)
    values = {
        "id": "version_1",
        "skill_id": "skill_1",
        "number": 1,
        "files": files,
        "parent_id": None,
        "origin": Origin.USER,
        "author": "ana",
        "state": VersionState.DRAFT,
        "created_at": NOW,
    }
    assert Version(tree=tree_of(files), **values)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="tree hash"):
        Version(tree="0" * 64, **values)  # type: ignore[arg-type]


def test_a_release_ends_exactly_when_it_has_an_end() -> None:
    values = {
        "id": "r",
        "skill_id": "s",
        "version_id": "v",
        "previous_version_id": None,
        "approval": approval(),
        "released_at": NOW,
    }
    with pytest.raises(ValueError, match="ended"):
        Release(state=ReleaseState.ENDED, share=1.0, **values)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="share"):
        Release(state=ReleaseState.ACTIVE, share=0.0, **values)  # type: ignore[arg-type]


def test_an_open_trajectory_has_no_end() -> None:
    with pytest.raises(ValueError, match="open trajectory"):
        Trajectory(
            id="t", task_id="k", session_id=None, state=TrajectoryState.FINISHED, started_at=NOW
        )


def test_examples_feedback_and_scopes_keep_their_rules() -> None:
    with pytest.raises(ValueError, match="reviewed by somebody"):
        Example(id="e", trajectory_id=None, task="t", status=ExampleStatus.APPROVED, created_at=NOW)
    with pytest.raises(ValueError, match="rates or corrects"):
        Feedback(id="f", trajectory_id="t", rating=None, correction=None, by="ana", at=NOW)
    with pytest.raises(ValueError, match="1 to 5"):
        Feedback(id="f", trajectory_id="t", rating=6, correction=None, by="ana", at=NOW)
    with pytest.raises(ValueError, match="has a name"):
        Scope(kind=ScopeKind.TEAM)
    assert str(Scope.parse("team:core")) == "team:core"


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"status": HealthOutcome.HEALTHY}, "something that ran"),
        ({"status": HealthOutcome.HEALTHY, "ran": ("a test",), "error": "1 != 2"}, "says why"),
        ({"status": HealthOutcome.FAILING, "ran": ("a test",)}, "says why"),
        ({"status": HealthOutcome.FAILING, "error": "1 != 2"}, "something that ran"),
        ({"status": HealthOutcome.UNTESTED}, "says why"),
    ],
)
def test_health_is_known_from_what_ran(fields: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        HealthCheck(  # type: ignore[arg-type]
            id="health_1", skill_id="skill_1", version_id="version_1", checked_at=NOW, **fields
        )


def test_a_trial_that_did_not_pass_says_why() -> None:
    with pytest.raises(ValueError, match="says why"):
        TrialResult(name="a test", outcome=TrialOutcome.NOT_RUN)
    with pytest.raises(ValueError, match="says why"):
        TrialResult(name="a test", outcome=TrialOutcome.PASSED, error="1 != 2")

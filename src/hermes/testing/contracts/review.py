"""Candidates, their verdicts, and the review queue."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hermes.errors import Conflict, NotFound
from hermes.records.candidate import Candidate, Evidence, StepRef
from hermes.records.verdict import Check, CheckOutcome, Decision, Scores
from hermes.records.version import VersionState
from hermes.testing import samples
from hermes.testing.store import StorePorts


def proposed(
    ports: StorePorts, state: VersionState = VersionState.DRAFT, session_id: str | None = None
) -> Candidate:
    """A stored candidate whose version is in this state, written by this session."""
    skill = samples.skill()
    ports.skills.add(skill)
    version = samples.version(skill.id, state=state)
    ports.versions.add(version, samples.FOLDER.contents())
    evidence = Evidence(example_ids=("exm_1",), steps=(StepRef(trajectory_id="trj_1", step_id=4),))
    candidate = samples.candidate(skill.id, version.id, evidence=evidence, session_id=session_id)
    ports.candidates.add(candidate)
    return candidate


def a_candidate_comes_back_as_it_was(ports: StorePorts) -> None:
    one = proposed(ports)
    assert ports.candidates.get(one.id) == one
    assert ports.candidates.of_version(one.version_id) == one
    assert ports.candidates.of_skill(one.skill_id) == [one]
    assert ports.candidates.get("cnd_nothing") is None
    assert ports.candidates.of_version("ver_nothing") is None
    assert ports.candidates.of_skill("skl_nothing") == []


def a_version_is_proposed_once(ports: StorePorts) -> None:
    one = proposed(ports)
    with pytest.raises(Conflict):
        ports.candidates.add(one)
    with pytest.raises(Conflict):
        ports.candidates.add(replace(one, id="cnd_other"))


def a_candidate_of_nothing_is_refused(ports: StorePorts) -> None:
    with pytest.raises(NotFound):
        ports.candidates.add(samples.candidate("skl_nothing", "ver_nothing"))


def the_queue_holds_what_awaits_review(ports: StorePorts) -> None:
    waiting = [proposed(ports, VersionState.AWAITING_REVIEW) for _ in range(3)]
    proposed(ports, VersionState.ACTIVE)
    assert ports.candidates.awaiting() == waiting
    version = ports.versions.get(waiting[1].version_id)
    assert version is not None
    ports.versions.replace(replace(version, state=VersionState.REJECTED))
    assert ports.candidates.awaiting() == [waiting[0], waiting[2]]


def a_session_finds_what_it_wrote_in_the_queue(ports: StorePorts) -> None:
    ours = proposed(ports, VersionState.AWAITING_REVIEW, "ses_ours")
    proposed(ports, VersionState.AWAITING_REVIEW, "ses_theirs")
    proposed(ports, VersionState.ACTIVE, "ses_ours")
    assert ports.candidates.awaiting_of("ses_ours") == [ours]
    assert ports.candidates.awaiting_of("ses_nobodys") == []


def candidates_come_by_pages_oldest_first(ports: StorePorts) -> None:
    stored = [proposed(ports) for _ in range(3)]
    assert ports.candidates.page() == stored
    assert ports.candidates.page(after=stored[0].id, limit=1) == [stored[1]]
    assert ports.candidates.page(after=stored[2].id) == []


def candidates_come_by_pages(ports: StorePorts) -> None:
    added = [proposed(ports) for _ in range(3)]
    assert ports.candidates.page(limit=2) == added[:2]
    assert ports.candidates.page(after=added[1].id) == added[2:]


def verdicts_come_oldest_first(ports: StorePorts) -> None:
    one = proposed(ports)
    failed = Check(name="scan", outcome=CheckOutcome.FAILED, findings=("curl | sh",))
    verdicts = [
        samples.verdict(
            one.id,
            checks=(failed,),
            scores=Scores(measure="none", before=None, after=None),
            decision=Decision.REJECTED,
        ),
        samples.verdict(one.id, example_ids=("exm_1", "exm_2")),
    ]
    for verdict in reversed(verdicts):
        ports.verdicts.add(verdict)
    assert ports.verdicts.of_candidate(one.id) == verdicts
    assert ports.verdicts.of_candidate("cnd_nothing") == []
    with pytest.raises(Conflict):
        ports.verdicts.add(verdicts[0])
    with pytest.raises(NotFound):
        ports.verdicts.add(samples.verdict("cnd_nothing"))


CHECKS = (
    a_candidate_comes_back_as_it_was,
    a_version_is_proposed_once,
    a_candidate_of_nothing_is_refused,
    the_queue_holds_what_awaits_review,
    candidates_come_by_pages_oldest_first,
    candidates_come_by_pages,
    verdicts_come_oldest_first,
)

"""Approving a draft approves the runs it was made from, and too few of them is said."""

from __future__ import annotations

import pytest

from hermes.app import Home
from hermes.errors import Refused
from hermes.records.candidate import Action, Evidence
from hermes.records.example import Example, ExampleStatus
from hermes.records.folder import FileContent, Folder
from hermes.records.origin import Origin
from hermes.records.proposal import Outcome, Proposal
from hermes.records.version import VersionState
from hermes.testing import samples
from hermes.testing.homes import Place, person, skill_text


def extracted(home: Home, examples: list[Example]) -> Outcome:
    for example in examples:
        home.ledger.examples.add(example)
    return home.loop.propose(
        Proposal(
            name="tidy-csv",
            folder=Folder({"SKILL.md": FileContent(skill_text("tidy-csv").encode())}),
            action=Action.CREATE,
            origin=Origin.EXTRACT,
            author="extract",
            summary="mined",
            parent_version_id=None,
            evidence=Evidence(example_ids=tuple(example.id for example in examples)),
        )
    )


def captured(number: int) -> Example:
    return samples.example(id=f"example_{number}")


def test_the_examples_are_approved_with_the_draft(place: Place) -> None:
    with place.open() as home:
        examples = [captured(number) for number in range(3)]
        outcome = extracted(home, examples)
        assert outcome.candidate is not None
        approved = home.loop.approve(outcome.candidate.id, person("ana"))
        assert approved.state is VersionState.ACTIVE
        assert "3 approved examples, fewer than the 5 usually wanted" in approved.reason
        kept = [home.ledger.examples.get(example.id) for example in examples]
        assert {(one.status, one.reviewer) for one in kept if one} == {
            (ExampleStatus.APPROVED, "ana")
        }
        activated = home.ledger.events.latest()[-1]
        assert activated.data["approved_examples"] == 3
        assert activated.data["min_examples"] == 5


def test_enough_examples_need_no_remark(place: Place) -> None:
    with place.open() as home:
        outcome = extracted(home, [captured(number) for number in range(5)])
        assert outcome.candidate is not None
        assert home.loop.approve(outcome.candidate.id, person()).reason == "approved by ana"


def test_a_draft_that_rests_on_a_rejected_example_is_not_released(place: Place) -> None:
    with place.open() as home:
        bad = samples.example(id="example_9", status=ExampleStatus.REJECTED, reviewer="bo")
        outcome = extracted(home, [captured(1), bad])
        assert outcome.candidate is not None
        with pytest.raises(Refused, match="which bo rejected"):
            home.loop.approve(outcome.candidate.id, person())
        one = home.ledger.examples.get("example_1")
        assert one is not None
        assert one.status is ExampleStatus.CAPTURED

"""Examples are redacted, made once, and reviewed for ever."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hermes.errors import NotFound, WrongCall
from hermes.records.artefact import Artefact, ArtefactRole
from hermes.records.example import ExampleStatus
from hermes.records.trajectory import Step, StepType, TrajectoryState
from hermes.stages.extract.examples import ExampleDesk
from hermes.store.open import open_database
from hermes.testing import samples
from hermes.testing.store import StorePorts, store_ports


@pytest.fixture
def ports(tmp_path: Path) -> Iterator[StorePorts]:
    database = open_database(tmp_path / "loop.db")
    yield store_ports(database)
    database.close()


@pytest.fixture
def desk(ports: StorePorts) -> ExampleDesk:
    return ExampleDesk(
        examples=ports.examples,
        trajectories=ports.trajectories,
        tasks=ports.tasks,
        observations=ports.observations,
        events=ports.events,
        transactions=ports.transactions,
        now=lambda: samples.NOW,
    )


def finished(ports: StorePorts, *, observed: bool = True) -> str:
    task = samples.task(
        text="mail /home/ann/proj/data/jan.csv to bob@acme.co",
        environment={"cwd": "/home/ann/proj", "agent": "claude-code"},
        inputs=(
            Artefact(name="data/jan.csv", role=ArtefactRole.GIVEN, content=None, size=3),
            Artefact(name="/home/ann/x.csv", role=ArtefactRole.GIVEN, content=None, size=3),
        ),
    )
    trajectory = samples.trajectory(task.id)
    ports.tasks.add(task)
    ports.trajectories.add(trajectory)
    said = Step(
        step_id=2,
        type=StepType.MESSAGE,
        content="sent to bob@acme.co",
        timestamp=1.0,
        metadata={"role": "assistant"},
    )
    called = Step(
        step_id=1,
        type=StepType.TOOL_CALL,
        content="mail",
        timestamp=0.5,
        metadata={"tool_name": "Bash"},
    )
    for step in (called, said):
        ports.trajectories.append(trajectory.id, step)
    ports.trajectories.end(
        replace(trajectory, state=TrajectoryState.FINISHED, ended_at=samples.LATER)
    )
    if observed:
        ports.observations.put(
            samples.observation(trajectory.id, key_insights=("ask bob@acme.co",))
        )
    return trajectory.id


def test_an_example_holds_what_matters_and_nothing_of_the_tenant(
    ports: StorePorts, desk: ExampleDesk
) -> None:
    one = desk.capture(finished(ports))
    assert one.status is ExampleStatus.CAPTURED
    assert one.task == "mail data/jan.csv to <email_1>"
    assert one.inputs == {"files": ["data/jan.csv", "<path_1>"]}
    assert one.environment == {"agent": "claude-code"}
    assert one.tools_used == ("Bash",)
    assert one.expected_output == "sent to <email_1>"
    assert "succeeded, known by" in one.notes
    assert one.notes.endswith("ask <email_1>")


def test_capturing_twice_keeps_what_a_person_said(ports: StorePorts, desk: ExampleDesk) -> None:
    trajectory_id = finished(ports)
    first = desk.capture(trajectory_id)
    reviewed = desk.review(first, ExampleStatus.REJECTED, samples.APPROVAL)
    assert desk.capture(trajectory_id) == reviewed
    assert len(ports.examples.page()) == 1


def test_what_was_not_observed_is_no_example(ports: StorePorts, desk: ExampleDesk) -> None:
    with pytest.raises(NotFound, match="not observed"):
        desk.capture(finished(ports, observed=False))
    with pytest.raises(NotFound, match="no trajectory"):
        desk.capture("trajectory_nothing")


def test_each_review_leaves_a_line(ports: StorePorts, desk: ExampleDesk) -> None:
    one = desk.capture(finished(ports))
    approval = replace(samples.APPROVAL, note="it names the owner")
    one = desk.review(one, ExampleStatus.APPROVED, approval)
    one = desk.review(one, ExampleStatus.REJECTED, replace(approval, note="wrong after all"))
    assert (one.reviewer, one.notes) == ("ana", "wrong after all")
    lines = [(event.kind, event.data["note"]) for event in ports.events.page()]
    assert lines == [
        ("example.approved", "it names the owner"),
        ("example.rejected", "wrong after all"),
    ]


FILE: dict[str, Any] = {
    "task": "summarize on-call incidents",
    "status": "approved",
    "inputs": {"timeWindow": "24h", "sources": ["pagerduty", "bob@acme.co"]},
    "notes": "Good example because it included impact, owner, and next action.",
}


def test_a_written_example_is_kept_redacted(ports: StorePorts, desk: ExampleDesk) -> None:
    one = desk.add(FILE, samples.APPROVAL)
    assert ports.examples.get(one.id) == one
    assert one.inputs == {"timeWindow": "24h", "sources": ["pagerduty", "<email_1>"]}
    assert (one.status, one.reviewer, one.trajectory_id) == ("approved", "ana", None)
    assert [event.kind for event in ports.events.page()] == ["example.added"]


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"status": "approved"}, "task"),
        ({"task": "  "}, "task"),
        ({"task": 7}, "task"),
        ({"task": "x", "status": "fine"}, "status"),
        ({"task": "x", "inputs": []}, "inputs"),
        ({"task": "x", "tools_used": "Bash"}, "tools_used"),
        ({"task": "x", "note": "y"}, "note"),
        (["x"], "object"),
    ],
)
def test_an_error_names_the_field(desk: ExampleDesk, fields: Any, said: str) -> None:
    with pytest.raises(WrongCall, match=said):
        desk.add(fields, samples.APPROVAL)

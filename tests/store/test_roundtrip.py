"""Every record comes back from both databases exactly as it went in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hermes.records import health
from hermes.records.candidate import Candidate
from hermes.records.change import Change
from hermes.records.event import Event
from hermes.records.example import Example
from hermes.records.feedback import Feedback
from hermes.records.grant import Grant
from hermes.records.imported import ImportedFile
from hermes.records.intent import Intent
from hermes.records.memory import Memory
from hermes.records.observation import Observation
from hermes.records.pattern import Pattern
from hermes.records.release import Release
from hermes.records.scope import User
from hermes.records.session import Session
from hermes.records.skill import Skill
from hermes.records.task import Task
from hermes.records.trajectory import Step, Trajectory, TrajectoryState
from hermes.records.use import Use
from hermes.records.verdict import Verdict
from hermes.records.version import Version
from hermes.store.database import Database
from hermes.store.rows import rows_of
from hermes.testing import samples
from hermes.testing.store import StorePorts, store_ports
from hermes.testing.strategies import records

Keep = Callable[[StorePorts, Any], Any]


class RolledBack(Exception):
    """Ends a transaction before its references are checked: random records have none."""


def _only(found: Sequence[Any]) -> Any:
    (one,) = found
    return one


def _through(add: str, read: Callable[[StorePorts, Any], Any]) -> Keep:
    """Add by `<port>.<method>`, then read back."""
    port, method = add.split(".")

    def keep(ports: StorePorts, record: Any) -> Any:
        getattr(getattr(ports, port), method)(record)
        return read(ports, record)

    return keep


def _keep_trajectory(ports: StorePorts, record: Trajectory) -> Trajectory | None:
    opened = replace(record, state=TrajectoryState.OPEN, ended_at=None, summary=None)
    ports.trajectories.add(opened if record.ended_at else record)
    if record.ended_at:
        ports.trajectories.end(record)
    return ports.trajectories.get(record.id)


KEEP: dict[type, Keep] = {
    Session: _through("sessions.add", lambda p, r: p.sessions.get(r.id)),
    Task: _through("tasks.add", lambda p, r: p.tasks.get(r.id)),
    Trajectory: _keep_trajectory,
    Observation: _through(
        "observations.put", lambda p, r: p.observations.of_trajectory(r.trajectory_id)
    ),
    Example: _through("examples.add", lambda p, r: p.examples.get(r.id)),
    Pattern: _through("patterns.put", lambda p, r: p.patterns.get(r.id)),
    Skill: _through("skills.add", lambda p, r: p.skills.get(r.id)),
    Candidate: _through("candidates.add", lambda p, r: p.candidates.get(r.id)),
    Verdict: _through("verdicts.add", lambda p, r: _only(p.verdicts.of_candidate(r.candidate_id))),
    Release: _through("releases.add", lambda p, r: p.releases.get(r.id)),
    Use: _through("uses.add", lambda p, r: p.uses.get(r.id)),
    Memory: _through("memories.add", lambda p, r: p.memories.get(r.id)),
    Feedback: _through(
        "feedback.add", lambda p, r: _only(p.feedback.of_trajectory(r.trajectory_id))
    ),
    health.HealthCheck: _through(
        "health_checks.add", lambda p, r: _only(p.health_checks.of_skill(r.skill_id))
    ),
    ImportedFile: _through("imported_files.put", lambda p, r: p.imported_files.get(r.path)),
    Grant: _through("grants.add", lambda p, r: _only(p.grants.of_skill(r.skill_id))),
    Change: _through("changes.add", lambda p, r: _only(p.changes.of_skill(r.skill_id))),
    User: _through("users.add", lambda p, r: p.users.named(r.name)),
    Intent: _through("journal.open", lambda p, r: _only(p.journal.pending(r.home, r.skill_id))),
}


@pytest.mark.parametrize("cls", KEEP, ids=lambda cls: cls.__name__)
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_a_record_comes_back(cls: type, data: st.DataObject, database: Database) -> None:
    record = data.draw(records(cls))
    ports = store_ports(database)

    def keep_for_a_moment() -> None:
        with database.transaction():
            assert KEEP[cls](ports, record) == record
            raise RolledBack

    with pytest.raises(RolledBack):
        keep_for_a_moment()


@pytest.mark.parametrize(
    ("cls", "read"),
    [(Version, "get_version"), (Event, "page_events")],
    ids=["Version", "Event"],
)
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_a_row_comes_back(cls: type, read: str, data: st.DataObject, database: Database) -> None:
    """These two are never added as they are: a version needs its bytes, an event its place."""
    legal = {"number": 1} if cls is Version else {"seq": 1}
    record = replace(data.draw(records(cls)), **legal)
    rows = rows_of(cls)
    asked = {"id": record.id} if cls is Version else {"after": 0, "limit": 1}

    def keep_for_a_moment() -> None:
        with database.transaction():
            database.run(f"insert_{cls.__name__.lower()}", **rows.values(record))
            row = database.one(read, **asked)
            assert row is not None
            assert rows.record(row, "here") == record
            raise RolledBack

    with pytest.raises(RolledBack):
        keep_for_a_moment()


@settings(
    max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(step=records(Step))
def test_a_step_comes_back(step: Step, ports: StorePorts) -> None:
    asked = samples.task()
    opened = samples.trajectory(asked.id)
    ports.tasks.add(asked)
    ports.trajectories.add(opened)
    first = replace(step, step_id=1)
    ports.trajectories.append(opened.id, first)
    assert ports.trajectories.steps(opened.id) == [first]

"""The audit trail."""

from __future__ import annotations

import pytest

from hermes.errors import Conflict, WrongCall
from hermes.records.event import FIRST
from hermes.testing import samples
from hermes.testing.store import StorePorts


def the_trail_is_a_chain(ports: StorePorts) -> None:
    data = {"from": "draft", "to": ["a", {"b": 0.1}], "tuple": (1, None)}
    events = [
        ports.events.append("skill.added", actor="ana", subject_id="skl_1", skill_id="skl_1"),
        ports.events.append("version.moved", actor="policy:review", subject_id="v", data=data),
        ports.events.append("user.added", actor="ana ü→", subject_id="usr_1"),
    ]
    assert ports.events.page() == events
    assert [event.seq for event in events] == [1, 2, 3]
    previous = FIRST
    for event in ports.events.page():
        assert event.previous == previous
        assert event.hash == event.expected_hash()
        previous = event.hash


def the_trail_is_read_by_pages_and_by_skill(ports: StorePorts) -> None:
    for number in range(6):
        skill_id = "skl_odd" if number % 2 else None
        ports.events.append("thing.done", actor="ana", subject_id="x", skill_id=skill_id)
    assert [event.seq for event in ports.events.page(after=2, limit=3)] == [3, 4, 5]
    assert [event.seq for event in ports.events.page("skl_odd")] == [2, 4, 6]
    assert [event.seq for event in ports.events.page("skl_odd", after=2, limit=1)] == [4]
    assert ports.events.page(after=6) == []


def the_end_of_the_trail_is_read_without_its_beginning(ports: StorePorts) -> None:
    for number in range(6):
        skill_id = "skl_odd" if number % 2 else None
        ports.events.append("thing.done", actor="ana", subject_id="x", skill_id=skill_id)
    assert [event.seq for event in ports.events.latest(limit=2)] == [5, 6]
    assert [event.seq for event in ports.events.latest("skl_odd", limit=2)] == [4, 6]
    assert [event.seq for event in ports.events.latest()] == [1, 2, 3, 4, 5, 6]
    assert ports.events.latest("skl_nothing") == []


def the_end_of_the_trail_comes_oldest_first(ports: StorePorts) -> None:
    assert ports.events.latest() == []
    for number in range(5):
        skill_id = "skl_odd" if number % 2 else None
        ports.events.append("thing.done", actor="ana", subject_id="x", skill_id=skill_id)
    assert [event.seq for event in ports.events.latest(limit=2)] == [4, 5]
    assert [event.seq for event in ports.events.latest("skl_odd", limit=1)] == [4]


def an_event_of_a_failed_transaction_leaves_no_gap(ports: StorePorts) -> None:
    ports.events.append("thing.done", actor="ana", subject_id="x")
    session = samples.session()

    def append_and_fail() -> None:
        with ports.transactions.transaction():
            ports.events.append("thing.undone", actor="ana", subject_id="x")
            ports.sessions.add(session)
            ports.sessions.add(session)

    with pytest.raises(Conflict):
        append_and_fail()
    ports.events.append("thing.redone", actor="ana", subject_id="x")
    assert [(event.seq, event.kind) for event in ports.events.page()] == [
        (1, "thing.done"),
        (2, "thing.redone"),
    ]


def many_events_fit_in_one_transaction(ports: StorePorts) -> None:
    with ports.transactions.transaction():
        for _ in range(3):
            ports.events.append("thing.done", actor="ana", subject_id="x")
    assert [event.seq for event in ports.events.page()] == [1, 2, 3]


def data_that_is_not_json_is_refused(ports: StorePorts) -> None:
    for wrong in ({"x": float("nan")}, {"x": object()}, {"x": "\ud800"}):
        with pytest.raises(WrongCall):
            ports.events.append("thing.done", actor="ana", subject_id="x", data=wrong)
    assert ports.events.page() == []


CHECKS = (
    the_trail_is_a_chain,
    the_trail_is_read_by_pages_and_by_skill,
    the_end_of_the_trail_is_read_without_its_beginning,
    the_end_of_the_trail_comes_oldest_first,
    an_event_of_a_failed_transaction_leaves_no_gap,
    many_events_fit_in_one_transaction,
    data_that_is_not_json_is_refused,
)

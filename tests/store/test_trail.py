"""The database itself refuses to alter the audit trail, whoever asks."""

from __future__ import annotations

import pytest

from hermes.errors import Refused
from hermes.store.database import Database
from hermes.store.tables.event import EventTable
from hermes.testing import samples
from hermes.testing.store import StorePorts


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE events SET actor = 'bob'",
        "UPDATE events SET hash = hash",
        "DELETE FROM events WHERE seq = 2",
        "INSERT INTO events SELECT seq + 7, at, kind, actor, skill_id, subject_id, data, 'p', 'h'"
        " FROM events WHERE seq = 2",
        "INSERT INTO events SELECT 0, at, kind, actor, skill_id, subject_id, data, 'p', 'h'"
        " FROM events WHERE seq = 2",
    ],
)
def test_the_trail_is_append_only(database: Database, statement: str) -> None:
    events = EventTable(database)
    for _ in range(2):
        events.append("thing.done", actor="ana", subject_id="x")
    before = events.page()
    with pytest.raises(Refused, match="append-only"):
        database.ask(statement)
    assert events.page() == before


@pytest.mark.postgres
def test_the_trail_cannot_be_truncated(postgres_url: str) -> None:
    from hermes.store.open import open_database

    database = open_database(postgres_url)
    EventTable(database).append("thing.done", actor="ana", subject_id="x")
    with pytest.raises(Refused, match="append-only"):
        database.ask("TRUNCATE events")
    assert len(EventTable(database).page()) == 1
    database.close()


def test_the_time_comes_from_the_clock_that_was_given(database: Database) -> None:
    event = EventTable(database, now=lambda: samples.LATER).append(
        "thing.done", actor="ana", subject_id="x"
    )
    assert event.at == samples.LATER


def test_an_event_is_part_of_the_transaction(ports: StorePorts, database: Database) -> None:
    with database.transaction():
        event = ports.events.append("thing.done", actor="ana", subject_id="x")
        assert ports.events.page() == [event]
    assert ports.events.page() == [event]

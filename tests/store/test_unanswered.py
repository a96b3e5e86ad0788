"""Statements that go out together: all of them are done, or the first that failed is told."""

from __future__ import annotations

from contextlib import suppress

import pytest

from hermes.errors import Conflict, Refused
from hermes.store.database import Database


def add(database: Database, name: str, value: int = 1) -> None:
    database.run("add_tally", scope="personal", name=name, value=value)


def tallies(database: Database) -> dict[str, int]:
    return dict(database.all("memory_tallies", scope="personal"))


def leave(database: Database) -> None:
    database.run("leave_number", number=7, scope="personal", generation=1)


def test_all_are_done_when_it_ends(database: Database) -> None:
    with database.transaction():
        with database.unanswered():
            add(database, "added")
            rows = [{"scope": "personal", "name": name, "value": 2} for name in ("a", "b")]
            database.run_many("add_tally", rows)
            database.run_many("add_tally", rows[:1])
        assert tallies(database) == {"added": 1, "a": 4, "b": 2}
    assert tallies(database) == {"added": 1, "a": 4, "b": 2}


def fail_among_others(database: Database) -> None:
    with database.transaction():
        with database.unanswered():
            add(database, "before")
            leave(database)
        add(database, "after")


def go_on_after_a_failure(database: Database) -> None:
    with database.transaction():
        with suppress(Conflict), database.unanswered():
            leave(database)
        add(database, "after")


def test_the_first_that_fails_is_told_in_our_words_and_nothing_is_kept(
    database: Database,
) -> None:
    leave(database)
    with pytest.raises(Conflict, match="it is there already"):
        fail_among_others(database)
    assert tallies(database) == {}
    add(database, "later")  # the connection serves again
    assert tallies(database) == {"later": 1}


def test_who_goes_on_after_a_failure_is_refused(database: Database) -> None:
    leave(database)
    with pytest.raises(Refused, match="has failed already"):
        go_on_after_a_failure(database)
    assert tallies(database) == {}

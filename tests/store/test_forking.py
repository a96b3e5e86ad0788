"""A forked child never uses what its parent has open."""

from __future__ import annotations

import os

from hermes.errors import Refused
from hermes.store.database import Database
from hermes.store.tables.session import SessionTable
from hermes.testing import samples


def test_a_fork_in_mid_transaction_leaves_it_to_the_parent(database: Database) -> None:
    """The child reads on its own connection, and cannot end what its parent began."""
    sessions = SessionTable(database)
    seen_by_child: list[int] = []
    child, status = -1, -1
    try:
        with database.transaction():
            sessions.add(samples.session())
            child = os.fork()
            if child == 0:
                seen_by_child.append(len(sessions.page()))
            else:
                _, status = os.waitpid(child, 0)
    except Refused:
        os._exit(0 if child == 0 and seen_by_child == [0] else 1)
    finally:
        if child == 0:
            os._exit(2)
    assert status == 0
    assert len(sessions.page()) == 1


def test_a_child_and_its_parent_write_side_by_side(database: Database) -> None:
    sessions = SessionTable(database)
    sessions.add(samples.session())
    child = os.fork()
    for _ in range(5):
        sessions.add(samples.session())
    if child == 0:
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert len(sessions.page()) == 11

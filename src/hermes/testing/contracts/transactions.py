"""Transactions: all or nothing, and the same on every database."""

from __future__ import annotations

import pytest

from hermes.errors import Conflict, NotFound, Refused
from hermes.testing import samples
from hermes.testing.store import StorePorts


class Interrupted(Exception):
    """Stands for whatever may go wrong in the middle."""


def what_was_committed_stays(ports: StorePorts) -> None:
    one, two = samples.session(), samples.session()
    with ports.transactions.transaction():
        ports.sessions.add(one)
        ports.sessions.add(two)
    assert ports.sessions.page() == [one, two]


def nothing_of_a_failed_transaction_stays(ports: StorePorts) -> None:
    def fail_half_way() -> None:
        with ports.transactions.transaction():
            ports.sessions.add(samples.session())
            ports.users.add(samples.user())
            raise Interrupted

    with pytest.raises(Interrupted):
        fail_half_way()
    assert not ports.sessions.page()
    assert not ports.users.all()


def a_transaction_sees_its_own_writes(ports: StorePorts) -> None:
    one = samples.session()
    with ports.transactions.transaction():
        ports.sessions.add(one)
        assert ports.sessions.get(one.id) == one


def an_inner_transaction_is_part_of_the_outer(ports: StorePorts) -> None:
    def fail_after_the_inner() -> None:
        with ports.transactions.transaction():
            with ports.transactions.transaction():
                ports.sessions.add(samples.session())
            raise Interrupted

    with pytest.raises(Interrupted):
        fail_after_the_inner()
    assert not ports.sessions.page()


def a_failed_inner_transaction_fails_the_outer(ports: StorePorts) -> None:
    def swallow_inner() -> None:
        with ports.transactions.transaction():
            ports.sessions.add(samples.session())
            with pytest.raises(Interrupted), ports.transactions.transaction():
                raise Interrupted

    with pytest.raises(Refused):
        swallow_inner()
    assert not ports.sessions.page()


def a_failed_statement_dooms_the_transaction(ports: StorePorts) -> None:
    one = samples.session()

    def go_on_after_a_conflict() -> None:
        with ports.transactions.transaction():
            ports.sessions.add(one)
            with pytest.raises(Conflict):
                ports.sessions.add(one)
            ports.sessions.add(samples.session())

    with pytest.raises(Refused):
        go_on_after_a_conflict()
    assert not ports.sessions.page()


def the_next_transaction_is_sound_after_a_failed_one(ports: StorePorts) -> None:
    nothing_of_a_failed_transaction_stays(ports)
    what_was_committed_stays(ports)


def references_may_be_written_in_any_order(ports: StorePorts) -> None:
    asked = samples.task()
    with ports.transactions.transaction():
        ports.trajectories.add(samples.trajectory(asked.id))
        ports.tasks.add(asked)


def a_reference_to_nothing_is_refused(ports: StorePorts) -> None:
    with pytest.raises(NotFound):
        ports.trajectories.add(samples.trajectory("tsk_nothing"))
    with pytest.raises(NotFound), ports.transactions.transaction():
        ports.trajectories.add(samples.trajectory("tsk_nothing"))
    assert not ports.trajectories.page()


CHECKS = (
    what_was_committed_stays,
    nothing_of_a_failed_transaction_stays,
    a_transaction_sees_its_own_writes,
    an_inner_transaction_is_part_of_the_outer,
    a_failed_inner_transaction_fails_the_outer,
    a_failed_statement_dooms_the_transaction,
    the_next_transaction_is_sound_after_a_failed_one,
    references_may_be_written_in_any_order,
    a_reference_to_nothing_is_refused,
)

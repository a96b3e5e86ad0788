"""The outbox: what ended waits there, once, until it is done."""

from __future__ import annotations

from hermes.records.waiting import ReviewKind
from hermes.testing import samples
from hermes.testing.contracts.trajectories import begin, finished, waiting
from hermes.testing.store import StorePorts


def an_end_leaves_an_outbox_row(ports: StorePorts) -> None:
    opened = begin(ports)
    assert waiting(ports) == []
    ports.trajectories.end(finished(opened))
    assert ports.trajectories.get(opened.id) == finished(opened)
    assert waiting(ports) == [opened.id]


def the_outbox_gives_the_longest_waiting_first(ports: StorePorts) -> None:
    late, early = begin(ports), begin(ports)
    ports.trajectories.end(finished(late, minutes=9))
    ports.trajectories.end(finished(early, minutes=1))
    assert waiting(ports) == [early.id, late.id]
    assert waiting(ports, 1) == [early.id]
    first = ports.outbox.pending()[0]
    ports.outbox.done(first)
    ports.outbox.done(first)
    assert waiting(ports) == [late.id]


def a_run_that_goes_on_waits_for_its_last_end(ports: StorePorts) -> None:
    opened = begin(ports)
    ports.trajectories.append(opened.id, samples.step(1))
    ports.trajectories.end(finished(opened, minutes=1), (ReviewKind.SKILL,))
    (first,) = ports.outbox.pending()
    assert first.reviews == (ReviewKind.SKILL,)
    ports.trajectories.reopen(opened)
    assert waiting(ports) == []
    assert ports.trajectories.get(opened.id) == opened
    ports.trajectories.append(opened.id, samples.step(2))
    ports.trajectories.end(finished(opened, minutes=2))
    ports.outbox.done(first)
    assert waiting(ports) == [opened.id]
    assert ports.outbox.count() == 1
    again = ports.outbox.pending()[0]
    assert again.key != first.key
    assert again.reviews == (ReviewKind.SKILL,)  # asked for by the first end, and not done yet
    ports.trajectories.reopen(opened)
    ports.trajectories.close(finished(opened, minutes=3))
    assert waiting(ports) == []  # broken off: nobody learns from it


def a_run_that_is_kept_anew_waits_anew(ports: StorePorts) -> None:
    run = finished(begin(ports))
    ports.trajectories.keep(run, [samples.step(1)])
    (first,) = ports.outbox.pending()
    ports.outbox.done(first)
    ports.trajectories.keep(run, [samples.step(1), samples.step(2)])
    (again,) = ports.outbox.pending()
    assert again.key != first.key
    assert ports.trajectories.get(run.id) == run


def what_was_learned_in_the_foreground_waits_only_for_its_review(ports: StorePorts) -> None:
    plain, reviewed = begin(ports), begin(ports)
    ports.trajectories.end(finished(plain))
    ports.trajectories.end(finished(reviewed), (ReviewKind.MEMORY,))
    ports.outbox.learned([plain.id, reviewed.id])
    assert waiting(ports) == [reviewed.id]


CHECKS = (
    an_end_leaves_an_outbox_row,
    the_outbox_gives_the_longest_waiting_first,
    a_run_that_goes_on_waits_for_its_last_end,
    a_run_that_is_kept_anew_waits_anew,
    what_was_learned_in_the_foreground_waits_only_for_its_review,
)

"""The index of past work: what is due, what is in it, what is gone."""

from __future__ import annotations

from dataclasses import replace

from hermes.ports.past import Reading
from hermes.records.trajectory import Trajectory
from hermes.testing import samples
from hermes.testing.contracts.trajectories import begin, finished
from hermes.testing.store import StorePorts


def ended(ports: StorePorts, minutes: int = 1) -> Trajectory:
    run = finished(begin(ports), minutes)
    ports.trajectories.end(run)
    return run


def put(ports: StorePorts, run: Trajectory, words: bytes = b"\x00\xff") -> int:
    return ports.passages.put([Reading(run, b"\x01\x02", words)], form=1)


def an_ended_run_is_due_until_it_is_indexed(ports: StorePorts) -> None:
    begin(ports)
    first, second = ended(ports), ended(ports)
    assert ports.passages.due(1) == [second.id, first.id]
    assert ports.passages.due(1, limit=1) == [second.id]
    assert put(ports, second) == 1
    assert ports.passages.due(1) == [first.id]
    assert ports.passages.count_due(1) == 1
    assert ports.passages.count_due(2) == 2, "another form, everything anew"


def an_indexed_run_comes_back_as_it_was(ports: StorePorts) -> None:
    run, before = ended(ports), ports.passages.generation()
    put(ports, run)
    (found,) = ports.passages.since("personal", before)
    assert found == ports.passages.of_run(run.id)
    assert (found.trajectory_id, found.agent) == (run.id, "hermes")
    assert (found.places, found.words) == (b"\x01\x02", b"\x00\xff")
    assert list(ports.passages.since("personal", found.number)) == []
    assert list(ports.passages.since("team:ops", -1)) == []
    assert ports.passages.generation() >= found.number > before


def a_run_that_changed_meanwhile_stays_due(ports: StorePorts) -> None:
    run = ended(ports)
    grown = finished(run, minutes=7)
    ports.trajectories.keep(grown, [samples.step(1)])
    assert put(ports, run) == 0
    assert ports.passages.of_run(run.id) is None
    assert ports.passages.due(1) == [run.id]
    assert put(ports, grown) == 1
    assert put(ports, replace(grown, id="trj_nothing")) == 0


def a_damaged_row_makes_its_run_due_again(ports: StorePorts) -> None:
    run = ended(ports)
    put(ports, run)
    indexed = ports.passages.of_run(run.id)
    assert indexed is not None
    assert ports.passages.renew(indexed.number)
    assert not ports.passages.renew(indexed.number + 1_000)
    assert ports.passages.due(1) == [run.id]


def a_run_that_is_indexed_again_is_new(ports: StorePorts) -> None:
    run = ended(ports)
    put(ports, run)
    first = ports.passages.of_run(run.id)
    assert first is not None
    assert ports.passages.put_vectors(first, "topics/1", b"\x01")
    put(ports, run, b"\x07")
    second = ports.passages.of_run(run.id)
    assert second is not None
    assert ports.passages.gone("personal", first.number) == [first.number]
    assert [one.words for one in ports.passages.since("personal", -1)] == [b"\x07"]
    assert not ports.passages.put_vectors(first, "topics/1", b"\x01"), "of another reading"
    assert ports.passages.unembedded("topics/1") == [run.id]


def a_recorded_anew_run_is_due_again(ports: StorePorts) -> None:
    run = ended(ports)
    put(ports, run)
    ports.trajectories.keep(finished(run, minutes=7), [samples.step(1)])
    assert ports.passages.due(1) == [run.id]


def vectors_say_whose_they_are(ports: StorePorts) -> None:
    run = ended(ports)
    put(ports, run)
    indexed = ports.passages.of_run(run.id)
    assert indexed is not None
    assert ports.passages.put_vectors(indexed, "topics/1", b"\x01")
    assert list(ports.passages.vectors_since("personal", "topics/1", -1)) == [
        (indexed.number, b"\x01")
    ]
    assert ports.passages.unembedded("topics/1") == []
    assert ports.passages.unembedded("other/2") == [run.id]
    assert list(ports.passages.vectors_since("personal", "other/2", -1)) == []
    assert list(ports.passages.vectors_since("team:ops", "topics/1", -1)) == []


def a_deleted_run_leaves_the_index(ports: StorePorts) -> None:
    run, other = ended(ports), ended(ports)
    for one in (run, other):
        put(ports, one)
    indexed, kept = ports.passages.of_run(run.id), ports.passages.of_run(other.id)
    assert indexed is not None
    assert kept is not None
    ports.passages.put_vectors(indexed, "topics/1", b"\x01")
    before = ports.passages.generation()
    ports.trajectories.delete(run.id)
    assert ports.passages.of_run(run.id) is None
    assert list(ports.passages.since("personal", -1)) == [kept]
    assert list(ports.passages.vectors_since("personal", "topics/1", -1)) == []
    assert ports.passages.gone("personal", before) == [indexed.number]
    assert ports.passages.gone("personal", ports.passages.generation()) == []


def one_step_is_read_alone(ports: StorePorts) -> None:
    opened = begin(ports)
    steps = [samples.step(number, content=f"Schritt {number} ✓") for number in (1, 2)]
    for step in steps:
        ports.trajectories.append(opened.id, step)
    assert ports.passages.step(opened.id, 2) == steps[1]
    assert ports.passages.step(opened.id, 3) is None
    task = ports.tasks.get(opened.task_id)
    assert task is not None
    assert ports.passages.asked(opened.id) == (opened.session_id, task.text)
    assert ports.passages.asked("trj_nothing") is None


def how_far_somebody_came_is_kept(ports: StorePorts) -> None:
    assert ports.followed.generation("manuals") == -1
    ports.followed.reached("manuals", 4)
    ports.followed.reached("manuals", 9)
    assert ports.followed.generation("manuals") == 9
    assert ports.followed.generation("others") == -1


CHECKS = (
    an_ended_run_is_due_until_it_is_indexed,
    an_indexed_run_comes_back_as_it_was,
    a_run_that_changed_meanwhile_stays_due,
    a_damaged_row_makes_its_run_due_again,
    a_run_that_is_indexed_again_is_new,
    a_recorded_anew_run_is_due_again,
    vectors_say_whose_they_are,
    a_deleted_run_leaves_the_index,
    one_step_is_read_alone,
    how_far_somebody_came_is_kept,
)

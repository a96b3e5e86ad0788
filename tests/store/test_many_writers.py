"""Eight processes at once, and processes that die: no gaps, no lost rows, all or nothing."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from hermes.errors import Refused
from hermes.records.event import FIRST, Event
from hermes.records.trajectory import TrajectoryState
from hermes.store.database import Database
from hermes.store.open import open_database
from hermes.store.tables.event import EventTable
from hermes.store.tables.session import SessionTable
from hermes.store.tables.skill import SkillTable
from hermes.store.tables.task import TaskTable
from hermes.store.tables.trajectory import TrajectoryTable
from hermes.testing import samples

PROCESSES = 8
ROUNDS = 12


def _in_processes(work: Callable[[str, int], None], address: str) -> None:
    """Run it in eight processes that start together."""
    context = multiprocessing.get_context("fork")
    barrier = context.Barrier(PROCESSES)

    def start_together(number: int) -> None:
        barrier.wait()
        work(address, number)

    workers = [context.Process(target=start_together, args=(n,)) for n in range(PROCESSES)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(120)
    assert [worker.exitcode for worker in workers] == [0] * PROCESSES


def _write(address: str, number: int) -> None:
    database = open_database(address)
    skills, events = SkillTable(database), EventTable(database)
    for count in range(ROUNDS):
        skill = samples.skill(name=f"{number}-{count}")
        with database.transaction():
            # Half of them the other way round: the order must not make them wait for ever.
            if number % 2:
                events.append("skill.added", actor=str(number), subject_id=skill.id)
            skills.add(skill)
            if not number % 2:
                events.append("skill.added", actor=str(number), subject_id=skill.id)


def _whole_trail(database: Database) -> list[Event]:
    """The trail, with its chain checked."""
    events = list(EventTable(database).page(limit=10_000))
    previous = FIRST
    for seq, event in enumerate(events, 1):
        assert (event.seq, event.previous, event.hash) == (seq, previous, event.expected_hash())
        previous = event.hash
    return events


def test_eight_writers_lose_nothing(address: str) -> None:
    _in_processes(_write, address)
    database = open_database(address)
    skills, events = SkillTable(database), _whole_trail(database)
    assert len(events) == PROCESSES * ROUNDS
    assert {event.subject_id for event in events} == {skill.id for skill in skills.all()}
    assert skills.generation() == PROCESSES * ROUNDS
    assert len(skills.since(0)) == PROCESSES * ROUNDS
    generations = database.ask("SELECT generation FROM skills ORDER BY generation")
    assert [value for (value,) in generations] == list(range(1, PROCESSES * ROUNDS + 1))
    database.close()


def _follow(address: str, number: int) -> None:
    """Writers write; the last process reads what is new, as a library's index does."""
    if number < PROCESSES - 1:
        return _write(address, number)
    skills = SkillTable(open_database(address))
    seen: set[str] = set()
    generation, deadline = 0, time.monotonic() + 60
    while len(seen) < (PROCESSES - 1) * ROUNDS:
        assert time.monotonic() < deadline, f"only {len(seen)} skills were ever seen"
        now = skills.generation()
        seen |= {skill.id for skill in skills.since(generation)}
        generation = now
    return None


def test_a_reader_of_generations_misses_nothing(address: str) -> None:
    _in_processes(_follow, address)


def test_no_step_slips_in_behind_an_end(address: str) -> None:
    database = open_database(address)
    trajectories = TrajectoryTable(database)
    task = samples.task()
    opened = samples.trajectory(task.id)
    TaskTable(database).add(task)
    trajectories.add(opened)
    refusals: list[str] = []

    def append() -> None:
        try:
            trajectories.append(opened.id, samples.step(1))
        except Refused as error:
            refusals.append(str(error))
        finally:
            database.close_idle()

    late = threading.Thread(target=append)
    with database.transaction():
        trajectories.end(replace(opened, state=TrajectoryState.FINISHED, ended_at=samples.LATER))
        late.start()
        late.join(0.2)  # it looks before the end is committed, and must wait for that
        assert late.is_alive()
    late.join()
    assert len(refusals) == 1
    assert trajectories.steps(opened.id) == []
    database.close()


def _open_and_write(address: str, number: int) -> None:
    for _ in range(2):  # to close is to write the log into the file, while others open it
        database = open_database(address)
        SessionTable(database).add(samples.session(title=str(number)))
        database.close()


def test_eight_processes_open_an_empty_database(empty_address: str) -> None:
    _in_processes(_open_and_write, empty_address)
    database = open_database(empty_address)
    assert len(SessionTable(database).page()) == 2 * PROCESSES
    database.close()


def test_eight_processes_open_an_empty_file_again_and_again(tmp_path: Path) -> None:
    """What goes wrong here goes wrong rarely; test_sqlite has the two causes known so far."""
    for number in range(3):
        test_eight_processes_open_an_empty_database(str(tmp_path / f"{number}.db"))


def _write_until_killed(address: str, acknowledged: int) -> None:
    database = open_database(address)
    skills, events = SkillTable(database), EventTable(database)
    while True:
        skill = samples.skill()
        with database.transaction():
            skills.add(skill)
            events.append("skill.added", actor="child", subject_id=skill.id)
        os.write(acknowledged, f"{skill.id}\n".encode())


@pytest.mark.parametrize("life", range(4))
def test_a_writer_that_is_killed_leaves_all_or_nothing(address: str, life: int) -> None:
    read, write = os.pipe()
    process = multiprocessing.get_context("fork").Process(
        target=_write_until_killed, args=(address, write)
    )
    process.start()
    os.close(write)
    first = os.read(read, 1)  # it has begun
    time.sleep(random.Random(life).uniform(0.0, 0.05))
    os.kill(process.pid or 0, signal.SIGKILL)
    process.join()
    with os.fdopen(read) as pipe:
        acknowledged = set(f"{first.decode()}{pipe.read()}".split())
    database = open_database(address)
    kept = {skill.id for skill in SkillTable(database).all()}
    assert acknowledged <= kept
    assert {event.subject_id for event in _whole_trail(database)} == kept
    assert len(kept - acknowledged) <= 1
    database.close()

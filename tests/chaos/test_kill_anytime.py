"""kill -9 at random moments: nothing that was acknowledged is lost, nothing half is ever visible.

The seed is printed; HERMES_CHAOS_SEED repeats a run's choices (not the machine's timing).
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from hermes.testing.chaos import Tell, Told, Worker, broken_promises, run_in_child, trees
from hermes.testing.fixtures import BOTH
from hermes.testing.homes import Place, skill_text
from hermes.testing.postgres import TestServer
from hermes.testing.wholeness import faults_of

NewPlace = Callable[[], Place]
ROUNDS_PER_HOME = 20
CALLS = 1000  # more than any worker lives to make
MOST_CALLS = 4
LONGEST_CALL_S = 0.05
LONGEST_RECOVERY_S = 0.03
LONGEST_START_S = 0.1


@pytest.fixture
def seed() -> int:
    chosen = int(os.environ.get("HERMES_CHAOS_SEED", random.SystemRandom().getrandbits(32)))
    print(f"HERMES_CHAOS_SEED={chosen}")
    return chosen


@pytest.fixture(params=BOTH)
def new_place(request: pytest.FixtureRequest, tmp_path: Path) -> NewPlace:
    """Makes empty homes, on SQLite or on PostgreSQL."""
    homes = iter(range(10_000))

    def make() -> Place:
        root = tmp_path / f"home-{next(homes)}"
        if request.param == "sqlite":
            return Place(root)
        server: TestServer = request.getfixturevalue("postgres_server")
        return Place(root, database_url=server.database())

    return make


def kill_many(new_place: NewPlace, seed: int, kills: int) -> int:
    """How many calls were acknowledged and are accounted for."""
    chance = random.Random(seed)
    done = acknowledged = 0
    place = new_place()
    while done < kills:
        if done % ROUNDS_PER_HOME == 0:
            place = new_place()
            place.open().close()
        told, killed = live_and_die(place, chance)
        done += killed
        acknowledged += told.acknowledged
    print(f"{done} kills, {acknowledged} acknowledged calls")
    return acknowledged


def live_and_die(place: Place, chance: random.Random) -> tuple[Told, bool]:
    """One worker killed while it works, one killed while it recovers, then the account."""
    before = trees(place)
    number = chance.getrandbits(32)

    def work(tell: Tell) -> None:
        Worker(place.open(), tell, number).work(CALLS)

    def recover(tell: Tell) -> None:
        tell("ready", "", None, None)
        place.open().reader.look()

    # A worker says a word before and after each call: it dies within one, or soon after.
    words = 2 * chance.randrange(MOST_CALLS) + 1
    told, signal_ = run_in_child(work, chance.uniform(0, LONGEST_CALL_S), words)
    run_in_child(recover, chance.uniform(0, LONGEST_RECOVERY_S))
    home = place.open()
    home.reader.look()
    assert [*broken_promises(before, told, home), *faults_of(home)] == [], told
    home.close()
    return told, signal_ == 9


def test_nothing_acknowledged_is_lost(new_place: NewPlace, seed: int) -> None:
    assert kill_many(new_place, seed, kills=24) > 12, "workers died before they did anything"


@pytest.mark.soak
@pytest.mark.timeout(1200)
def test_nothing_acknowledged_is_lost_in_a_thousand_kills(new_place: NewPlace, seed: int) -> None:
    assert kill_many(new_place, seed, kills=1000) > 500, "workers died before they did anything"


def test_a_first_start_that_is_killed_is_begun_again(
    empty_address: str, tmp_path: Path, seed: int
) -> None:
    """Before there is a schema, before there is an index, before anything is adopted."""
    chance = random.Random(seed)
    url = empty_address if "://" in empty_address else None
    place = Place(tmp_path / "home", database_url=url)
    for number in range(5):
        folder = place.skills / f"s-{number}"
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text(skill_text(folder.name))
    before = trees(place)

    def start(tell: Tell) -> None:
        tell("ready", "", None, None)
        place.open().reader.look()

    for _ in range(15):
        run_in_child(start, chance.uniform(0, LONGEST_START_S))
    with place.open() as home:
        home.reader.look()
        skills = home.ledger.skills.all()
        assert {str(skill.origin) for skill in skills} == {"external"}
        assert [len(home.ledger.versions.of_skill(skill.id)) for skill in skills] == [1] * 5
        assert faults_of(home) == []
    assert trees(place) == before

"""From every earlier schema to the newest, with real rows in it; and a death on the way."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

from hermes.errors import MissingPart
from hermes.ids import now
from hermes.ports.past import Reading
from hermes.records.embedder_move import EmbedderMove
from hermes.records.memory import Memory
from hermes.records.waiting import ReviewKind
from hermes.store.database import Database
from hermes.store.migrate import FOLDER, latest, migrate, migrations
from hermes.store.open import connect_database, open_database
from hermes.store.rows import rows_of
from hermes.store.sqlite import SqliteDialect
from hermes.store.tables.embedder_moves import EmbedderMoveTable
from hermes.store.tables.execution import OpenRunTable, ReviewCountTable
from hermes.testing import samples
from hermes.testing.grants import sample_grant
from hermes.testing.points import Points
from hermes.testing.postgres import TestServer
from hermes.testing.store import StorePorts, store_ports


def _fill_library(ports: StorePorts) -> Callable[[StorePorts], None]:
    """What schema 1 can hold; returns how to see that it is all still there."""
    skill = samples.skill(name="tidy-csv")
    version = samples.version(skill.id)
    candidate = samples.candidate(skill.id, version.id)
    verdict = samples.verdict(candidate.id)
    release = samples.release(skill.id, version.id)
    change, intent = samples.change(skill.id), samples.intent(skill.id)
    ports.skills.add(skill)
    ports.skills.set_embedding(skill.id, "a" * 64, b"\0\0\x80?")
    ports.versions.add(version, samples.FOLDER.contents())
    ports.candidates.add(candidate)
    ports.verdicts.add(verdict)
    ports.releases.add(release)
    ports.changes.add(change)
    ports.journal.open(intent)
    event = ports.events.append("skill.added", actor="ana", subject_id=skill.id)
    generation = ports.skills.generation()

    def check(after: StorePorts) -> None:
        assert after.skills.all() == [skill]
        assert list(after.skills.embeddings()) == [(skill.id, "a" * 64, b"\0\0\x80?")]
        assert after.skills.generation() >= generation  # migrating memories takes some
        assert after.versions.folder(version) == samples.FOLDER
        assert after.candidates.get(candidate.id) == candidate
        assert after.verdicts.of_candidate(candidate.id) == [verdict]
        assert after.releases.current(skill.id) == release
        assert after.changes.of_skill(skill.id) == [change]
        assert after.journal.pending(intent.home) == [intent]
        assert after.events.page(limit=1) == [event]
        known = len(after.events.page())
        assert after.events.append("next.line", actor="ana", subject_id="x").seq == known + 1

    return check


def _fill_work(ports: StorePorts) -> Callable[[StorePorts], None]:
    """What schema 2 can hold besides."""
    session = samples.session()
    task = samples.task(session_id=session.id)
    trajectory, step = samples.trajectory(task.id), samples.step(1)
    observation = samples.observation(trajectory.id)
    example, pattern = samples.example(), samples.pattern()
    feedback = samples.feedback(trajectory.id)
    ports.sessions.add(session)
    ports.tasks.add(task)
    ports.trajectories.add(trajectory)
    ports.trajectories.append(trajectory.id, step)
    ports.observations.put(observation)
    ports.examples.add(example)
    ports.patterns.put(pattern)
    ports.feedback.add(feedback)
    (release,) = ports.releases.page()
    use = samples.use(release, task.id)
    ports.uses.add(use)

    def check(after: StorePorts) -> None:
        assert after.sessions.page() == [session]
        assert after.tasks.get(task.id) == task
        assert after.trajectories.page() == [trajectory]
        assert after.trajectories.steps(trajectory.id) == [step]
        assert after.observations.of_trajectory(trajectory.id) == observation
        assert after.examples.page() == [example]
        assert after.patterns.page() == [pattern]
        assert after.feedback.of_trajectory(trajectory.id) == [feedback]
        assert after.uses.of_task(task.id) == [use]

    return check


def _fill_people(ports: StorePorts) -> Callable[[StorePorts], None]:
    """What schema 3 can hold besides."""
    memory, user = samples.memory(), samples.user()
    _insert_early_memory(ports, memory)
    ports.users.add(user)

    def check(after: StorePorts) -> None:
        assert after.memories.get(memory.id) == memory
        assert memory in after.memory_words.unindexed()
        assert after.users.all() == [user]

    return check


def _fill_health(ports: StorePorts) -> Callable[[StorePorts], None]:
    """What schema 4 can hold besides."""
    (release,) = ports.releases.page()
    check = samples.health_check(release.skill_id, release.version_id)
    ports.health_checks.add(check)

    def check_it(after: StorePorts) -> None:
        assert after.health_checks.of_skill(release.skill_id) == [check]

    return check_it


def _fill_learning(ports: StorePorts) -> Callable[[StorePorts], None]:
    """What schema 5 can hold besides."""
    seen = samples.imported_file()
    ports.imported_files.put(seen)

    def check(after: StorePorts) -> None:
        assert after.imported_files.get(seen.path) == seen

    return check


def _fill_grants(ports: StorePorts) -> Callable[[StorePorts], None]:
    """What schema 6 can hold besides."""
    (release,) = ports.releases.page()
    grant = sample_grant(release.skill_id, release.version_id)
    ports.grants.add(grant)

    def check(after: StorePorts) -> None:
        assert after.grants.of_skill(release.skill_id) == [grant]

    return check


def _insert_early_memory(ports: StorePorts, memory: Memory) -> None:
    """As schemas 3 to 6 kept it: the table has more columns now."""
    database = ports.transactions
    assert isinstance(database, Database)
    values = rows_of(Memory).values(memory)
    later = {"session_id", "waiting", "approved_by"}
    names = [name for name in values if name not in later]
    places = ", ".join(f":{name}" for name in names)
    database.load(f"INSERT INTO memories ({', '.join(names)}) VALUES ({places})", [values])


def _fill_memory(ports: StorePorts) -> Callable[[StorePorts], None]:
    """What schema 7 can hold besides."""
    memory = samples.memory(session_id="ses_1")
    ports.memories.add(memory)
    ports.memory_words.put(memory.id, {"report": 1}, "f" * 64)
    ports.memory_vectors.put(memory.id, "topics", b"\0\0\x80\x3f")
    ports.memory_tallies.add("personal", "added")

    def check(after: StorePorts) -> None:
        assert after.memories.get(memory.id) == memory
        assert list(after.memory_words.postings("personal", ["report"])) == ["report"]
        assert after.memory_vectors.count("personal", "topics") == 1
        assert after.memory_tallies.of("personal") == {"added": 1}

    return check


def _fill_past_work(ports: StorePorts) -> Callable[[StorePorts], None]:
    """What schema 8 can hold besides. Whether a run has ended is nothing to the table."""
    (trajectory,) = ports.trajectories.page()
    ports.passages.put([Reading(trajectory, b"places", b"words")], form=1)
    run = ports.passages.of_run(trajectory.id)
    assert run is not None
    ports.passages.put_vectors(run, "topics/1", b"vectors")
    ports.followed.reached("manuals", 3)

    def check(after: StorePorts) -> None:
        assert after.passages.of_run(trajectory.id) == run
        assert list(after.passages.vectors_since("personal", "topics/1", -1)) == [
            (run.number, b"vectors")
        ]
        assert after.followed.generation("manuals") == 3

    return check


def _fill_execution(ports: StorePorts) -> Callable[[StorePorts], None]:
    """What schema 9 can hold besides: whose runs are open, when to look back, who works."""
    database = cast(Database, ports.transactions)
    (trajectory,) = ports.trajectories.page()
    OpenRunTable(database).put(trajectory.id, "home_1/run_1")
    ReviewCountTable(database).put("session_1", {ReviewKind.SKILL: 4})

    def check(after: StorePorts) -> None:
        there = cast(Database, after.transactions)
        assert OpenRunTable(there).all() == {trajectory.id: "home_1/run_1"}
        assert ReviewCountTable(there).of("session_1") == {ReviewKind.SKILL: 4}

    return check


def _fill_embedder_moves(ports: StorePorts) -> Callable[[StorePorts], None]:
    """What schema 10 can hold besides: to which embedder the vectors were handed."""
    move = EmbedderMove(
        before="topics", after="topics/1", name="topics", by="ana", host="desk", pid=1, at=now()
    )
    EmbedderMoveTable(cast(Database, ports.transactions)).add(move)

    def check(after: StorePorts) -> None:
        (memory, *_) = [one for one in after.memories.page("personal") if one.session_id]
        assert EmbedderMoveTable(cast(Database, after.transactions)).latest(1) == [move]
        assert not after.memory_vectors.put(memory.id, "others", b"\0\0\x80\x3f")
        assert after.memory_vectors.put(memory.id, "topics/1", b"\0\0\x80\x3f")
        (trajectory,) = after.trajectories.page()
        run = after.passages.of_run(trajectory.id)
        assert run is not None
        assert not after.passages.put_vectors(run, "others/1", b"vectors")

    return check


FILL = {
    1: _fill_library,
    2: _fill_work,
    3: _fill_people,
    4: _fill_health,
    5: _fill_learning,
    6: _fill_grants,
    7: _fill_memory,
    8: _fill_past_work,
    9: _fill_execution,
    10: _fill_embedder_moves,
}


def test_every_schema_has_rows_to_be_tested_with() -> None:
    assert list(FILL) == list(range(1, latest() + 1)), "a new migration needs its rows here"


@pytest.mark.parametrize("schema", range(latest() + 1))
def test_an_earlier_schema_is_brought_up_to_date(empty_address: str, schema: int) -> None:
    old = connect_database(empty_address)
    migrate(old, to=schema)
    checks = [FILL[number](store_ports(old)) for number in range(1, schema + 1)]
    old.close()
    database = open_database(empty_address)
    for check in checks:
        check(store_ports(database))
    for number in range(schema + 1, latest() + 1):
        FILL[number](store_ports(database))(store_ports(database))
    assert migrate(database) == 0
    database.close()


def test_the_migrations_count_without_gaps() -> None:
    assert list(migrations()) == list(range(1, len(migrations()) + 1))
    for number, paths in migrations().items():
        assert len({path.name.split(".")[0] for path in paths}) == 1, f"two migrations {number}"
        dialects = [path.suffixes[0] for path in paths if len(path.suffixes) == 2]
        assert set(dialects) <= {".sqlite", ".postgres"}


def test_a_migration_says_what_it_is_for() -> None:
    for path in FOLDER.glob("*.sql"):
        assert path.read_text().startswith("-- "), path.name


class DyingDialect(SqliteDialect):
    """Kills its own process, as hard as it goes, before the n-th step of a migration."""

    def __init__(self, path: Path, steps_to_live: int) -> None:
        super().__init__(path)
        self.steps_to_live = steps_to_live

    def run_script(self, connection: Any, script: str) -> None:
        for statement in script.split(";\n\n"):
            self._live_or_die()
            super().run_script(connection, f"{statement};\n")

    def set_schema_version(self, connection: Any, version: int) -> None:
        self._live_or_die()
        super().set_schema_version(connection, version)
        self._live_or_die()

    def _live_or_die(self) -> None:
        self.steps_to_live -= 1
        if self.steps_to_live < 0:
            os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.parametrize("schema", range(latest()))
def test_a_death_in_mid_migration_leaves_the_old_schema(
    tmp_path: Path, schema: int, points: Points
) -> None:
    path = tmp_path / "loop.db"
    old = connect_database(path)
    migrate(old, to=schema)
    checks = [FILL[number](store_ports(old)) for number in range(1, schema + 1)]
    old.close()
    deaths = 0
    for steps in points:
        if not _dies_after(steps, path):
            break
        survivor = connect_database(path)
        with survivor.connection() as connection:
            assert survivor.dialect.schema_version(connection) == schema
        assert survivor.ask("PRAGMA integrity_check") == [("ok",)]
        survivor.close()
        deaths += 1
    assert deaths > 0
    database = open_database(path)
    for check in checks:
        check(store_ports(database))


def _dies_after(steps: int, path: Path) -> bool:
    """Migrate in a child that is killed after some steps; False when it came to the end."""
    child = os.fork()
    if child == 0:
        migrate(Database(DyingDialect(path, steps)))
        os._exit(0)
    return os.waitpid(child, 0)[1] == signal.SIGKILL


@pytest.mark.postgres
def test_a_death_in_mid_migration_leaves_postgres_as_it_was(postgres_server: TestServer) -> None:
    """The server undoes what a client that is gone had not committed."""
    url = postgres_server.empty_database()

    class Died(Exception):
        pass

    def die_half_way() -> None:
        database = connect_database(url)
        with database.transaction(), database.connection() as connection:
            database.dialect.prepare_schema(connection)
            for path in migrations()[1]:
                if "sqlite" not in path.name:
                    database.dialect.run_script(connection, path.read_text())
            raise Died

    with pytest.raises(Died):
        die_half_way()
    fresh = connect_database(url)
    with fresh.connection() as connection:
        assert fresh.dialect.schema_version(connection) == 0
    assert migrate(fresh) == latest()
    fresh.close()
    postgres_server.drop(url)


def test_an_old_sqlite_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sqlite3.sqlite_version_info", (3, 34, 1))
    with pytest.raises(MissingPart, match="too old"):
        open_database(tmp_path / "loop.db")

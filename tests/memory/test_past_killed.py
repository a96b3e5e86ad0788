"""Indexing that is cut off at any statement: the next one ends with the whole index."""

from __future__ import annotations

from pathlib import Path

import pytest

from hermes import settings
from hermes.app.home import Home
from hermes.app.past_work import open_past_work
from hermes.store.database import Database
from hermes.store.open import open_database
from hermes.store.verify import verify
from hermes.testing.faults import Countdown, stepped_database
from hermes.testing.memory_rooms import TOPICS
from hermes.testing.past_runs import PastRuns
from hermes.testing.points import Points
from hermes.testing.scripted_steps import ScriptedSteps
from hermes.testing.topic_embedder import TopicEmbedder

_RUNS = 3


class Cut(Exception):
    """The process ends here."""


def _cut() -> None:
    raise Cut


def fill(database: Database, folder: Path) -> PastRuns:
    runs = PastRuns(database, folder, TopicEmbedder(TOPICS))
    for number in range(_RUNS):
        runs.add(f"ship tulips {number}", ScriptedSteps().says(f"shipped {number}"))
    return runs


def index_of(runs: PastRuns) -> list[tuple[str, bytes, bytes, bytes]]:
    passages = runs.ports.passages
    vectors = dict(passages.vectors_since("personal", "topics/6", -1))
    rows = sorted(passages.since("personal", -1), key=lambda run: run.trajectory_id)
    return [(one.trajectory_id, one.places, one.words, vectors[one.number]) for one in rows]


def test_the_next_one_ends_with_the_whole_index(
    database: Database, tmp_path: Path, points: Points
) -> None:
    runs = fill(database, tmp_path / "home")
    runs.past.catch_up()
    whole = index_of(runs)
    assert len(whole) == _RUNS
    for number in points:
        for run in runs.ports.trajectories.page():
            runs.ports.trajectories.keep(run, runs.ports.trajectories.steps(run.id))
        point = Countdown(number, _cut)
        stepped = stepped_database(open_database_again(database), point)
        home = Home(settings.load({}, home=str(tmp_path / "home")), stepped)
        other = open_past_work(home, embedder=TopicEmbedder(TOPICS))
        try:
            other.catch_up()
        except Cut:
            stepped.close()
        runs.past.catch_up()
        assert index_of(runs) == whole
        assert runs.found("tulips 2", k=1) == ["ship tulips 2"]
        if not point.reached:
            break
    assert verify(database) == []


def open_database_again(database: Database) -> Database:
    return Database(database.dialect)


def test_two_that_index_at_once_index_everything(address: str, tmp_path: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    runs = fill(open_database(address), tmp_path / "home")
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda one: one.catch_up(), [runs.process() for _ in range(4)]))
    assert len(index_of(runs)) == _RUNS
    assert runs.past.catch_up() == 0
    assert len(runs.found("tulips", k=50)) == _RUNS


@pytest.mark.postgres
def test_both_databases_give_the_same_answers(postgres_url: str, tmp_path: Path) -> None:
    found = []
    for place, address in (("one", str(tmp_path / "loop.db")), ("two", postgres_url)):
        runs = PastRuns(open_database(address), tmp_path / place, TopicEmbedder(TOPICS))
        for number in range(60):
            topic = list(TOPICS.values())[number % 5]
            steps = ScriptedSteps().run(f"make {topic[number % 3]}", f"tulip {number * 7 % 13}")
            runs.add(f"{topic[1]} {topic[2]} number {number}", steps)
        runs.past.catch_up()
        answers = []
        for query in ("rollout tulip 4", "sql number 12", "make tea", "tulip 11 proxy"):
            hits = runs.search(query, k=10).runs
            answers.append([(run.task, round(run.score, 5), len(run.passages)) for run in hits])
        found.append(answers)
    assert found[0] == found[1]
    assert all(found[0])

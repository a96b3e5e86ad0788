"""One store, several embedders: who starts with another moves it, who is left behind says so."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from hermes.errors import DiskFailed, EmbedderUnavailable
from hermes.ids import now
from hermes.memory.agreed_embedder import AgreedEmbedder, ThisProcess
from hermes.memory.embedding import label_of
from hermes.ports import EmbedderMoves
from hermes.records.embedder_move import EmbedderMove
from hermes.store.database import Database
from hermes.store.open import open_database
from hermes.store.tables.embedder_moves import EmbedderMoveTable
from hermes.store.verify import verify
from hermes.testing.chaos import Tell, run_in_child
from hermes.testing.faults import Countdown, killed, stepped_database
from hermes.testing.memory_rooms import TOPICS, TestRoom
from hermes.testing.points import Points
from hermes.testing.store import store_ports
from hermes.testing.topic_embedder import TopicEmbedder

TEXTS = ("We ship with make", "Ana drinks coffee", "The proxy is on port 3128")
LABEL = {name: f"{name}/{len(TOPICS) + 1}" for name in ("old", "new", "third")}


class Clock:
    """The real one, some hours off."""

    def __init__(self, hours: float = 0.0) -> None:
        self.hours = hours

    def now(self) -> datetime:
        return now() + timedelta(hours=self.hours)


class Process:
    """A process with an embedder of its own, on the store of others."""

    def __init__(
        self,
        database: Database,
        folder: Path,
        name: str,
        *,
        clock: Clock | None = None,
        moves: EmbedderMoves | None = None,
        is_running: Callable[[EmbedderMove], bool] = lambda _: False,
    ) -> None:
        self.told: list[str] = []
        self.inner = TopicEmbedder(TOPICS, name=name)
        process = ThisProcess(
            user="ana", host="desk", pid=7, clock=clock or Clock(), is_running=is_running
        )
        moves = moves or EmbedderMoveTable(database)
        self.embedder = AgreedEmbedder(
            self.inner, moves, database, process, self.told.append, good_for=0.0
        )
        self.room = TestRoom(database, folder, embedder=self.embedder)

    def fill(self) -> None:
        for text in TEXTS:
            self.room.keep(text)

    def meaning(self, query: str) -> float | None:
        """The cosine of the best hit; None where it was found by words."""
        return self.room.search(query).items[0].why.semantic

    def upkeep(self) -> int:
        return self.room.room.upkeep.run()


Start = Callable[..., Process]


@pytest.fixture
def start(database: Database, tmp_path: Path) -> Start:
    def started(name: str, **more: object) -> Process:
        return Process(database, tmp_path / "home", name, **more)  # type: ignore[arg-type]

    return started


def moved(database: Database) -> list[tuple[str, str]]:
    """Oldest first."""
    latest = EmbedderMoveTable(database).latest(99)
    return [(move.before, move.after) for move in reversed(latest)]


def of(database: Database, name: str) -> int:
    return store_ports(database).memory_vectors.count("personal", LABEL[name])


def test_the_first_embedder_of_a_store_moves_nothing(start: Start, database: Database) -> None:
    only = start("old")
    only.fill()
    assert only.meaning("which tea") == pytest.approx(1.0)
    assert moved(database) == []


def test_who_starts_with_another_moves_the_store_and_says_who_and_when(
    start: Start, database: Database
) -> None:
    start("old").fill()
    other = start("new")
    assert other.upkeep() == len(TEXTS)
    assert other.meaning("which tea") == pytest.approx(1.0)
    (event,) = store_ports(database).events.latest()
    assert (event.kind, event.actor, event.subject_id) == ("embedder.changed", "ana", LABEL["new"])
    assert event.data == {
        "from": LABEL["old"],
        "to": LABEL["new"],
        "name": "new",
        "host": "desk",
        "pid": 7,
    }
    assert now() - event.at < timedelta(minutes=5)
    assert other.told == []


def test_who_is_left_behind_goes_by_words_says_so_once_and_takes_nothing_back(
    start: Start, database: Database
) -> None:
    chat = start("old")
    chat.fill()
    start("new").upkeep()
    for text in TEXTS:
        hit = chat.room.search(text).items[0]
        assert (hit.memory.text, hit.why.semantic) == (text, None)
    with pytest.raises(EmbedderUnavailable):
        chat.upkeep()
    (said,) = chat.told
    assert "memories are now embedded with new (moved by ana, process 7 on desk, at 2" in said
    assert "this process uses old" in said
    assert "`hermes memory reembed`" in said
    assert (of(database, "old"), of(database, "new")) == (0, len(TEXTS))
    assert moved(database) == [(LABEL["old"], LABEL["new"])]


def test_what_is_added_by_who_was_left_behind_is_kept_and_embedded_by_the_others(
    start: Start,
) -> None:
    chat, worker = start("old"), start("new")
    chat.fill()
    worker.upkeep()
    chat.room.keep("Otto indents by tabs")
    assert worker.upkeep() == 1
    assert worker.meaning("formatting") == pytest.approx(1.0)


def test_a_new_start_within_a_day_does_not_move_it_back_but_may_be_told_to(
    start: Start, database: Database
) -> None:
    start("old").fill()
    worker = start("new")
    worker.upkeep()
    again = start("old")
    with pytest.raises(EmbedderUnavailable, match="memories are now embedded with new"):
        again.upkeep()
    assert again.embedder.take_over() is not None
    assert again.embedder.take_over() is None
    assert again.upkeep() == len(TEXTS)
    with pytest.raises(EmbedderUnavailable, match="memories are now embedded with old"):
        worker.upkeep()
    assert moved(database) == [(LABEL["old"], LABEL["new"]), (LABEL["new"], LABEL["old"])]


def test_after_a_day_the_settings_of_a_start_decide_unless_the_mover_still_runs(
    start: Start, database: Database
) -> None:
    start("old").fill()
    start("new").upkeep()
    later = Clock(25)
    asked: list[EmbedderMove] = []

    def runs(move: EmbedderMove) -> bool:
        asked.append(move)
        return True

    with pytest.raises(EmbedderUnavailable):
        start("old", clock=later, is_running=runs).upkeep()
    assert [(one.host, one.pid) for one in asked] == [("desk", 7)]
    assert start("old", clock=later).upkeep() == len(TEXTS)
    assert len(moved(database)) == 2


def test_a_process_that_slept_for_days_does_not_take_it_back(start: Start) -> None:
    clock = Clock()
    chat = start("old", clock=clock)
    chat.fill()
    start("new").upkeep()
    clock.hours = 100
    with pytest.raises(EmbedderUnavailable):
        chat.upkeep()


def test_who_was_left_behind_goes_on_when_it_is_moved_back(start: Start) -> None:
    chat = start("old")
    chat.fill()
    start("new").upkeep()
    assert chat.meaning("We ship with make") is None
    start("old").embedder.take_over()
    assert chat.upkeep() == len(TEXTS)
    assert chat.meaning("which tea") == pytest.approx(1.0)


def test_an_embedder_that_does_not_answer_is_given_nothing(
    start: Start, database: Database
) -> None:
    chat = start("old")
    chat.fill()
    mistyped = start("new")

    def away(_texts: Sequence[str]) -> list[bytes]:
        raise EmbedderUnavailable("nobody is there")

    mistyped.inner.embed = away  # type: ignore[method-assign]
    with pytest.raises(EmbedderUnavailable, match="nobody is there"):
        mistyped.upkeep()
    with pytest.raises(EmbedderUnavailable, match="nobody is there"):
        mistyped.embedder.take_over()
    assert moved(database) == []
    assert chat.meaning("which tea") == pytest.approx(1.0)


class FullDisk(EmbedderMoveTable):
    def add(self, move: EmbedderMove) -> None:
        raise DiskFailed("the disk is full", hint="free some space")


def test_where_the_move_cannot_be_written_words_serve(start: Start, database: Database) -> None:
    start("old").fill()
    other = start("new", moves=FullDisk(database))
    assert other.meaning(TEXTS[0]) is None
    (said,) = other.told
    assert "embedded with old/6, and that cannot be changed: the disk is full" in said


def test_the_database_itself_keeps_a_vector_from_who_was_left_behind(
    start: Start, database: Database, tmp_path: Path
) -> None:
    """As a version does that knows nothing of moves, or a batch that was on its way."""
    start("old").fill()
    start("new").upkeep()
    vectors = store_ports(database).memory_vectors
    (memory, *_) = store_ports(database).memories.page("personal")
    (vector,) = TopicEmbedder(TOPICS).embed([memory.text])
    assert not vectors.put(memory.id, LABEL["old"], vector)
    assert of(database, "new") == len(TEXTS)
    assert vectors.put(memory.id, LABEL["new"], vector)
    unaware = TestRoom(database, tmp_path / "home", embedder=TopicEmbedder(TOPICS, name="old"))
    assert unaware.room.upkeep.run() == 0
    assert of(database, "new") == len(TEXTS)
    assert verify(database) == []


def test_moves_are_read_from_the_trail_as_they_were_written(database: Database) -> None:
    table = EmbedderMoveTable(database)
    first = EmbedderMove(
        before="a/1", after="b/1", name="b at home", by="ana", host="desk", pid=3, at=now()
    )
    second = replace(first, before="b/1", after="a/1", name="a", pid=4)
    for move in (first, second):
        table.add(move)
    assert table.latest(9) == [second, first]
    assert table.latest(1) == [second]
    assert table.unmoved() is None


def test_killed_at_any_point_of_a_move_it_is_not_begun_or_goes_on(
    address: str, tmp_path: Path, points: Points
) -> None:
    """Each round begins on the store of an embedder that nobody ever left."""
    database = open_database(address)
    Process(database, tmp_path / "home", "round-0").fill()
    database.close()
    rounds = ["round-0"]
    for point in points:
        name = f"round-{point}"
        countdown = Countdown(point, killed)

        def move(
            tell: Tell, name: str = name, point: int = point, countdown: Countdown = countdown
        ) -> None:
            stepped = stepped_database(open_database(address), countdown)
            process = Process(stepped, tmp_path / "home", name)
            countdown.start(point)
            process.upkeep()

        _, signal = run_in_child(move)
        again = open_database(address)
        begun = len(moved(again)) == len(rounds)
        left = Process(again, tmp_path / "home", rounds[-1])
        if begun:
            assert left.meaning(TEXTS[0]) is None
            assert left.told
        process = Process(again, tmp_path / "home", name)
        process.upkeep()
        assert process.meaning("which tea") == pytest.approx(1.0)
        assert len(moved(again)) == len(rounds)
        count = store_ports(again).memory_vectors.count("personal", label_of(process.inner))
        assert count == len(TEXTS)
        assert verify(again) == []
        again.close()
        rounds.append(name)
        if signal == 0:
            return
    pytest.fail("there is always a further point")

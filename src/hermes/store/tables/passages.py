"""Passages: the index of past work, a row for a run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hermes.ports.past import IndexedRun, Reading
from hermes.records.trajectory import Step, Trajectory
from hermes.store.database import Database
from hermes.store.dialect import Row
from hermes.store.rows import rows_of
from hermes.store.tables.table import PAGE

_RUNS = 500  # rows in memory at once, about 3 MB


class PassageTable:
    def __init__(self, database: Database) -> None:
        self._db = database

    def due(self, form: int, limit: int = PAGE) -> Sequence[str]:
        return [row[0] for row in self._db.all("page_due_passages", form=form, limit=limit)]

    def count_due(self, form: int) -> int:
        ((count,),) = self._db.all("count_due_passages", form=form)
        return int(count)

    def put(self, readings: Sequence[Reading], form: int) -> int:
        """Rows before the counter, as whoever deletes one does: nobody waits in a circle."""
        readings = sorted(readings, key=lambda one: one.seen.id)
        with self._db.transaction():
            for one in readings:
                self._db.run("set_indexed", id=one.seen.id, form=form)
            return sum(map(self._put, readings))

    def remove(self, trajectory_id: str) -> None:
        """Take a run out of the index for good: places, words and vectors."""
        with self._db.transaction():
            place = self._db.one("passages_place", id=trajectory_id)
            if place is not None:
                self._remove(trajectory_id, place, self._next_generation())

    def renew(self, number: int) -> bool:
        return self._db.run("renew_passages", number=number) == 1

    def of_run(self, trajectory_id: str) -> IndexedRun | None:
        row = self._db.one("passages_of_run", id=trajectory_id)
        return None if row is None else _run(row)

    def generation(self) -> int:
        ((value,),) = self._db.all("current_generation")
        return int(value)

    def since(self, scope: str, generation: int) -> Iterator[IndexedRun]:
        """A number is the generation it was written in, so that one of both is enough."""
        number = generation
        while rows := self._db.all("passages_since", scope=scope, number=number, limit=_RUNS):
            yield from map(_run, rows)
            number = rows[-1][0]

    def gone(self, scope: str, generation: int) -> Sequence[int]:
        rows = self._db.all("passages_gone_since", scope=scope, generation=generation)
        return [number for (number,) in rows]

    def put_vectors(self, run: IndexedRun, embedder: str, vectors: bytes) -> bool:
        with self._db.transaction():
            generation = self._next_generation()
            place = self._db.one("passages_place", id=run.trajectory_id)
            if place is None or place[0] != run.number:
                return False
            written = self._db.run(
                "put_passage_vectors",
                trajectory_id=run.trajectory_id,
                number=run.number,
                scope=place[1],
                embedder=embedder,
                generation=generation,
                vectors=vectors,
            )
        return written > 0

    def vectors_since(
        self, scope: str, embedder: str, generation: int
    ) -> Iterator[tuple[int, bytes]]:
        after = {"generation": generation, "number": 1 << 62}
        while rows := self._db.all(
            "passage_vectors_since", scope=scope, embedder=embedder, limit=_RUNS, **after
        ):
            for number, vectors, _ in rows:
                yield number, bytes(vectors)
            after = {"generation": rows[-1][2], "number": rows[-1][0]}

    def unembedded(self, embedder: str, limit: int = PAGE) -> Sequence[str]:
        rows = self._db.all("page_unembedded_passages", embedder=embedder, limit=limit)
        return [row[0] for row in rows]

    def asked(self, trajectory_id: str) -> tuple[str | None, str] | None:
        row = self._db.one("what_was_asked", id=trajectory_id)
        return None if row is None else (row[0], row[1])

    def step(self, trajectory_id: str, step_id: int) -> Step | None:
        row = self._db.one("one_step", trajectory_id=trajectory_id, step_id=step_id)
        where = f"{self._db.where}, steps of {trajectory_id}"
        return None if row is None else rows_of(Step).record(row, where)

    def _put(self, reading: Reading) -> bool:
        seen = reading.seen
        row, whose = (self._db.one(name, id=seen.id) for name in ("get_trajectory", "whose_run"))
        if row is None or whose is None:
            return False
        if self._trajectory(row) != seen:  # recorded anew since it was read
            self._db.run("set_indexed", id=seen.id, form=0)
            return False
        number, place = self._next_generation(), self._db.one("passages_place", id=seen.id)
        if place is not None:
            self._remove(seen.id, place, number)
        scope, agent, started_at = whose
        self._db.run(
            "insert_passages",
            trajectory_id=seen.id,
            number=number,
            scope=scope,
            agent=agent,
            started_at=started_at,
            places=reading.places,
            words=reading.words,
        )
        return True

    def _remove(self, trajectory_id: str, place: Row, generation: int) -> None:
        self._db.run("delete_passage_vectors_of", id=trajectory_id)
        self._db.run("delete_passages_of", id=trajectory_id)
        number, scope = place
        self._db.run("leave_passages_number", number=number, scope=scope, generation=generation)

    def _trajectory(self, row: Row) -> Trajectory:
        record: Trajectory = rows_of(Trajectory).record(row, f"{self._db.where}, trajectories")
        return record

    def _next_generation(self) -> int:
        ((value,),) = self._db.all("next_generation")
        return int(value)


class FollowedTable:
    """Generations that somebody has come to, by who it is."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def generation(self, name: str) -> int:
        row = self._db.one("followed_generation", name=name)
        return -1 if row is None else int(row[0])

    def reached(self, name: str, generation: int) -> None:
        self._db.run("put_followed", name=name, generation=generation)


def _run(row: Row) -> IndexedRun:
    *head, places, words = row
    return IndexedRun._make((*head, bytes(places), bytes(words)))

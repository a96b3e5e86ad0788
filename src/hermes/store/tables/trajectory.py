"""Trajectories and their steps: appended as they happen, durable when the call returns."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from hermes.errors import Conflict, HermesError, Refused, WrongCall
from hermes.ids import now
from hermes.records.trajectory import Step, Trajectory, TrajectoryState
from hermes.records.waiting import ReviewKind, Waiting
from hermes.store.database import Database
from hermes.store.rows import rows_of
from hermes.store.tables.passages import PassageTable
from hermes.store.tables.table import PAGE, Table

_HASH = re.compile(r"\b[0-9a-f]{64}\b")
_SCANNED = 2_000  # rows at a time


class TrajectoryTable(Table[Trajectory]):
    word = "trajectory"
    table = "trajectories"
    record = Trajectory

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._step_rows = rows_of(Step)
        self._waiting_rows = rows_of(Waiting)

    def add(self, trajectory: Trajectory) -> None:
        """A trajectory begins open; whatever it does is appended, and then it is ended."""
        if trajectory.state is not TrajectoryState.OPEN:
            raise WrongCall("a trajectory is added open", hint="then append its steps and end it")
        self._insert(trajectory)

    def append(self, trajectory_id: str, step: Step) -> None:
        """One statement decides and writes, so that a step costs one sync."""
        values = self._step_rows.values(step)
        if not self._db.run("append_step", trajectory_id=trajectory_id, **values):
            raise self._why_not(trajectory_id, step)

    def end(self, trajectory: Trajectory, reviews: Sequence[ReviewKind] = ()) -> None:
        """Close it and leave its outbox row, in one transaction.

        A review that an earlier end asked for, and that nobody has done, is still asked for.
        """
        with self._db.transaction():
            earlier = self._db.one("get_outbox", id=trajectory.id)
            self.close(trajectory)
            if earlier is not None:
                known = self._waiting_rows.record(earlier, f"{self._db.where}, outbox")
                reviews = sorted({*known.reviews, *reviews})
            self._db.run("put_outbox", **self._waiting(trajectory, reviews))

    def close(self, trajectory: Trajectory) -> None:
        """End a run that nobody learns from: there is no outbox row."""
        if trajectory.ended_at is None:
            raise WrongCall("an open trajectory is no end")
        with self._db.transaction():
            if not self._db.run("end_trajectory", **self._rows.values(trajectory)):
                raise self._ended_or_missing(trajectory.id)
            self._db.run("delete_outbox_of", id=trajectory.id)

    def reopen(self, trajectory: Trajectory) -> None:
        """What was read of it was said too early; what waits to be done waits for its next end."""
        if trajectory.ended_at is not None:
            raise WrongCall("a run that goes on has no end")
        with self._db.transaction():
            if not self._db.run("reopen_trajectory", **self._rows.values(trajectory)):
                raise Refused(f"trajectory {trajectory.id} has not ended, or is not there")
            self._db.run("delete_observation_of", id=trajectory.id)

    def keep(self, trajectory: Trajectory, steps: Sequence[Step]) -> None:
        """A finished run as a whole; our reading of an earlier state of it goes, feedback stays."""
        if trajectory.ended_at is None:
            raise WrongCall("only a run that has ended is kept as a whole")
        _check_count(trajectory.id, steps)
        values = self._rows.values(trajectory)
        rows = [{"trajectory_id": trajectory.id, **self._step_rows.values(one)} for one in steps]
        with self._db.transaction():
            for part in ("steps", "observation"):
                self._db.run(f"delete_{part}_of", id=trajectory.id)
            self._db.run("put_trajectory", **values)
            self._db.run_many("insert_step", rows)
            # Kept anew, it is to be learned from anew, though it ended when it ended.
            self._db.run("put_outbox", **self._waiting(replace(trajectory, ended_at=now()), ()))

    def get(self, trajectory_id: str) -> Trajectory | None:
        return self._one("get_trajectory", id=trajectory_id)

    def steps(self, trajectory_id: str) -> Sequence[Step]:
        where = f"{self._db.where}, steps of {trajectory_id}"
        rows = self._db.all("steps_of", trajectory_id=trajectory_id)
        return [self._step_rows.record(row, where) for row in rows]

    def page(self, after: str = "", limit: int = PAGE) -> Sequence[Trajectory]:
        return self._many("page_trajectories", after=after, limit=limit)

    def page_of_work(self, after: str = "", limit: int = PAGE) -> Sequence[Trajectory]:
        """Without the runs of reviews."""
        return self._many("page_work", after=after, limit=limit)

    def of_session(self, session_id: str) -> Sequence[Trajectory]:
        return self._many("trajectories_of_session", session_id=session_id)

    def any_open(self) -> bool:
        return self._db.one("any_open_trajectory") is not None

    def delete(self, trajectory_id: str) -> bool:
        """Forget it with its steps, passages, observation, feedback, outbox row and what was asked.

        Examples and uses stay: they are redacted or mere figures, and say so by themselves.
        """
        with self._db.transaction():
            known = self.get(trajectory_id)
            if known is None:
                return False
            for part in ("steps", "observation", "feedback", "outbox", "open_run"):
                self._db.run(f"delete_{part}_of", id=trajectory_id)
            self._db.run("delete_trajectory", id=trajectory_id)
            PassageTable(self._db).remove(trajectory_id)  # after the row, which an indexer locks
            self._db.run("delete_task_without_runs", task_id=known.task_id)
            self._db.run("blank_task_without_runs", task_id=known.task_id)
            return True

    def in_use(self, contents: Collection[str]) -> frozenset[str]:
        """Those of these hashes that a run or a task names; reads everything, so ask once."""
        named: set[str] = set()
        for text in self._artefact_lists():
            named.update(one for one in _HASH.findall(text) if one in contents)
        return frozenset(named)

    def _artefact_lists(self) -> Iterator[str]:
        trajectory_id, step_id = "", 0
        while rows := self._db.all(
            "page_artefacts", trajectory_id=trajectory_id, step_id=step_id, limit=_SCANNED
        ):
            yield from (row[2] for row in rows)
            trajectory_id, step_id = rows[-1][0], rows[-1][1]
        after = ""
        while rows := self._db.all("page_inputs", after=after, limit=_SCANNED):
            yield from (row[1] for row in rows)
            after = rows[-1][0]

    def _waiting(
        self, trajectory: Trajectory, reviews: Sequence[ReviewKind]
    ) -> Mapping[str, object]:
        assert trajectory.ended_at is not None
        return self._waiting_rows.values(
            Waiting(
                trajectory_id=trajectory.id,
                ended_at=trajectory.ended_at,
                reviews=tuple(reviews),
            )
        )

    def _why_not(self, trajectory_id: str, step: Step) -> HermesError:
        trajectory = self.get(trajectory_id)
        if trajectory is None or trajectory.state is not TrajectoryState.OPEN:
            return self._ended_or_missing(trajectory_id)
        row = self._db.one("last_step", trajectory_id=trajectory_id)
        expected = (row[0] if row else 0) + 1
        return Conflict(f"step {step.step_id} of {trajectory_id} came where {expected} is next")

    def _ended_or_missing(self, trajectory_id: str) -> HermesError:
        if self.get(trajectory_id) is None:
            return self._missing(trajectory_id)
        return Refused(f"trajectory {trajectory_id} has ended")


def _check_count(trajectory_id: str, steps: Sequence[Step]) -> None:
    for expected, step in enumerate(steps, 1):
        if step.step_id != expected:
            raise Conflict(f"step {step.step_id} of {trajectory_id} came where {expected} is next")

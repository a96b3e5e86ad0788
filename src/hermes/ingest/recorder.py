"""Conversations → sessions, tasks and trajectories in the store.

The same log gives the same ids, so reading it twice adds nothing. When a log has grown, the task
that was its last may have grown with it: its trajectory is replaced as a whole, under its id.
Batches are written in one transaction each; what they name in the blob store is durable before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path

from hermes.ids import derived_id
from hermes.ingest.conversation import Conversation
from hermes.ingest.drafts import Draft, Order
from hermes.ingest.timing import timed
from hermes.ingest.turns import Heading
from hermes.ports import Blobs, ImportedFiles, Sessions, Tasks, Trajectories, Transactions
from hermes.records.imported import ImportedFile
from hermes.records.session import Session
from hermes.records.task import Task
from hermes.records.trajectory import Step, Trajectory

NOT_IMPORTED = "(not imported yet)"
_ONE_OF_A_KIND = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22,}(?::\d+)?\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordingPorts:
    transactions: Transactions
    sessions: Sessions
    tasks: Tasks
    trajectories: Trajectories
    imported_files: ImportedFiles
    blobs: Blobs


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One task ready to be written. `weight` is about how many bytes it is."""

    session: Session
    task: Task
    trajectory: Trajectory
    steps: Sequence[Step]
    blobs: Mapping[str, bytes]
    missing: tuple[str, ...] = ()
    weight: int
    again: bool = False
    goes_on: bool = False


@dataclass(slots=True)
class Written:
    """Ids of the trajectories that were new, and of those that had grown."""

    new: list[str] = field(default_factory=list)
    grown: list[str] = field(default_factory=list)
    unchanged: int = 0
    steps: int = 0


class Recorder:
    def __init__(self, ports: RecordingPorts, *, from_disk: bool = False) -> None:
        self._ports = ports
        self._from_disk = from_disk
        self._seen: dict[tuple[str, str], Session] = {}

    def runs(
        self, conversation: Conversation, otherwise: datetime, *, again: bool = False
    ) -> Iterator[Run]:
        """The tasks of a conversation, ready to be written, one at a time.

        `otherwise` is when it began, where neither the log nor an earlier import tells it; `again`
        has them written also where they seem to be the same.
        """
        from hermes.ingest.drafting import drafts_of

        limit = self._ports.blobs.limit
        for draft in drafts_of(conversation, limit, from_disk=self._from_disk):
            yield self.place(draft, otherwise, again=again)

    def order(self, file: Path, format: str, size: int) -> Order:
        """The file, to be read as this recorder wants it."""
        return Order(file, format, self._ports.blobs.limit, size, self._from_disk)

    def place(
        self, draft: Draft, otherwise: datetime, *, again: bool = False, goes_on: bool = False
    ) -> Run:
        """A draft in its session, the first of its conversation before the others."""
        where = _place(draft.heading)
        if draft.number == 0:
            self._seen[where] = self._session(draft.heading, draft.at, otherwise)
        run = replace(_run(draft, self._seen[where], again), goes_on=goes_on)
        self._seen[where] = run.session
        return run

    def write(self, runs: Sequence[Run], files: Sequence[ImportedFile]) -> Written:
        """Write what is new or has grown, and which files are read to their end by it."""
        written = Written()
        changed = [run for run in runs if self._is_changed(run, written)]
        with self._ports.blobs.batch():
            for run in changed:
                for data in run.blobs.values():
                    self._ports.blobs.put(data)
        with self._ports.transactions.transaction():
            self._write_sessions(runs)
            for file in files:
                self._ports.imported_files.put(file)
            for run in changed:
                self._ports.tasks.put(run.task)
                self._ports.trajectories.keep(run.trajectory, run.steps)
                written.steps += len(run.steps)
        return written

    def _is_changed(self, run: Run, written: Written) -> bool:
        before = self._ports.trajectories.get(run.trajectory.id)
        if before is None:
            written.new.append(run.trajectory.id)
            return True
        if _is_as_before(before, run) and not run.again:
            written.unchanged += 1
            return False
        written.grown.append(run.trajectory.id)
        return True

    def _session(self, heading: Heading, first: datetime | None, otherwise: datetime) -> Session:
        """The session as the log tells it, under the id that it has, or gets now."""
        known = self._known(heading.source, heading.external_id)
        began = first or (known.started_at if known else otherwise)
        parent = None
        if heading.parent_external_id is not None:
            parent = self._parent(heading.source, heading.parent_external_id, began).id
        started = heading.started_at or began
        return Session(
            id=known.id if known else _session_id(heading.source, heading.external_id, started),
            source=heading.source,
            external_id=heading.external_id,
            parent_id=parent,
            title=heading.title,
            cwd=heading.cwd,
            model=heading.model,
            started_at=started,
            ended_at=known.ended_at if known else None,
        )

    def _known(self, source: str, external_id: str) -> Session | None:
        """As it is stored, or waits to be."""
        seen = self._seen.get((source, external_id))
        return seen or self._ports.sessions.find(source, external_id)

    def _parent(self, source: str, external_id: str, began: datetime) -> Session:
        """A parent that is not here yet gets its place now, and fills it when it is imported."""
        known = self._known(source, external_id)
        if known is None:
            known = self._seen[source, external_id] = Session(
                id=_session_id(source, external_id, began),
                source=source,
                external_id=external_id,
                title=NOT_IMPORTED,
                started_at=began,
            )
        return known

    def _write_sessions(self, runs: Sequence[Run]) -> None:
        newest = {run.session.id: run.session for run in runs}
        parents = {session.parent_id for session in newest.values()} - newest.keys()
        for session in self._seen.values() if parents - {None} else ():
            if session.id in parents and self._ports.sessions.get(session.id) is None:
                self._ports.sessions.add(session)
        for session in newest.values():
            known = self._ports.sessions.get(session.id)
            if known is None:
                self._ports.sessions.add(session)
            elif known != session:
                self._ports.sessions.replace(session)


def _session_id(source: str, external_id: str, started: datetime) -> str:
    return derived_id("session", started, source, external_id)


def _is_as_before(before: Trajectory, run: Run) -> bool:
    """A copy (made when a session is resumed or forked, or cut off by whoever moved the file) never
    shortens the original. The log itself may: the user went back, and on from there."""
    now = run.trajectory
    if before.summary is None or now.summary is None:
        return False
    shorter_copy = (
        before.session_id != now.session_id or not run.goes_on
    ) and before.summary.total_steps >= now.summary.total_steps
    same = (before.state, before.ended_at, before.summary.total_steps) == (
        now.state,
        now.ended_at,
        now.summary.total_steps,
    )
    return same or shorter_copy


def _run(draft: Draft, session: Session, again: bool) -> Run:
    heading, steps, summary = draft.heading, draft.steps, draft.summary
    start = draft.at or session.started_at + timedelta(milliseconds=draft.number)
    if draft.at is None and steps:
        steps = timed(steps, draft.times, start)
        summary = replace(summary, total_time=steps[-1].timestamp)
    of = (heading.source,) if _ONE_OF_A_KIND.match(draft.key) else _place(heading)
    task_id = derived_id("task", start, *of, draft.key)
    ended = start + timedelta(seconds=steps[-1].timestamp if steps else 0)
    environment = {"agent": heading.source}
    if heading.cwd:
        environment["cwd"] = heading.cwd
    return Run(
        session=replace(session, ended_at=max(ended, session.ended_at or ended)),
        task=Task(
            id=task_id,
            session_id=session.id,
            text=draft.text,
            inputs=draft.inputs,
            environment=environment,
            created_at=start,
        ),
        trajectory=Trajectory(
            id=f"trajectory{task_id.removeprefix('task')}",
            task_id=task_id,
            session_id=session.id,
            state=draft.state,
            model=heading.model,
            started_at=start,
            ended_at=ended,
            summary=summary,
        ),
        steps=steps,
        blobs=draft.blobs,
        missing=draft.missing,
        weight=draft.weight,
        again=again,
    )


def _place(heading: Heading) -> tuple[str, str]:
    return heading.source, heading.external_id

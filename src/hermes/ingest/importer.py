"""Files → the store, as a stream: memory holds one batch of tasks, however much there is to read.

A file is marked as read in the transaction that writes the last of it. A process that dies before
reads it again, and finds what it wrote already there.
"""

from __future__ import annotations

import os
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from hermes.errors import NotFound
from hermes.ingest.conversation import UNKNOWN_SOURCE
from hermes.ingest.crew import NO_WORKERS, Crew, Workers
from hermes.ingest.detect import is_log_name, log_files
from hermes.ingest.drafts import Draft, Ended, Order, Read, Unreadable
from hermes.ingest.progress import has_grown, head_of, look_at
from hermes.ingest.recorder import Recorder, Run
from hermes.ingest.turns import Problem
from hermes.ports import Clock, ImportedFiles
from hermes.records.imported import ImportedFile

_BATCH_FILES = 200
_TOLD = 100  # problems that are told in words; of more there is only the number

Progress = Callable[[int, int, int], None]
"""Called after each file with: files done, files in all, bytes read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReport:
    """What an import did. `new`, `grown`, `unchanged`, `failed` and `skipped` (no logs) are files.

    `trajectories` are the new and the changed ones; of the problems, the first are told.
    """

    files: int = 0
    new: int = 0
    grown: int = 0
    unchanged: int = 0
    failed: int = 0
    skipped: int = 0
    sessions: int = 0
    tasks: int = 0
    steps: int = 0
    bytes: int = 0
    trajectories: tuple[str, ...] = ()
    unknown: Mapping[str, int] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    problem_count: int = 0
    not_replayable: Mapping[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class _Tally:
    files: Counter[str] = field(default_factory=Counter)
    sessions: set[str] = field(default_factory=set)
    tasks: int = 0
    steps: int = 0
    bytes: int = 0
    trajectories: list[str] = field(default_factory=list)
    unknown: Counter[str] = field(default_factory=Counter)
    problems: list[Problem] = field(default_factory=list)
    problem_count: int = 0
    not_replayable: Counter[str] = field(default_factory=Counter)

    def note(self, problems: Iterable[Problem]) -> None:
        for problem in problems:
            self.problem_count += 1
            if len(self.problems) < _TOLD:
                self.problems.append(problem)

    def fail(self, file: str, why: str) -> None:
        self.files["failed"] += 1
        self.note([Problem(file=file, line=0, what=why)])

    def report(self) -> ImportReport:
        return ImportReport(
            files=self.files.total(),
            new=self.files["new"],
            grown=self.files["grown"],
            unchanged=self.files["unchanged"],
            failed=self.files["failed"],
            skipped=self.files["skipped"],
            sessions=len(self.sessions),
            tasks=self.tasks,
            steps=self.steps,
            bytes=self.bytes,
            trajectories=tuple(dict.fromkeys(self.trajectories)),
            unknown=dict(self.unknown),
            problems=tuple(self.problems),
            problem_count=self.problem_count,
            not_replayable=dict(self.not_replayable),
        )


@dataclass(slots=True)
class _Batch:
    """What waits to be written together."""

    runs: list[Run] = field(default_factory=list)
    files: list[ImportedFile] = field(default_factory=list)
    weight: int = 0

    def add(self, run: Run) -> None:
        self.runs.append(run)
        self.weight += run.weight

    def clear(self) -> None:
        self.runs, self.files, self.weight = [], [], 0


@dataclass(slots=True)
class _File:
    """One file on its way; `again` says that it was read before with other options, `goes_on` that
    it was read before and holds no less now."""

    path: str
    shown: str
    named: bool
    size: int = 0
    mtime_ns: int = 0
    head: str = ""
    again: bool = False
    goes_on: bool = False
    grown: bool = False
    unchanged: bool = False
    problem: str = ""
    order: Order | None = None
    sessions: set[str] = field(default_factory=set)
    tasks: int = 0
    steps: int = 0
    problems: int = 0
    is_unread: bool = False
    is_no_log: bool = False


@dataclass(slots=True)
class _Coming:
    """The files that were looked at, oldest first, and how many are done."""

    files: deque[_File] = field(default_factory=deque)
    done: int = 0


class Importer:
    """`how` names the options that change what is recorded: with others, files are read again."""

    def __init__(
        self,
        *,
        recorder: Recorder,
        imported: ImportedFiles,
        read: Read,
        clock: Clock,
        how: str = "",
        batch_bytes: int = 8 * 1024 * 1024,
        workers: Workers = NO_WORKERS,
    ) -> None:
        self._recorder = recorder
        self._imported = imported
        self._read = read
        self._clock = clock
        self._how = how
        self._batch_bytes = batch_bytes
        self._workers = workers

    def run(
        self, paths: Iterable[Path], format: str = "auto", progress: Progress | None = None
    ) -> ImportReport:
        """Import every file that is new or has changed; a file that cannot be read is reported.

        Raises NotFound for a path that is not there.
        """
        named = list(paths)
        files = _files(named)
        tally, batch, coming = _Tally(), _Batch(), _Coming()
        crew = Crew(self._read, self._workers)

        def told(done: Iterable[_File]) -> None:
            for _ in done:
                coming.done += 1
                if progress is not None:
                    progress(coming.done, len(files), tally.bytes)

        with closing(crew.streams(self._orders(files, named, format, coming))) as streams:
            for order, stream in streams:
                told(self._without_reading(coming, tally, order))
                file = coming.files.popleft()
                self._file(file, stream, batch, tally)
                self._write_when_full(batch, tally)
                told([file])
        told(self._without_reading(coming, tally, None))
        self._write(batch, tally)
        return tally.report()

    def _orders(
        self, files: Sequence[Path], named: Sequence[Path], format: str, coming: _Coming
    ) -> Iterator[Order]:
        """The files that have to be read; whoever reads them asks for the next ones early."""
        for path in files:
            file = self._look(path, named=path in named or is_log_name(path))
            if not (file.unchanged or file.problem):
                file.order = self._recorder.order(path, format, file.size)
            coming.files.append(file)
            if file.order is not None:
                yield file.order

    def _look(self, path: Path, *, named: bool) -> _File:
        name = os.path.abspath(path)
        file = _File(path=name, shown=str(path), named=named)
        try:
            look = look_at(path)
            before = self._imported.get(name)
            file.size, file.mtime_ns = look.size, look.mtime_ns
            file.again = before is not None and before.how != self._how
            file.goes_on = before is not None and look.size >= before.size
            file.unchanged = before is not None and look.same_as(before) and not file.again
            if not file.unchanged:
                file.head, file.grown = head_of(path, look.size), has_grown(path, before)
        except OSError as error:
            file.problem = error.strerror or str(error)
        return file

    def _without_reading(
        self, coming: _Coming, tally: _Tally, until: Order | None
    ) -> Iterator[_File]:
        """The files before this one that needed no reading, or allowed none."""
        while coming.files and (until is None or coming.files[0].order is not until):
            file = coming.files.popleft()
            if file.problem:
                tally.fail(file.shown, file.problem)
            else:
                tally.files["unchanged"] += 1
            yield file

    def _file(
        self, file: _File, stream: Iterator[Draft | Ended], batch: _Batch, tally: _Tally
    ) -> None:
        otherwise = datetime.fromtimestamp(file.mtime_ns / 1e9, UTC)
        try:
            for one in stream:
                if isinstance(one, Draft):
                    run = self._recorder.place(
                        one, otherwise, again=file.again, goes_on=file.goes_on
                    )
                    self._task(file, run, batch)
                    self._write_when_full(batch, tally)
                else:
                    _end(file, one, tally)
        except Unreadable as error:
            tally.fail(file.shown, str(error))
            return
        if file.is_unread:  # it may be readable next time, also if it looks the same then
            tally.files["failed"] += 1
            return
        tally.files["skipped" if file.is_no_log else "grown" if file.grown else "new"] += 1
        tally.sessions |= file.sessions
        batch.files.append(self._imported_file(file))

    def _task(self, file: _File, run: Run, batch: _Batch) -> None:
        batch.add(run)
        file.sessions.add(run.session.id)
        file.tasks += 1
        file.steps += len(run.steps)

    def _imported_file(self, file: _File) -> ImportedFile:
        return ImportedFile(
            path=file.path,
            size=file.size,
            mtime_ns=file.mtime_ns,
            head=file.head,
            how=self._how,
            sessions=len(file.sessions),
            tasks=file.tasks,
            steps=file.steps,
            problems=file.problems,
            imported_at=self._clock.now(),
        )

    def _write_when_full(self, batch: _Batch, tally: _Tally) -> None:
        if batch.weight >= self._batch_bytes or len(batch.files) >= _BATCH_FILES:
            self._write(batch, tally)

    def _write(self, batch: _Batch, tally: _Tally) -> None:
        written = self._recorder.write(batch.runs, batch.files)
        changed = {*written.new, *written.grown}
        tally.trajectories += [*written.new, *written.grown]
        tally.steps += written.steps
        for run in batch.runs:
            tally.tasks += 1
            if run.trajectory.id in changed:
                tally.not_replayable.update(set(run.missing))
        batch.clear()


def _files(paths: Iterable[Path]) -> list[Path]:
    files: dict[Path, None] = {}
    for path in paths:
        try:
            files |= dict.fromkeys(log_files(path))
        except OSError as error:
            raise NotFound(f"{path}: {error.strerror}") from error
    return list(files)


def _end(file: _File, ended: Ended, tally: _Tally) -> None:
    """That a file is no log is told where it was named as one."""
    if ended.source == UNKNOWN_SOURCE and not file.named:
        file.is_no_log = True
        return
    # No log, or one that the disk did not give to its end: that problem has no line.
    is_cut = any(problem.line == 0 for problem in ended.problems)
    file.is_unread = file.is_unread or is_cut or ended.source == UNKNOWN_SOURCE
    file.problems += len(ended.problems)
    tally.note(ended.problems)
    tally.unknown.update(ended.unknown)
    tally.bytes += ended.bytes_read

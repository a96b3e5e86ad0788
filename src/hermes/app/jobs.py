"""Background work of a home: what the jobs do, the worker that does them, and how it is started."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, BinaryIO

from hermes.app.worker_lock import alone
from hermes.errors import DiskFailed, NotFound, WrongCall
from hermes.ids import now

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from hermes.app.home import Home
    from hermes.jobs.engine import Plan
    from hermes.jobs.shift import Pace, Shift, Worked
    from hermes.records.job import Job, Worker
    from hermes.settings import Settings

WORKER_LOG = "worker.log"
_QUEUE_LOG = "jobs.log"
_LARGEST_LOG = 1_000_000  # bytes
_SILENT = timedelta(minutes=1)
_HEALTH_S = 60.0
_UPKEEP_S = 30.0
_WEEKLY = "0 20 4 * * 0"  # seconds first: Sundays at 4:20 UTC

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueReport:
    """What `hermes stats` shows of background work: how many runs are not done with, and the
    latest jobs, the failed ones apart."""

    outbox: int
    jobs: Sequence[Job]
    failed: Sequence[Job]
    workers: int


def handlers(settings: Settings) -> Mapping[str, Callable[[str], str]]:
    """Each opens the home for itself: jobs run in threads, and any process may run them."""
    return {
        "learn": lambda subject: _learn(settings, subject),
        "review": lambda subject: _review(settings, subject),
        "health": lambda _: _health(settings),
        "prune": lambda _: _prune(settings),
    }


def run_worker(
    home: Home,
    stop: threading.Event,
    *,
    until_idle: bool,
    say: Say = lambda _: None,
    pace: Pace | None = None,
) -> Worked | None:
    """Work until stopped or idle. None: another worker has this home."""
    from hermes.jobs.shift import Pace, Worked
    from hermes.store.tables.outbox import OutboxTable

    outbox = OutboxTable(home.database)
    taken = 0
    while True:
        with alone(home.settings, until_idle=until_idle) as mine:
            if not mine:
                return None
            shift = _shift(home, say, pace or Pace())
            worked = shift.work(handlers(home.settings), stop, until_idle=until_idle)
        taken += worked.taken
        # Whoever ended a run while we held the lock counted on us.
        if stop.is_set() or not (worked.overtaken or outbox.count()):
            return Worked(taken=taken, left=worked.left)


def _shift(home: Home, say: Say, pace: Pace) -> Shift:
    from hermes.app.agent import close_dead_runs
    from hermes.jobs.engine import Engine
    from hermes.jobs.shift import Shift
    from hermes.records.job import Worker
    from hermes.store.tables.outbox import OutboxTable
    from hermes.store.tables.worker import WorkerTable

    close_dead_runs(home)
    settings, me = home.settings, home.ownership.owner
    return Shift(
        engine=Engine(_jobs_url(settings), me, _plan(), settings.paths.logs_dir / _QUEUE_LOG),
        outbox=OutboxTable(home.database),
        workers=WorkerTable(home.database),
        me=Worker(id=me, host=socket.gethostname(), beat_at=now()),
        is_dead=home.ownership.is_dead,
        now=now,
        tell=say,
        pace=pace,
    )


def detach_worker(home: Home, environ: Mapping[str, str] | None = None) -> bool:
    """Start a worker of its own for what waits, and do not wait for it; whether one was started.

    It has the environment of whoever called: the same keys, the same database. One that is at it
    already looks at the outbox once more after it has let go of the lock, so it misses nothing.
    """
    from hermes.store.tables.outbox import OutboxTable

    if not home.settings.jobs.detach or not OutboxTable(home.database).count():
        return False
    with alone(home.settings, until_idle=True) as mine:
        if not mine:
            return False
    with _worker_log(home.settings.paths.logs_dir) as log:
        subprocess.Popen(
            [
                *(sys.executable, "-m", "hermes", "worker", "--until-idle"),
                *("--home", str(home.settings.paths.home)),
            ],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            env=None if environ is None else dict(environ),
            cwd=home.settings.paths.home,
        )
    return True


def _worker_log(folder: Path) -> BinaryIO:
    """What detached workers print, one after the other; a file that has grown makes room."""
    file = folder / WORKER_LOG
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if file.exists() and file.stat().st_size > _LARGEST_LOG:
            file.replace(file.with_name(f"{WORKER_LOG}.1"))
        return file.open("ab")
    except OSError as error:
        raise DiskFailed(
            f"{file} cannot be written: {error.strerror}",
            hint="the run is recorded; make room, then `hermes worker --until-idle` learns from it",
        ) from error


def queue_report(home: Home, limit: int = 20) -> QueueReport:
    """Read, without becoming a worker."""
    from hermes.records.job import JobState
    from hermes.store.tables.outbox import OutboxTable
    from hermes.store.tables.worker import WorkerTable

    jobs: Sequence[Job] = ()
    failed: Sequence[Job] = ()
    if _has_queue(home.settings):
        from hermes.jobs.looking import jobs_in

        url = _jobs_url(home.settings)
        failed = jobs_in(url, [JobState.FAILED], limit)
        others = [state for state in JobState if state is not JobState.FAILED]
        jobs = jobs_in(url, others, limit)
    return QueueReport(
        outbox=OutboxTable(home.database).count(),
        jobs=jobs,
        failed=failed,
        workers=sum(_lives(home, worker) for worker in WorkerTable(home.database).all()),
    )


def _lives(home: Home, worker: Worker) -> bool:
    """A row of one that died stays until another worker looks."""
    fresh = now() - worker.beat_at <= _SILENT
    return fresh and not home.ownership.is_dead(worker.id)


def retry_failed(home: Home) -> int:
    """Put every job that failed back into its queue; how many there were."""
    if not _has_queue(home.settings):
        return 0
    from hermes.jobs.looking import retry_failed as put_back

    return put_back(_jobs_url(home.settings), _plan().queue_of)


def _has_queue(settings: Settings) -> bool:
    return settings.database_url is not None or settings.paths.jobs_file.exists()


def _plan() -> Plan:
    """Patterns grow run by run, so one run at a time is learned from, wherever the workers are."""
    from hermes.jobs.engine import Plan, Queue, Schedule

    return Plan(
        queues=(
            Queue(name="learning", jobs=("learn",), at_once=1),
            Queue(name="reviews", jobs=("review",), here=1),
            Queue(name="upkeep", jobs=("health", "prune"), at_once=1),
        ),
        schedules=tuple(
            Schedule(job=job, cron=_WEEKLY, every=timedelta(days=7)) for job in ("health", "prune")
        ),
    )


def _jobs_url(settings: Settings) -> str:
    if settings.database_url is not None:
        url = settings.database_url.reveal()
        return url.replace("postgres://", "postgresql://", 1)
    return f"sqlite:///{settings.paths.jobs_file}"


def _learn(settings: Settings, trajectory_id: str) -> str:
    from hermes.app.home import open_home
    from hermes.app.learn import learning_of
    from hermes.app.models import stage_model
    from hermes.app.upkeep import keep_up
    from hermes.records.trajectory import TrajectoryState
    from hermes.store.tables.task import TaskTable
    from hermes.store.tables.trajectory import TrajectoryTable

    with open_home(settings) as home, stage_model(settings) as model:
        known = TrajectoryTable(home.database).get(trajectory_id)
        if known is None:
            return "the run was forgotten meanwhile"
        if known.state is TrajectoryState.OPEN:
            return "the run goes on; it is learned from at its next end"
        task = TaskTable(home.database).get(known.task_id)
        if task is not None and not task.is_learned_from:
            return "nothing is learned from this one"
        learned = learning_of(home, model=model).learn([trajectory_id])
        keep_up(home, _UPKEEP_S)
    drafts = [line for line in learned.lines if line.candidate_id]
    if drafts:
        return "; ".join(f"{line.skill_name}: {line.state}" for line in drafts)
    return f"{learned.successes} of {learned.tasks} went well, {learned.kept} kept"


def _review(settings: Settings, subject: str) -> str:
    from hermes.app.home import open_home
    from hermes.app.reviewing import review_run
    from hermes.records.waiting import ReviewKind

    trajectory_id, _, kinds = subject.partition(":")
    try:
        wanted = tuple(ReviewKind(kind) for kind in kinds.split("+"))
    except ValueError as error:
        raise WrongCall(f"'{kinds}' is no kind of review") from error
    with open_home(settings) as home:
        try:
            return review_run(home, trajectory_id, wanted)
        except NotFound as error:
            return str(error)


def _health(settings: Settings) -> str:
    from hermes.app.home import open_home
    from hermes.records.scope import PERSONAL

    with open_home(settings) as home:
        home.reader.look()
        skills = [skill for skill in home.ledger.skills.all() if skill.scope == PERSONAL]
        report = home.health.run(skills, _HEALTH_S, lambda *_: None)
    deprecated = ", ".join(one.name for one in report.deprecated())
    told = f"{len(report.skills)} skills checked"
    return f"{told}; deprecated: {deprecated}" if deprecated else told


def _prune(settings: Settings) -> str:
    from hermes.app.home import open_home
    from hermes.jobs.pruning import prune
    from hermes.store.tables.outbox import OutboxTable

    with open_home(settings) as home:
        outbox = OutboxTable(home.database)
        waiting = {one.key for one in outbox.pending(outbox.count())}
    return f"{prune(_jobs_url(settings), now(), waiting)} old jobs dropped"

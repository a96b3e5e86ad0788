"""Background work of a home: what the jobs do, the worker that does them, and how it is started."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hermes.errors import NotFound, WrongCall
from hermes.ids import now

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hermes.app.home import Home
    from hermes.jobs.engine import Engine, Queue, Schedule
    from hermes.records.job import Job
    from hermes.settings import Settings

WORKER_LOG = "worker.log"
_LOCK = "worker.lock"
_HEALTH_S = 60.0
_UPKEEP_S = 30.0
_WEEKLY = "0 20 4 * * 0"  # seconds first: Sundays at 4:20 UTC

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueReport:
    """What `hermes stats` shows of background work. `outbox` is not even in the queue yet."""

    outbox: int
    jobs: Sequence[Job]
    workers: int


def handlers(settings: Settings) -> Mapping[str, Callable[[str], str]]:
    """Each opens the home for itself: jobs run in threads, and any process may run them."""
    return {
        "learn": lambda subject: _learn(settings, subject),
        "review": lambda subject: _review(settings, subject),
        "health": lambda _: _health(settings),
    }


def run_worker(
    home: Home, stop: threading.Event, *, until_idle: bool, say: Say = lambda _: None
) -> int | None:
    """Work until stopped or idle; how many runs came in. None: another worker has this home."""
    from hermes.app.agent import close_dead_runs
    from hermes.jobs.shift import Shift
    from hermes.store.tables.outbox import OutboxTable
    from hermes.store.tables.worker import WorkerTable

    outbox, workers = OutboxTable(home.database), WorkerTable(home.database)
    taken = 0
    while True:
        with _alone(home) as alone:
            if not alone:
                return None
            close_dead_runs(home)
            engine = _engine(home)
            engine.open(handlers(home.settings))
            shift = Shift(
                engine=engine,
                outbox=outbox,
                workers=workers,
                me=home.ownership.owner,
                host=socket.gethostname(),
                is_dead=home.ownership.is_dead,
                now=now,
                tell=say,
            )
            try:
                taken += shift.work(stop, until_idle=until_idle)
            finally:
                workers.delete(home.ownership.owner)
                engine.close()
        # Whoever ended a run while we held the lock counted on us.
        if stop.is_set() or not outbox.count():
            return taken


def detach_worker(home: Home, environ: Mapping[str, str] | None = None) -> bool:
    """Start a worker of its own for what waits, and do not wait for it; whether one was started.

    It has the environment of whoever called: the same keys, the same database.
    """
    from hermes.store.tables.outbox import OutboxTable

    if not home.settings.jobs.detach or not OutboxTable(home.database).count():
        return False
    logs = home.settings.paths.logs_dir
    logs.mkdir(parents=True, exist_ok=True)
    with (logs / WORKER_LOG).open("ab") as log:
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


def queue_report(home: Home, limit: int = 20) -> QueueReport:
    """Read, without becoming a worker."""
    from hermes.jobs.looking import jobs_in
    from hermes.store.tables.outbox import OutboxTable
    from hermes.store.tables.worker import WorkerTable

    url, exists = _jobs_url(home.settings), home.settings.paths.jobs_file.exists()
    there = home.settings.database_url is not None or exists
    return QueueReport(
        outbox=OutboxTable(home.database).count(),
        jobs=jobs_in(url, limit) if there else (),
        workers=len(WorkerTable(home.database).all()),
    )


def _engine(home: Home) -> Engine:
    from hermes.jobs.engine import Engine

    return Engine(_jobs_url(home.settings), home.ownership.owner, _queues(), _schedules())


def _queues() -> Sequence[Queue]:
    """Patterns grow run by run, so one run at a time is learned from, wherever the workers are."""
    from hermes.jobs.engine import Queue

    return (
        Queue(name="learning", jobs=("learn",), at_once=1),
        Queue(name="reviews", jobs=("review",), here=1),
        Queue(name="upkeep", jobs=("health",), at_once=1),
    )


def _schedules() -> Sequence[Schedule]:
    from hermes.jobs.engine import Schedule

    return (Schedule(job="health", cron=_WEEKLY),)


def _jobs_url(settings: Settings) -> str:
    if settings.database_url is not None:
        url = settings.database_url.reveal()
        return url.replace("postgres://", "postgresql://", 1)
    return f"sqlite:///{settings.paths.jobs_file}"


@contextmanager
def _alone(home: Home) -> Iterator[bool]:
    """Whether this is the only worker of the home; on PostgreSQL there may be any number."""
    if home.settings.database_url is not None:
        yield True
        return
    import fcntl

    path = home.settings.paths.data_dir / _LOCK
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        yield False
    else:
        yield True
    finally:
        os.close(descriptor)


def _learn(settings: Settings, trajectory_id: str) -> str:
    from hermes.app.home import open_home
    from hermes.app.learn import learning_of
    from hermes.app.models import stage_model
    from hermes.app.upkeep import keep_up
    from hermes.records.trajectory import TrajectoryState
    from hermes.store.tables.trajectory import TrajectoryTable

    with open_home(settings) as home:
        known = TrajectoryTable(home.database).get(trajectory_id)
        if known is None:
            return "the run was forgotten meanwhile"
        if known.state is TrajectoryState.OPEN:
            return "the run goes on; it is learned from at its next end"
        learned = learning_of(home, model=stage_model(settings)).learn([trajectory_id])
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

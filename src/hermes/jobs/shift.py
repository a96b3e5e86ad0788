"""What a worker process does from its start to its end: drain, beat, take over, go on."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from hermes.errors import DiskFailed, StoreUnavailable
from hermes.jobs.doing import Handler
from hermes.jobs.drainer import Drainer
from hermes.jobs.engine import Engine
from hermes.jobs.stranded import Stranded
from hermes.ports import Outbox
from hermes.ports.jobs import Workers
from hermes.records.job import Worker

_WAITED_FOR = (StoreUnavailable, DiskFailed)
"""A database that is away, a disk that is full: somebody sees to it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How often a worker looks, and for how long one may be silent.

    A dead worker of another machine is taken over after its silence and one beat of another: in
    less than a minute.
    """

    beat_s: float = 10.0
    dead_after_s: float = 45.0
    stranded_after_s: float = 45.0  # without an outcome, a job that nobody is at is done again
    polling_s: float = 0.5
    pause_s: float = 0.3
    quiet_looks: int = 3  # in a row that find nothing, before a worker calls itself idle
    grace_s: int = 10  # that a stopped worker waits for what it has begun


@dataclass(frozen=True, slots=True, kw_only=True)
class Worked:
    """`taken` runs came in. `left` jobs are still at work: they are begun anew by whoever works
    next. `overtaken`: it was silent for so long that another took its jobs."""

    taken: int
    left: int = 0
    overtaken: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """`is_dead` knows at once of a process of this machine; any other is dead when it is silent."""

    engine: Engine
    outbox: Outbox
    workers: Workers
    me: Worker
    is_dead: Callable[[str], bool]
    now: Callable[[], datetime]
    tell: Callable[[str], None]
    pace: Pace = field(default_factory=Pace)

    def work(
        self, handlers: Mapping[str, Handler], stop: threading.Event, *, until_idle: bool
    ) -> Worked:
        """Until somebody stops it, there is nothing left to do, or another has taken over.

        It is known as alive before it takes its first job, and until it has let go of its last.
        """
        self.workers.put(self._worker())
        try:
            self.engine.open(handlers, self.pace.polling_s)
            left = 0
            try:
                taken, overtaken = self._rounds(stop, until_idle=until_idle)
            finally:
                left = self.engine.close(wait_s=self.pace.grace_s)
            return Worked(taken=taken, left=left, overtaken=overtaken)
        finally:
            with suppress(*_WAITED_FOR):  # a row that stays grows old, and is taken for dead
                self.workers.delete(self.me.id)

    def _rounds(self, stop: threading.Event, *, until_idle: bool) -> tuple[int, bool]:
        drainer = Drainer(self.outbox, self.engine)
        stranded = Stranded(self.engine, timedelta(seconds=self.pace.stranded_after_s), self.now)
        taken, quiet, next_beat = 0, 0, self.now()
        while not stop.is_set():
            try:
                if self.now() >= next_beat:
                    if not self.beat():
                        self.tell("this worker was silent for too long, and another took over")
                        return taken, True
                    if count := stranded.put_back():
                        self.tell(f"did again {count} jobs whose outcome could not be written")
                    next_beat = self.now() + timedelta(seconds=self.pace.beat_s)
                fresh = drainer.drain()
                taken += fresh
                quiet = quiet + 1 if not fresh and self._nothing_left() else 0
            except _WAITED_FOR as error:
                self.tell(f"waiting for the database: {error}")
                quiet = 0
                stop.wait(self.pace.beat_s)
            if until_idle and quiet >= self.pace.quiet_looks:
                break
            stop.wait(self.pace.pause_s)
        return taken, False

    def _nothing_left(self) -> bool:
        return self.engine.idle() and not self.outbox.count()

    def beat(self) -> bool:
        """Say that this worker lives, and take over from those that do not.

        False: another took this one for dead. Who has jobs is asked before who lives: a worker is
        known as alive before it takes its first.
        """
        if not self.workers.beat(self._worker()):
            return False
        busy, known = self.engine.at_work(), self.workers.all()
        alive = {other.id for other in known if self._lives(other)}
        for executor_id in sorted(busy - alive):
            if count := self.engine.take_over(executor_id):
                self.tell(f"took over {count} jobs of {executor_id}")
        for other in known:
            if other.id not in alive:
                self.workers.delete(other.id)
        return True

    def _lives(self, other: Worker) -> bool:
        if other.id == self.me.id:
            return True
        silent = self.now() - other.beat_at
        return silent <= timedelta(seconds=self.pace.dead_after_s) and not self.is_dead(other.id)

    def _worker(self) -> Worker:
        return Worker(id=self.me.id, host=self.me.host, beat_at=self.now())

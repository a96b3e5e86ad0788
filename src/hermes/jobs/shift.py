"""What a worker process does from its start to its end: drain, beat, take over, go on."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from hermes.errors import StoreUnavailable
from hermes.jobs.drainer import drain
from hermes.jobs.engine import Engine
from hermes.ports import Outbox
from hermes.ports.jobs import Workers
from hermes.records.job import Worker

BEAT_S = 10.0
DEAD_AFTER = timedelta(seconds=60)
_PAUSE_S = 0.3
_QUIET_LOOKS = 3  # looks in a row that find nothing before a worker calls itself idle


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """`is_dead` knows at once of a process of this machine; any other is dead when it is silent."""

    engine: Engine
    outbox: Outbox
    workers: Workers
    me: str
    host: str
    is_dead: Callable[[str], bool]
    now: Callable[[], datetime]
    tell: Callable[[str], None]

    def work(self, stop: threading.Event, *, until_idle: bool) -> int:
        """Until somebody stops it, or there is nothing left to do; how many runs came in."""
        taken, quiet, next_beat = 0, 0, self.now()
        while not stop.is_set():
            try:
                if self.now() >= next_beat:
                    self.beat()
                    next_beat = self.now() + timedelta(seconds=BEAT_S)
                taken += drain(self.outbox, self.engine)
                quiet = quiet + 1 if not self.engine.unfinished() else 0
            except StoreUnavailable as error:
                self.tell(f"the database is away, waiting for it: {error}")
                quiet = 0
                stop.wait(BEAT_S)
            if until_idle and quiet >= _QUIET_LOOKS:
                break
            stop.wait(_PAUSE_S)
        return taken

    def beat(self) -> None:
        """Say that this worker lives, and take over from those that do not."""
        self.workers.put(Worker(id=self.me, host=self.host, beat_at=self.now()))
        for other in self.workers.all():
            silent = self.now() - other.beat_at > DEAD_AFTER
            if other.id != self.me and (silent or self.is_dead(other.id)):
                count = self.engine.take_over(other.id)
                self.workers.delete(other.id)
                if count:
                    self.tell(f"took over {count} jobs of {other.id}")

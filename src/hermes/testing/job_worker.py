"""A worker process for tests: its jobs write down when they begin and end, and take their time.

    python -m hermes.testing.job_worker '{"address": …, "queue": …, "name": …, "effects": …}'

A job takes `slow` seconds for what is named there, and ends at once for anything else. Each line of
the effects is `begin|end SUBJECT WORKER`.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from dataclasses import asdict, dataclass, field, replace
from datetime import timedelta
from pathlib import Path

from hermes.ids import now
from hermes.jobs.doing import Handler, Patience
from hermes.jobs.engine import Engine, Plan, Queue, Schedule
from hermes.jobs.shift import Pace, Shift
from hermes.records.job import Worker
from hermes.store.open import open_database
from hermes.store.tables.outbox import OutboxTable
from hermes.store.tables.worker import WorkerTable

FAST = Pace(beat_s=0.3, dead_after_s=3.0, polling_s=0.1, pause_s=0.05, quiet_looks=3, grace_s=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Orders:
    """What a worker process is told: `address` of the store, URL of the `queue`, its own `name`."""

    address: str
    queue: str
    name: str
    effects: str
    slow: dict[str, float] = field(default_factory=dict)
    until_idle: bool = False
    at_once: int | None = 1
    cron: str = ""
    dead_after_s: float = FAST.dead_after_s

    def text(self) -> str:
        return json.dumps(asdict(self))


def plan(at_once: int | None = 1, schedules: tuple[Schedule, ...] = ()) -> Plan:
    return Plan(
        queues=(
            Queue(name="learning", jobs=("learn",), at_once=at_once),
            Queue(name="reviews", jobs=("review",)),
            Queue(name="upkeep", jobs=("health",), at_once=1),
        ),
        schedules=schedules,
        patience=Patience(attempts=3, first_wait_s=0.1, times_longer=1.0),
    )


def handlers(orders: Orders) -> dict[str, Handler]:
    def told(line: str) -> None:
        descriptor = os.open(orders.effects, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        os.write(descriptor, f"{line} {orders.name}\n".encode())
        os.close(descriptor)

    def job(subject: str) -> str:
        told(f"begin {subject}")
        time.sleep(orders.slow.get(subject, 0))
        told(f"end {subject}")
        return f"done by {orders.name}"

    return {"learn": job, "review": job, "health": lambda at: job(f"health@{at}")}


def main() -> None:
    orders = Orders(**json.loads(sys.argv[1]))
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    database = open_database(orders.address)
    schedule = Schedule(job="health", cron=orders.cron, every=timedelta(seconds=1))
    shift = Shift(
        engine=Engine(
            orders.queue,
            orders.name,
            plan(orders.at_once, (schedule,) if orders.cron else ()),
            Path(orders.effects).with_name(f"{orders.name}.log"),
        ),
        outbox=OutboxTable(database),
        workers=WorkerTable(database),
        me=Worker(id=orders.name, host="test", beat_at=now()),
        is_dead=lambda _: False,
        now=now,
        tell=lambda line: print(line, flush=True),
        pace=replace(FAST, dead_after_s=orders.dead_after_s),
    )
    overtaken = True
    while overtaken and not stop.is_set():
        overtaken = shift.work(handlers(orders), stop, until_idle=orders.until_idle).overtaken
    os._exit(0)


if __name__ == "__main__":
    main()

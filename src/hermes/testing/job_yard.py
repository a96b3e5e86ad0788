"""A store, a queue and worker processes on them, for tests of background work."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from hermes.jobs.doing import Handler
from hermes.jobs.engine import Engine, Plan
from hermes.jobs.looking import jobs_in
from hermes.records.job import Job, JobState
from hermes.records.waiting import ReviewKind
from hermes.store.database import Database
from hermes.store.tables.outbox import OutboxTable
from hermes.store.tables.worker import WorkerTable
from hermes.testing.contracts.trajectories import begin, finished
from hermes.testing.forked import Forked, forked
from hermes.testing.job_worker import Orders, plan
from hermes.testing.store import store_ports

PATIENCE_S = 60.0  # that a test waits for what must come; it comes much sooner


@dataclass
class Yard:
    """A store, a queue, and the worker processes on them."""

    address: str
    queue: str
    folder: Path
    database: Database
    running: list[Forked] = field(default_factory=list)

    @property
    def outbox(self) -> OutboxTable:
        return OutboxTable(self.database)

    @property
    def workers(self) -> WorkerTable:
        return WorkerTable(self.database)

    @property
    def effects(self) -> list[tuple[str, str, str]]:
        """What the jobs did: begin or end, about what, in which worker."""
        file = self.folder / "effects"
        lines = file.read_text().splitlines() if file.exists() else []
        return [(*line.split(" "),) for line in lines]  # type: ignore[misc]

    def orders(self, name: str, **more: object) -> Orders:
        return Orders(
            address=self.address,
            queue=self.queue,
            name=name,
            effects=str(self.folder / "effects"),
            **more,  # type: ignore[arg-type]
        )

    def start(self, name: str, **more: object) -> Forked:
        words = ["hermes.testing.job_worker", self.orders(name, **more).text()]
        with open(os.devnull) as nothing, (self.folder / f"{name}.out").open("a") as out:
            stdio = (nothing.fileno(), out.fileno(), out.fileno())
            process = forked(words, os.environ, self.folder, stdio)
        self.running.append(process)
        return process

    def said(self, name: str) -> str:
        return (self.folder / f"{name}.out").read_text()

    def end_a_run(self, *reviews: ReviewKind, minutes: int = 1) -> str:
        """A run ends; its outbox row is left. Answers its id."""
        ports = store_ports(self.database)
        opened = begin(ports)
        ports.trajectories.end(finished(opened, minutes=minutes), reviews)
        return opened.id

    def jobs(self, *states: JobState) -> list[Job]:
        return jobs_in(self.queue, states or tuple(JobState), 100)

    def until(self, true: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while not true():
            said = {file.name: file.read_text() for file in self.folder.glob("*.out")}
            assert time.monotonic() < deadline, (self.effects, said)
            time.sleep(0.05)

    def close(self) -> None:
        """End the processes that are left, also one that sleeps."""
        for process in self.running:
            if process.poll() is None:
                os.kill(process.pid, signal.SIGCONT)
                process.kill()
            process.wait()


@contextmanager
def opened(
    yard: Yard, handlers: Mapping[str, Handler], wanted: Plan | None = None
) -> Iterator[Engine]:
    """A worker's engine in this process."""
    engine = Engine(yard.queue, "here", wanted or plan(), yard.folder / "jobs.log")
    engine.open(handlers, 0.05)
    try:
        yield engine
    finally:
        engine.close()

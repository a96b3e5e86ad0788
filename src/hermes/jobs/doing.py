"""How a job is done: one workflow calls the handler of its name, and tries again where the reason
passes by itself.

The engine keeps its workflows by name for a whole process, so what they call is kept here too, and
set when a worker opens. Inputs, answers and errors are plain JSON: a later release reads them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from dbos import DBOS
from dbos import error as dbos_error

from hermes.errors import (
    DiskFailed,
    EmbedderUnavailable,
    ModelOverloaded,
    ModelTimedOut,
    ModelUnreachable,
    RateLimited,
    StoreUnavailable,
)

Handler = Callable[[str], str]
"""What a job does with its subject; the answer is a line for whoever looks at the queue."""

WORKFLOW = "hermes_job"
SCHEDULED = f"{WORKFLOW}_scheduled"
PASSES_BY_ITSELF = (
    StoreUnavailable,
    DiskFailed,
    EmbedderUnavailable,
    ModelUnreachable,
    ModelOverloaded,
    ModelTimedOut,
    RateLimited,
)
_TAKEN_UP = 20  # times that a job is taken up again after its worker died
_SAID = 500  # characters of an error that are kept


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How often a job is tried when its reason passes by itself, and how long it waits between."""

    attempts: int = 5
    first_wait_s: float = 2.0
    times_longer: float = 3.0


class JobFailed(Exception):
    """A job cannot be done, and trying again now would not help."""


class _Desk:
    """What the workflows of this process call."""

    def __init__(self) -> None:
        self.handlers: Mapping[str, Handler] = {}
        self.patience = Patience()
        self._lock = threading.Lock()
        self._at_work: set[str] = set()

    @property
    def at_work(self) -> frozenset[str]:
        with self._lock:
            return frozenset(self._at_work)

    @contextmanager
    def at(self, job_id: str) -> Iterator[None]:
        with self._lock:
            self._at_work.add(job_id)
        try:
            yield
        finally:
            with self._lock:
                self._at_work.discard(job_id)


_desk = _Desk()


def equip(handlers: Mapping[str, Handler], patience: Patience) -> None:
    """Before the engine starts."""
    _desk.handlers = dict(handlers)
    _desk.patience = patience


def at_work() -> frozenset[str]:
    """The jobs that this process is at, also while one waits to be tried again."""
    return _desk.at_work


@dataclass(frozen=True, slots=True)
class Workflows:
    job: Callable[[str, str], str]
    scheduled: Any  # the engine's type knows no answer of such a one, but keeps it


@cache
def workflows() -> Workflows:
    """Registered once in a process, under names that later releases keep."""

    @DBOS.workflow(name=WORKFLOW, max_recovery_attempts=_TAKEN_UP)
    def job(name: str, subject: str) -> str:
        return _patiently(name, subject)

    @DBOS.workflow(name=SCHEDULED, max_recovery_attempts=_TAKEN_UP)
    def scheduled(at: datetime, name: Any) -> str:
        return _patiently(str(name), at.isoformat())

    return Workflows(job, scheduled)


def _patiently(name: str, subject: str) -> str:
    patience = _desk.patience
    try:
        with _desk.at(str(DBOS.workflow_id)):
            return DBOS.run_step(
                {
                    "name": name,
                    "retries_allowed": True,
                    "max_attempts": patience.attempts,
                    "interval_seconds": patience.first_wait_s,
                    "backoff_rate": patience.times_longer,
                    "should_retry": lambda error: isinstance(error, PASSES_BY_ITSELF),
                },
                _handle,
                name,
                subject,
            )
    except dbos_error.DBOSMaxStepRetriesExceeded as error:
        last = _words(error.errors[-1])
        raise JobFailed(f"{last} (tried {patience.attempts} times)") from error


def _handle(name: str, subject: str) -> str:
    handler = _desk.handlers.get(name)
    if handler is None:
        raise JobFailed(f"nobody here knows how to do '{name}'")
    try:
        return handler(subject)
    except PASSES_BY_ITSELF:
        raise
    except Exception as error:
        raise JobFailed(_words(error)) from error


def _words(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:_SAID]

"""Background work: whoever ends a run leaves it in the outbox, and never waits for it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:  # a command that only lists must not pay for every word there is
    from hermes.records.job import Job, JobState, Worker


class Jobs(Protocol):
    """A queue that survives its workers."""

    def enqueue(self, name: str, subject: str, *, key: str) -> str:
        """The same name and key are the same job, however often it is enqueued; the answer is its
        id."""
        ...

    def jobs(self, states: Sequence[JobState] = (), limit: int = 100) -> Sequence[Job]:
        """Newest first."""
        ...

    def ended(self, job_ids: Collection[str]) -> frozenset[str]:
        """Those of them that have come to their end, well or not."""
        ...


class Workers(Protocol):
    """Who does background work."""

    def put(self, worker: Worker) -> None: ...
    def beat(self, worker: Worker) -> bool:
        """It lives. False: it is not known any more, because another took it for dead."""
        ...

    def delete(self, worker_id: str) -> None: ...
    def all(self) -> Sequence[Worker]: ...

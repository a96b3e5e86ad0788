"""From the outbox into the queue. A row goes only when its jobs have come to their end.

So the queue may be lost at any time: whatever had not been done still waits, and is enqueued again
under the same keys, which are the same jobs.
"""

from __future__ import annotations

from hermes.ports import Outbox
from hermes.ports.jobs import Jobs
from hermes.records.waiting import Waiting

LEARN = "learn"
REVIEW = "review"


class Drainer:
    """Remembers what it has enqueued, so that a look at what is under way costs one question."""

    def __init__(self, outbox: Outbox, jobs: Jobs) -> None:
        self._outbox = outbox
        self._jobs = jobs
        self._under_way: dict[str, tuple[str, ...]] = {}

    def drain(self) -> int:
        """Bring in what is new and let go of what has ended; how many runs were new."""
        waiting = self._outbox.pending()
        fresh = [one for one in waiting if one.key not in self._under_way]
        for one in fresh:
            self._under_way[one.key] = self._enqueue(one)
        asked = [job_id for one in waiting for job_id in self._under_way[one.key]]
        ended = self._jobs.ended(asked)
        for one in waiting:
            if ended.issuperset(self._under_way[one.key]):
                self._outbox.done(one)
        still = {one.key for one in waiting}
        self._under_way = {key: ids for key, ids in self._under_way.items() if key in still}
        return len(fresh)

    def _enqueue(self, one: Waiting) -> tuple[str, ...]:
        ids = [self._jobs.enqueue(LEARN, one.trajectory_id, key=one.key)]
        if one.reviews:
            kinds = "+".join(map(str, one.reviews))
            ids.append(self._jobs.enqueue(REVIEW, f"{one.trajectory_id}:{kinds}", key=one.key))
        return tuple(ids)

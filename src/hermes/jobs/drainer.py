"""From the outbox into the queue. A row goes only when its jobs are safely enqueued.

Dying between the two enqueues it again, under the same key, which is the same job.
"""

from __future__ import annotations

from hermes.ports import Outbox
from hermes.ports.jobs import Jobs

LEARN = "learn"
REVIEW = "review"


def drain(outbox: Outbox, jobs: Jobs) -> int:
    """Everything that waits; how many runs that were."""
    drained = 0
    while waiting := outbox.pending():
        for one in waiting:
            jobs.enqueue(LEARN, one.trajectory_id, key=one.key)
            if one.reviews:
                kinds = "+".join(map(str, one.reviews))
                jobs.enqueue(REVIEW, f"{one.trajectory_id}:{kinds}", key=one.key)
            outbox.done(one)
        drained += len(waiting)
    return drained
